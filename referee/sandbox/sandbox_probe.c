/* Each part is tried with the very calls that bots will be put under, in a child that must then fail to do
 * what the part forbids. A version number or a file in /proc says what a kernel was built with, not what
 * works here: a container may forbid any of it. */

#include "bot/contain_private.h"

#include "bot/cell.h"
#include "bot/reach.h"
#include "bot/scratch.h"
#include "bot/spawn.h"
#include "bot/sweep.h"
#include "bot/usage.h"

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
#define CODE_SEALED 7 /* of a shell in a bubble that did not see us */
#define WORD_BYTES 4096
#define BUBBLE_MS 10000

typedef int attempt_fn(const struct contain *contain, uid_t user);

/* Runs an attempt in a child. Returns what it returned: 0, an errno or one of the codes. */
static int in_child(attempt_fn *attempt, const struct contain *contain, uid_t user)
{
    pid_t pid = fork();
    int status = 0;

    if (pid == 0)
        _exit(attempt(contain, user));
    if (pid < 0)
        return errno;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : CODE_KILLED;
}

static int try_limits(const struct contain *contain, uid_t user)
{
    int fd = 0;

    (void)user;
    for (unsigned i = 0; i < contain->rlimit_count; i++) {
        if (setrlimit((__rlimit_resource_t)contain->rlimits[i].resource,
                      &contain->rlimits[i].limit) != 0)
            return errno;
    }
    for (long i = 0; i <= contain->limits.files && fd >= 0; i++)
        fd = dup(STDERR_FILENO);
    return fd < 0 ? 0 : CODE_ALLOWED;
}

static int try_filter(const struct contain *contain, uid_t user)
{
    int error;

    (void)user;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    error = filter_enter(&contain->filter);
    if (error != 0)
        return error;
    return socket(AF_UNIX, SOCK_STREAM, 0) < 0 && errno == EPERM ? 0 : CODE_ALLOWED;
}

static int enter_reach(const struct contain *contain)
{
    int description = reach_describe(&contain->reach, contain->abi, NULL, NULL);

    if (description < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    return reach_enter(description, contain->abi);
}

static int try_files(const struct contain *contain, uid_t user)
{
    int error = enter_reach(contain);

    (void)user;
    if (error != 0)
        return error;
    if (open("/usr", O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0)
        return errno;
    return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0 && errno == EACCES ? 0 : CODE_ALLOWED;
}

static int try_user(const struct contain *contain, uid_t user)
{
    (void)contain;
    if (syscall(SYS_setgroups, 0, NULL) != 0 || syscall(SYS_setresgid, user, user, user) != 0 ||
        syscall(SYS_setresuid, user, user, user) != 0)
        return errno;
    return getuid() == user && open(contain->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0
               ? 0
               : CODE_ALLOWED;
}

static int try_signals(const struct contain *contain, uid_t user)
{
    int error = user != 0 ? try_user(contain, user) : enter_reach(contain);

    if (error != 0)
        return error;
    return kill(getppid(), 0) != 0 && errno == EPERM ? 0 : CODE_ALLOWED;
}

static int try_scratch(const struct contain *contain)
{
    char *path = scratch_make(contain->root, "trial", 0);
    int error = path != NULL && scratch_remove(path) == 0 ? 0 : errno;

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

/* What the program in the bubble wrote to stderr, without its line end. */
static void read_complaint(const struct spawned *spawned, struct contain_fact *fact)
{
    ssize_t length = read(spawned->stderr_fd, fact->why, sizeof fact->why - 1);

    fact->why[length > 0 ? length : 0] = '\0';
    fact->why[strcspn(fact->why, "\n")] = '\0';
    if (fact->why[0] == '\0')
        (void)snprintf(fact->why, sizeof fact->why, "bwrap failed without a word");
}

/* Whether a shell in a bubble runs, and does not see our folder. */
static void try_namespaces(struct contain *contain)
{
    struct contain_fact *fact = &contain->facts[CONTAIN_NAMESPACES];
    char script[WORD_BYTES];
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    struct spawn_order order = {.argv = argv, .core = -1, .contain = contain};
    enum contain_level level = contain->level;
    struct spawned spawned;
    struct pollfd end = {.events = POLLIN};
    siginfo_t info = {0};

    (void)snprintf(script, sizeof script, "test ! -e '%s' && exit %d", contain->root, CODE_SEALED);
    contain->level = CONTAIN_SEALED;
    if (spawn_start(&spawned, &order) != 0 || spawned.error != 0) {
        (void)snprintf(fact->why, sizeof fact->why, "bwrap: %s", strerror(errno));
    } else {
        end.fd = spawned.pidfd;
        if (poll(&end, 1, BUBBLE_MS) == 0)
            (void)kill(spawned.pid, SIGKILL);
        (void)waitid(P_PIDFD, (id_t)spawned.pidfd, &info, WEXITED);
        fact->works = info.si_code == CLD_EXITED && info.si_status == CODE_SEALED;
        if (!fact->works)
            read_complaint(&spawned, fact);
        spawn_end(&spawned);
    }
    contain->level = level;
}

static void conclude(struct contain *contain, enum contain_part part, int error)
{
    struct contain_fact *fact = &contain->facts[part];

    fact->works = error == 0;
    if (error == CODE_ALLOWED)
        (void)snprintf(fact->why, sizeof fact->why, "it was set up, but forbids nothing");
    else if (error == CODE_KILLED)
        (void)snprintf(fact->why, sizeof fact->why, "the trial was killed");
    else if (error != 0)
        (void)snprintf(fact->why, sizeof fact->why, "%s", strerror(error));
}

static void remark(struct contain *contain, enum contain_part part, const char *words)
{
    (void)snprintf(contain->facts[part].why, sizeof contain->facts[part].why, "%s", words);
}

static void try_landlock(struct contain *contain, uid_t user)
{
    char words[100];

    if (contain->abi == 0) {
        conclude(contain, CONTAIN_FILES, ENOSYS);
        remark(contain, CONTAIN_FILES, "this kernel has no Landlock, or it is switched off");
    } else {
        conclude(contain, CONTAIN_FILES, in_child(try_files, contain, 0));
        (void)snprintf(words, sizeof words, "Landlock, version %d", contain->abi);
        if (contain->facts[CONTAIN_FILES].works)
            remark(contain, CONTAIN_FILES, words);
    }
    if (user == 0 && contain->abi < REACH_ABI_SCOPED)
        remark(contain, CONTAIN_SIGNALS, "needs root, or Landlock 6 (Linux 6.12)");
    else
        conclude(contain, CONTAIN_SIGNALS, in_child(try_signals, contain, user));
}

static void try_own_user(struct contain *contain, uid_t user)
{
    if (user != 0)
        conclude(contain, CONTAIN_USER, in_child(try_user, contain, user));
    else if (geteuid() != 0)
        remark(contain, CONTAIN_USER, "only root can give each bot a user; they run as yours");
    else
        remark(contain, CONTAIN_USER, "no user number could be locked in /run/referee.uids");
}

void contain_try_all(struct contain *contain)
{
    uid_t user = contain->leases.fd >= 0 ? lease_take(&contain->leases) : 0;

    try_own_user(contain, user);
    conclude(contain, CONTAIN_LIMITS, in_child(try_limits, contain, 0));
    if (contain->facts[CONTAIN_LIMITS].works && user == 0)
        remark(contain, CONTAIN_LIMITS,
               "but the limit on processes counts all that your user has, not each bot");
    conclude(contain, CONTAIN_MEMORY, usage_memory_kb(getpid(), 0) > 0 ? 0 : ENOENT);
    conclude(contain, CONTAIN_SCRATCH, contain->root != NULL ? try_scratch(contain) : EACCES);
    conclude(contain, CONTAIN_SWEEP, sweep_is_possible() ? 0 : ENOSYS);
    conclude(contain, CONTAIN_HIDDEN, try_hidden());
    conclude(contain, CONTAIN_FILTER,
             contain->filter.program.len > 0 ? in_child(try_filter, contain, 0) : ENOSYS);
    try_landlock(contain, user);
    lease_give(&contain->leases, user);
    if (contain->bubble == NULL)
        remark(contain, CONTAIN_NAMESPACES, "there is no program bwrap (package bubblewrap)");
    else if (contain->facts[CONTAIN_SCRATCH].works && contain->facts[CONTAIN_FILTER].works)
        try_namespaces(contain);
    else
        remark(contain, CONTAIN_NAMESPACES, "not tried, because scratch or filter does not work");
}
