#ifndef REFEREE_SANDBOX_SANDBOX_PRIVATE_H
#define REFEREE_SANDBOX_SANDBOX_PRIVATE_H

/* Shared by the files of the sandbox: sandbox.c has the levels, sandbox_probe.c the trials, jail.c
 * the place of one process, bubblewrap.c its command for bubblewrap. */

#include "sandbox/cgroup.h"
#include "sandbox/sandbox.h"
#include "sandbox/scratch_dir.h"
#include "sandbox/scratch_mount.h"
#include "sandbox/seccomp.h"
#include "sandbox/uid_pool.h"
#include "sandbox/program_files.h"
#include "sandbox/landlock.h"

#include <sys/resource.h>

#define SANDBOX_RLIMITS_MAX 12

struct sandbox_rlimit {
    int resource;
    struct rlimit limit;
};

struct sandbox {
    enum sandbox_level level;
    struct sandbox_fact facts[SANDBOX_PART_COUNT];
    struct sandbox_limits limits;
    struct sandbox_rlimit rlimits[SANDBOX_RLIMITS_MAX];
    unsigned rlimit_count;
    struct seccomp filter;
    struct seccomp build_filter;
    struct uid_pool uids;
    struct cgroup_tree cgroups;
    struct program_list programs;
    char *root; /* where scratch folders and copies are */
    int root_fd;
    bool has_mounts; /* scratch folders have a fixed size */
    struct scratch_mounts mounts;
    int abi; /* of Landlock; 0: none */
    struct landlock landlock;
    char *bubblewrap; /* its path; NULL if it is not installed */
    bool was_dumpable;
    char enforced[200];
};

/* Whether this part is used: it works, and belongs to the level. */
bool sandbox_uses(const struct sandbox *sandbox, enum sandbox_part part);

/* Opens what the parts need, as far as possible; no part is tried yet. */
void sandbox_open(struct sandbox *sandbox);
void sandbox_close(struct sandbox *sandbox);

/* Tries all parts of a sandbox that is open. */
void sandbox_probe_all(struct sandbox *sandbox);

/* The command line that runs a program in bubblewrap; free it with bubblewrap_free(). The filter is
 * to be readable at descriptor BUBBLEWRAP_SECCOMP_FD. `scratch` becomes BUBBLEWRAP_SCRATCH in
 * there; NULL: bubblewrap makes one. */
#define BUBBLEWRAP_SECCOMP_FD 3
#define BUBBLEWRAP_SCRATCH "/tmp"
char **bubblewrap_argv(const struct sandbox *sandbox, const struct program_files *files,
                       const char *scratch);
void bubblewrap_free(char **argv);

/* What the scratch folder that bubblewrap made for a process and its descendants holds. */
struct scratch_dir_size bubblewrap_measure(pid_t pid, const struct scratch_dir_size *most);

#endif
