/* A jail is prepared in the parent and entered by the child, which shares the parent's memory until
 * it runs its program and therefore must do nothing but system calls; even those without the
 * library where it would act on all threads. The order of steps matters: Landlock needs a
 * descriptor, so it comes before the limit on them; root's rights are needed for limits and groups,
 * so the user comes after them; and changing the user makes the kernel forget that the child is to
 * be killed with us, so that is asked for again. The filter is last. bubblewrap does the same
 * inside. */

#include "sandbox/jail.h"

#include "base/memory.h"
#include "sandbox/sandbox_private.h"
#include "sandbox/environment.h"
#include "sandbox/landlock.h"
#include "sandbox/scratch_dir.h"
#include "sandbox/process.h"
#include "sandbox/process_end.h"
#include "sandbox/reaper.h"
#include "sandbox/unnamed_files.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENTRY_BYTES 4096

struct jail {
    struct sandbox *sandbox;
    const struct program_files *files;
    const struct seccomp *filter;
    uid_t user;    /* 0: ours */
    char *scratch; /* NULL if bubblewrap has its own */
    struct scratch_mount mount;
    int description;   /* of what it may reach; -1: none */
    int filter_fd;     /* for bubblewrap; -1: none */
    char **bubblewrap; /* its command; NULL without it */
    char **environment;
    char home[ENTRY_BYTES];
    char temporary[ENTRY_BYTES];
};

static bool is_sealed(const struct sandbox *sandbox)
{
    return sandbox->level == SANDBOX_SEALED;
}

/* A clean environment, and what the program is to have. */
static void make_environment(struct jail *jail, const char *const *added)
{
    static char path[] = "PATH=" LANDLOCK_PATH;
    /* Java would complain on its standard output that it cannot lock its statistics. */
    char *clean[] = {path,       "LANG=C.UTF-8",  "JAVA_TOOL_OPTIONS=-XX:-UsePerfData",
                     jail->home, jail->temporary, NULL};
    const char *scratch = is_sealed(jail->sandbox) ? BUBBLEWRAP_SCRATCH : jail->scratch;

    (void)snprintf(jail->home, sizeof jail->home, "HOME=%s", scratch);
    (void)snprintf(jail->temporary, sizeof jail->temporary, "TMPDIR=%s", scratch);
    jail->environment = environment_merge(clean, added);
}

static struct scratch_dir_size most_of_scratch(const struct sandbox *sandbox)
{
    return (struct scratch_dir_size){(int64_t)sandbox->limits.scratch_mb * 1024 * 1024,
                                     (unsigned)sandbox->limits.scratch_entries,
                                     SCRATCH_DIR_DEPTH_MAX};
}

static int open_scratch(struct jail *jail)
{
    struct sandbox *sandbox = jail->sandbox;
    struct scratch_dir_size most = most_of_scratch(sandbox);
    char name[SCRATCH_DIR_NAME_BYTES];

    if (sandbox->has_mounts) {
        if (scratch_mount_make(&sandbox->mounts, &jail->mount, &most, jail->user) != 0)
            return -1;
        jail->scratch = xstrdup(jail->mount.path);
        return 0;
    }
    scratch_dir_name(name, "bot");
    jail->scratch = scratch_dir_make(sandbox->root, name, jail->user);
    return jail->scratch != NULL ? 0 : -1;
}

static int open_guarded(struct jail *jail)
{
    struct sandbox *sandbox = jail->sandbox;

    if (open_scratch(jail) != 0)
        return -1;
    if (sandbox_uses(sandbox, SANDBOX_FILES)) {
        jail->description = landlock_describe(&sandbox->landlock, sandbox->abi,
                                              jail->files->readable, jail->scratch);
        if (jail->description < 0)
            return -1;
    }
    return 0;
}

static int open_sealed(struct jail *jail)
{
    if (jail->sandbox->has_mounts && open_scratch(jail) != 0)
        return -1;
    jail->bubblewrap = bubblewrap_argv(jail->sandbox, jail->files, jail->scratch);
    jail->filter_fd = seccomp_open(jail->filter);
    return jail->filter_fd >= 0 ? 0 : -1;
}

struct jail *jail_open(const struct process_spec *spec)
{
    struct sandbox *sandbox = spec->sandbox;
    struct jail *jail = xcalloc(1, sizeof *jail);
    char buffer[300];
    struct text problem;
    int failed;

    text_start(&problem, buffer, sizeof buffer);
    jail->sandbox = sandbox;
    jail->filter = spec->is_build ? &sandbox->build_filter : &sandbox->filter;
    jail->description = -1;
    jail->filter_fd = -1;
    jail->files = program_files_find(&sandbox->programs, spec, &problem);
    failed = jail->files == NULL ? -1 : 0;
    if (failed == 0 && sandbox_uses(sandbox, SANDBOX_USER)) {
        jail->user = uid_pool_take(&sandbox->uids);
        failed = jail->user == 0 ? -1 : 0;
    }
    if (failed == 0)
        failed = is_sealed(sandbox) ? open_sealed(jail) : open_guarded(jail);
    if (failed != 0) {
        jail_free(jail);
        return NULL;
    }
    make_environment(jail, spec->environment);
    return jail;
}

struct jail_command jail_command(const struct jail *jail)
{
    struct jail_command command = {.environment = jail->environment, .passed_fd = jail->filter_fd};

    if (jail->bubblewrap != NULL) {
        command.path = jail->sandbox->bubblewrap;
        command.argv = jail->bubblewrap;
        command.folder = "/";
    } else {
        command.path = jail->files->argv[0];
        command.argv = jail->files->argv;
        command.folder = jail->files->folder != NULL ? jail->files->folder : jail->scratch;
    }
    return command;
}

const char *jail_scratch(const struct jail *jail)
{
    return jail->scratch;
}

bool jail_is_bubblewrap(const struct jail *jail)
{
    return jail->bubblewrap != NULL;
}

/* The library's functions would change all threads, and wait for them. */
static int enter_user(const struct jail *jail)
{
    if (jail->user == 0)
        return 0;
    if (syscall(SYS_setgroups, jail->files->group_count, jail->files->groups) != 0 ||
        syscall(SYS_setresgid, jail->user, jail->user, jail->user) != 0 ||
        syscall(SYS_setresuid, jail->user, jail->user, jail->user) != 0 ||
        prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        return errno;
    return 0;
}

int jail_enter(const struct jail *jail)
{
    const struct sandbox *sandbox = jail->sandbox;
    int error = 0;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    if (jail->description >= 0)
        error = landlock_enter(jail->description, sandbox->abi);
    for (unsigned i = 0; i < sandbox->rlimit_count && error == 0; i++) {
        if (setrlimit((__rlimit_resource_t)sandbox->rlimits[i].resource,
                      &sandbox->rlimits[i].limit) != 0)
            error = errno;
    }
    if (error == 0)
        error = enter_user(jail);
    if (error == 0 && jail->bubblewrap == NULL && sandbox_uses(sandbox, SANDBOX_FILTER))
        error = seccomp_enter(jail->filter);
    return error;
}

void jail_sweep(struct jail *jail)
{
    (void)reaper_kill_orphans(jail->user);
}

/* What the scratch folder and the files that once were in it hold. */
static struct scratch_dir_size measure(const struct jail *jail, pid_t pid,
                                       const struct scratch_dir_size *most)
{
    struct scratch_dir_size size = scratch_dir_measure(jail->scratch, most);
    int64_t file_bytes = (int64_t)jail->sandbox->limits.file_mb * 1024 * 1024;
    struct stat status;

    if (!scratch_dir_is_over(&size, most) && stat(jail->scratch, &status) == 0)
        size.bytes += unnamed_files_measure(pid, status.st_dev, file_bytes, most->bytes);
    return size;
}

bool jail_is_overfull(const struct jail *jail, pid_t pid, struct text *problem)
{
    const struct sandbox_limits *limits = &jail->sandbox->limits;
    struct scratch_dir_size most = most_of_scratch(jail->sandbox);
    struct scratch_dir_size size;

    if (jail->sandbox->has_mounts)
        return false;
    size = jail->scratch != NULL ? measure(jail, pid, &most) : bubblewrap_measure(pid, &most);
    if (!scratch_dir_is_over(&size, &most))
        return false;
    if (size.bytes > most.bytes)
        process_end_write_stop(problem, PROCESS_END_SCRATCH_BYTES, limits->scratch_mb);
    else if (size.entries > most.entries)
        process_end_write_stop(problem, PROCESS_END_SCRATCH_ENTRIES, limits->scratch_entries);
    else
        process_end_write_stop(problem, PROCESS_END_SCRATCH_DEPTH, most.depth);
    return true;
}

void jail_free(struct jail *jail)
{
    int error = errno;

    if (jail == NULL)
        return;
    if (jail->description >= 0)
        close(jail->description);
    if (jail->filter_fd >= 0)
        close(jail->filter_fd);
    scratch_mount_remove(&jail->sandbox->mounts, &jail->mount);
    if (jail->scratch != NULL && !jail->sandbox->has_mounts)
        (void)scratch_dir_remove(jail->scratch);
    uid_pool_give_back(&jail->sandbox->uids, jail->user);
    bubblewrap_free(jail->bubblewrap);
    free(jail->environment);
    free(jail->scratch);
    free(jail);
    errno = error;
}
