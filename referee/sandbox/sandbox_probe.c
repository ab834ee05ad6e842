/* Each part is tried with the very calls that contain bots, in a child that must then fail to do
 * what the part forbids. A version number or a file in /proc says what a kernel was built with, not
 * what works here: a container may forbid any of it. */

#include "sandbox/sandbox_private.h"

#include "sandbox/landlock.h"
#include "sandbox/scratch_dir.h"
#include "sandbox/process.h"
#include "sandbox/reaper.h"
#include "sandbox/memory_use.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CODE_ALLOWED 200 /* of a child: what should have been forbidden was allowed */
#define CODE_KILLED 201
#define CODE_SEALED 7 /* of a shell in bubblewrap that does not see our folder */
#define ENDING_SEALED "exit status 7"
#define SCRIPT_BYTES 4096
#define BUBBLEWRAP_MS 10000

typedef int attempt_fn(const struct sandbox *sandbox, uid_t user);

/* Runs an attempt in a child. Returns what it returned: 0, an errno or one of the codes. */
static int in_child(attempt_fn *attempt, const struct sandbox *sandbox, uid_t user)
{
    pid_t pid = fork();
    int status = 0;

    if (pid == 0)
        _exit(attempt(sandbox, user));
    if (pid < 0)
        return errno;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : CODE_KILLED;
}

static int try_limits(const struct sandbox *sandbox, uid_t user)
{
    int fd = 0;

    (void)user;
    for (unsigned i = 0; i < sandbox->rlimit_count; i++) {
        if (setrlimit((__rlimit_resource_t)sandbox->rlimits[i].resource,
                      &sandbox->rlimits[i].limit) != 0)
            return errno;
    }
    for (long i = 0; i <= sandbox->limits.files && fd >= 0; i++)
        fd = dup(STDERR_FILENO);
    return fd < 0 ? 0 : CODE_ALLOWED;
}

static int try_filter(const struct sandbox *sandbox, uid_t user)
{
    int error;

    (void)user;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    error = seccomp_enter(&sandbox->filter);
    if (error != 0)
        return error;
    return socket(AF_UNIX, SOCK_STREAM, 0) < 0 && errno == EPERM ? 0 : CODE_ALLOWED;
}

static int enter_landlock(const struct sandbox *sandbox)
{
    int description = landlock_describe(&sandbox->landlock, sandbox->abi, NULL, NULL);

    if (description < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    return landlock_enter(description, sandbox->abi);
}

static int try_files(const struct sandbox *sandbox, uid_t user)
{
    int error = enter_landlock(sandbox);

    (void)user;
    if (error != 0)
        return error;
    if (open("/usr", O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0)
        return errno;
    return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0 && errno == EACCES ? 0 : CODE_ALLOWED;
}

static int try_user(const struct sandbox *sandbox, uid_t user)
{
    (void)sandbox;
    if (syscall(SYS_setgroups, 0, NULL) != 0 || syscall(SYS_setresgid, user, user, user) != 0 ||
        syscall(SYS_setresuid, user, user, user) != 0)
        return errno;
    return getuid() == user && open(sandbox->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0
               ? 0
               : CODE_ALLOWED;
}

static int try_signals(const struct sandbox *sandbox, uid_t user)
{
    int error = user != 0 ? try_user(sandbox, user) : enter_landlock(sandbox);

    if (error != 0)
        return error;
    return kill(getppid(), 0) != 0 && errno == EPERM ? 0 : CODE_ALLOWED;
}

static int try_scratch(const struct sandbox *sandbox)
{
    char *path = scratch_dir_make(sandbox->root, "trial", 0);
    int error = path != NULL && scratch_dir_remove(path) == 0 ? 0 : errno;

    free(path);
    return error;
}

static int try_hidden(void)
{
    int before = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
    int error = 0;

    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        error = errno;
    else if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0)
        error = CODE_ALLOWED;
    if (before == 1)
        (void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    return error;
}

/* Whether a shell in bubblewrap runs, and does not see our folder. */
static void try_namespaces(struct sandbox *sandbox)
{
    struct sandbox_fact *fact = &sandbox->facts[SANDBOX_NAMESPACES];
    char script[SCRIPT_BYTES];
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    struct process_spec spec = {.argv = argv, .cpu = -1, .sandbox = sandbox};
    enum sandbox_level level = sandbox->level;
    struct process process;
    const char *said;
    struct text why;

    text_start(&why, fact->why, sizeof fact->why);
    (void)snprintf(script, sizeof script, "test ! -e '%s' && exit %d", sandbox->root, CODE_SEALED);
    sandbox->level = SANDBOX_SEALED;
    if (process_start(&process, &spec, &why) != 0) {
        text_printf(&why, "bwrap: %s", strerror(errno));
    } else if (process.pid > 0) {
        struct pollfd end = {.fd = process.pidfd, .events = POLLIN};

        (void)poll(&end, 1, BUBBLEWRAP_MS);
        process_reap(&process);
        (void)process_read_stderr(&process, sizeof fact->why);
        fact->works = strcmp(process.ending, ENDING_SEALED) == 0;
        said = stderr_capture_last(&process.capture, sizeof fact->why - 1);
        if (!fact->works)
            text_add_bytes(&why, said, strcspn(said, "\n"));
        if (!fact->works && why.length == 0)
            text_add(&why, "bwrap failed without a message");
    }
    process_free(&process);
    sandbox->level = level;
}

static void conclude(struct sandbox *sandbox, enum sandbox_part part, int error)
{
    struct sandbox_fact *fact = &sandbox->facts[part];

    fact->works = error == 0;
    if (error == CODE_ALLOWED)
        (void)snprintf(fact->why, sizeof fact->why, "it was set up, but forbids nothing");
    else if (error == CODE_KILLED)
        (void)snprintf(fact->why, sizeof fact->why, "the trial was killed");
    else if (error != 0)
        (void)snprintf(fact->why, sizeof fact->why, "%s", strerror(error));
}

static void remark(struct sandbox *sandbox, enum sandbox_part part, const char *text)
{
    (void)snprintf(sandbox->facts[part].why, sizeof sandbox->facts[part].why, "%s", text);
}

static void try_landlock(struct sandbox *sandbox, uid_t user)
{
    char text[100];

    if (sandbox->abi == 0) {
        conclude(sandbox, SANDBOX_FILES, ENOSYS);
        remark(sandbox, SANDBOX_FILES, "this kernel has no Landlock, or it is switched off");
    } else {
        conclude(sandbox, SANDBOX_FILES, in_child(try_files, sandbox, 0));
        (void)snprintf(text, sizeof text, "Landlock, version %d", sandbox->abi);
        if (sandbox->facts[SANDBOX_FILES].works)
            remark(sandbox, SANDBOX_FILES, text);
    }
    if (user == 0 && sandbox->abi < LANDLOCK_ABI_SCOPED)
        remark(sandbox, SANDBOX_SIGNALS, "needs root, or Landlock 6 (Linux 6.12)");
    else
        conclude(sandbox, SANDBOX_SIGNALS, in_child(try_signals, sandbox, user));
}

static void try_own_user(struct sandbox *sandbox, uid_t user)
{
    if (user != 0)
        conclude(sandbox, SANDBOX_USER, in_child(try_user, sandbox, user));
    else if (geteuid() != 0)
        remark(sandbox, SANDBOX_USER, "only root can give each bot a user; they run as yours");
    else
        remark(sandbox, SANDBOX_USER, "no user number could be locked in /run/referee.uids");
}

static void try_groups(struct sandbox *sandbox)
{
    const struct cgroup_tree *tree = &sandbox->cgroups;

    sandbox->facts[SANDBOX_GROUPS].works = tree->has_waits;
    if (tree->fds[CGROUP_UNIFIED] < 0)
        remark(sandbox, SANDBOX_GROUPS,
               "needs root or a delegated control group (systemd: Delegate=yes); without it the "
               "clock forgives waiting only to bots with one thread");
    else if (!tree->has_waits)
        remark(sandbox, SANDBOX_GROUPS,
               "the kernel keeps no pressure figures (boot it with psi=1); the clock forgives "
               "waiting only to bots with one thread");
    else if (!tree->limits_memory)
        remark(sandbox, SANDBOX_GROUPS, "but there is no memory controller");
}

void sandbox_probe_all(struct sandbox *sandbox)
{
    uid_t user = sandbox->uids.fd >= 0 ? uid_pool_take(&sandbox->uids) : 0;

    try_groups(sandbox);
    try_own_user(sandbox, user);
    conclude(sandbox, SANDBOX_LIMITS, in_child(try_limits, sandbox, 0));
    if (sandbox->facts[SANDBOX_LIMITS].works && user == 0)
        remark(sandbox, SANDBOX_LIMITS,
               "but the limit on processes counts all that your user has, not each bot");
    conclude(sandbox, SANDBOX_MEMORY, memory_use_kb(getpid(), 0) > 0 ? 0 : ENOENT);
    if (sandbox->facts[SANDBOX_MEMORY].works && !sandbox->cgroups.limits_memory)
        remark(sandbox, SANDBOX_MEMORY,
               "but it is looked at every 100 ms, and of what the kernel keeps for a bot only page "
               "tables and sockets count: more needs a memory controller");
    conclude(sandbox, SANDBOX_SCRATCH, sandbox->root != NULL ? try_scratch(sandbox) : EACCES);
    if (sandbox->facts[SANDBOX_SCRATCH].works && !sandbox->has_mounts)
        remark(sandbox, SANDBOX_SCRATCH,
               "but it is looked at every 100 ms: only root can give it a fixed size");
    conclude(sandbox, SANDBOX_SWEEP, reaper_is_possible() ? 0 : ENOSYS);
    conclude(sandbox, SANDBOX_HIDDEN, try_hidden());
    conclude(sandbox, SANDBOX_FILTER,
             sandbox->filter.program.len > 0 ? in_child(try_filter, sandbox, 0) : ENOSYS);
    try_landlock(sandbox, user);
    uid_pool_give_back(&sandbox->uids, user);
    if (sandbox->bubblewrap == NULL)
        remark(sandbox, SANDBOX_NAMESPACES, "there is no program bwrap (package bubblewrap)");
    else if (sandbox->facts[SANDBOX_SCRATCH].works && sandbox->facts[SANDBOX_FILTER].works)
        try_namespaces(sandbox);
    else
        remark(sandbox, SANDBOX_NAMESPACES, "not tried, because scratch or filter does not work");
}
