#ifndef REFEREE_SANDBOX_PROCESS_H
#define REFEREE_SANDBOX_PROCESS_H

/* A contained child process: a bot or a build, a stranger's program in any case. */

#include "base/text.h"
#include "sandbox/stderr_capture.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct cgroup;
struct jail;
struct sandbox;

/* What to run. Everything is lent for the call only, except `sandbox`. */
struct process_spec {
    const char *const *argv; /* argv[0] is a path, or a name to look up in PATH */
    const char *folder;      /* its current folder, where a relative path begins; NULL: ours */
    bool is_folder_shared;   /* the folder is not its own: contained, it has only the files that
                              * argv names and those beside them, as without a folder */
    const char *const *environment; /* "KEY=VALUE", added to what it has anyway; NULL: nothing */
    long memory_mb;           /* the most it may use; 0: the default of the sandbox, or no limit */
    int cpu;                  /* to pin it to, or -1 */
    struct sandbox *sandbox;  /* lent for the life of the process; NULL: it is not contained */
    bool is_build;            /* it plays no match, so it may lock files and set their times */
    const char *stderr_label; /* shows its stderr live under this name; NULL: does not show it */
};

/* All descriptors are ours alone and -1 once they are closed; the pipes do not block. */
struct process {
    pid_t pid; /* also its process group and session; -1 if it could not be run */
    int pidfd; /* readable when it has ended */
    int stdin_fd;
    int stdout_fd;
    int stderr_fd;
    bool has_ended;       /* and was reaped */
    char ending[80];      /* "exit status 3", "signal 11 (Segmentation fault)"; "" before */
    char stop_reason[80]; /* why we killed it for using too much; "" if we did not */
    long memory_mb;       /* the most it may use; 0: no limit */
    struct stderr_capture capture;
    struct jail *jail;       /* NULL if it is not contained */
    struct sandbox *sandbox; /* lent; or NULL */
    struct cgroup *group;    /* NULL if there is none */
    int cpu;                 /* to which it is pinned, or -1 */
    bool had_company;        /* without a group: it has been seen with a second thread or child */
};

/* Starts a program in a session of its own, with nothing of ours but three pipes and, if it is not
 * contained, the environment. It is killed when we end. Returns 0, also if the program could not be
 * run: then the pid is -1 and a sentence for its author is in `problem`. Returns -1 with errno if
 * the machine has no process, pipe or descriptor left. Free it with process_free() after a 0. */
int process_start(struct process *process, const struct process_spec *spec, struct text *problem);

/* Whether it runs, or has ended and was not reaped yet. */
bool process_is_running(const struct process *process);

/* Kills it with its process group. */
void process_kill(const struct process *process);

/* Stops it and everything that it started where they are, or lets them continue. Without a group
 * something that is just being started may escape; stopping it again does no harm. */
void process_freeze(const struct process *process, bool is_frozen);

/* Kills it and everything that it started, if there is anything left, waits for its end and fills
 * `ending`. To be called once, for a process that is running. */
void process_reap(struct process *process);

/* Some limits are not enforced by the kernel: the memory that all its processes use together, and
 * what its scratch folder holds. Kills the process and sets `stop_reason` if it is above one.
 * Returns whether it did. To be called every PROCESS_CHECK_MS for a process with limits. */
#define PROCESS_CHECK_MS 100
bool process_has_limits(const struct process *process);
bool process_check_limits(struct process *process);

/* Reads its stderr into `capture`, at most `most` bytes. Returns false at the end of the pipe. */
bool process_read_stderr(struct process *process, size_t most);

/* Reads all of its stderr that is in the pipe. */
void process_drain_stderr(struct process *process);

/* The folder that it may write to, until process_free(); NULL if it has none that we can see. */
const char *process_scratch(const struct process *process);

void process_close_fd(int *fd);

/* Kills and reaps it if that is still to be done, and frees everything that belongs to it. */
void process_free(struct process *process);

/* Puts the path of the program `name` into `path`, found as a shell does it. Returns 0, or the
 * error that exec would give. */
int process_find_program(const char *name, char path[PATH_MAX]);

#endif
