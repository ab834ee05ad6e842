/* The child borrows our memory until it runs its own program (vfork), because copying our page tables
 * would cost more than everything else here. So it runs one function that allocates nothing, takes no
 * lock and only makes system calls, while all signals are blocked: no handler of ours may run in it.
 * The error of a failed exec comes back through that shared memory. All descriptors are
 * close-on-exec from their first moment, so that no bot inherits a pipe of another. */

#include "bot/spawn.h"

#include "bot/cell.h"
#include "bot/contain.h"
#include "bot/environment.h"
#include "bot/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_DEFAULT "/usr/local/bin:/usr/bin:/bin"
#define STREAMS 3

/* What the child has to know, made ready before it exists. */
struct plan {
    const char *path;
    char *const *argv;
    char *const *environment;
    char **own_environment;  /* the same, if it is ours to free */
    const char *folder;      /* or NULL */
    const struct cell *cell; /* or NULL */
    int fds[STREAMS];        /* to become its 0, 1 and 2 */
    int passed_fd;           /* to become its 3; -1: none */
    pid_t parent;
    rlim_t data_bytes; /* RLIM_INFINITY: no limit */
    int core;
    volatile int error;
    volatile bool is_folder_wrong;
    volatile bool is_cell_wrong;
};

static void forget_signals(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    for (int signal = 1; signal < NSIG; signal++)
        (void)sigaction(signal, &action, NULL);
    (void)sigprocmask(SIG_SETMASK, &action.sa_mask, NULL);
}

static void limit_and_pin(const struct plan *plan)
{
    struct rlimit no_core = {0, 0};
    struct rlimit data = {plan->data_bytes, plan->data_bytes};
    cpu_set_t cores;

    (void)setrlimit(RLIMIT_CORE, &no_core);
    if (plan->data_bytes != RLIM_INFINITY)
        (void)setrlimit(RLIMIT_DATA, &data);
    if (plan->core < 0)
        return;
    CPU_ZERO(&cores);
    CPU_SET((size_t)plan->core, &cores);
    (void)sched_setaffinity(0, sizeof cores, &cores);
}

static _Noreturn void give_up_child(struct plan *plan, int error)
{
    plan->error = error;
    _exit(127);
}

static void keep_descriptors(const struct plan *plan)
{
    unsigned first = STREAMS;

    if (plan->passed_fd == STREAMS)
        (void)fcntl(plan->passed_fd, F_SETFD, 0);
    else if (plan->passed_fd >= 0)
        (void)dup2(plan->passed_fd, STREAMS);
    if (plan->passed_fd >= 0)
        first++;
    (void)close_range(first, ~0U, 0);
}

static _Noreturn void become_program(struct plan *plan)
{
    (void)setsid();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* If we ended before that request was made, it comes too late. */
    if (getppid() != plan->parent)
        _exit(127);
    for (int i = 0; i < STREAMS; i++)
        (void)dup2(plan->fds[i], i);
    limit_and_pin(plan);
    forget_signals();
    plan->is_folder_wrong = plan->folder != NULL && chdir(plan->folder) != 0;
    if (plan->is_folder_wrong)
        give_up_child(plan, errno);
    plan->error = plan->cell != NULL ? cell_enter(plan->cell) : 0;
    plan->is_cell_wrong = plan->error != 0;
    if (plan->is_cell_wrong)
        give_up_child(plan, plan->error);
    keep_descriptors(plan);
    execve(plan->path, plan->argv, plan->environment);
    give_up_child(plan, errno);
}

static __attribute__((noinline)) pid_t start_child(struct plan *plan)
{
    pid_t pid = vfork();

    if (pid == 0)
        become_program(plan);
    return pid;
}

static pid_t start_quietly(struct plan *plan)
{
    sigset_t all;
    sigset_t before;
    pid_t pid;
    int error;

    sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, &before);
    pid = start_child(plan);
    error = errno;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return pid;
}

static bool is_program(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

int spawn_find(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    struct span rest = span_of(folders != NULL ? folders : PATH_DEFAULT);
    struct text text;

    text_start(&text, path, PATH_MAX);
    if (strchr(name, '/') != NULL || *name == '\0') {
        text_add(&text, name);
        return text.is_cut ? ENAMETOOLONG : 0;
    }
    while (rest.start != NULL) {
        struct span folder = span_cut(&rest, ':');

        text_start(&text, path, PATH_MAX);
        text_add_bytes(&text, folder.start, folder.length);
        text_add(&text, folder.length > 0 ? "/" : "./");
        text_add(&text, name);
        if (!text.is_cut && is_program(path))
            return 0;
    }
    return ENOENT;
}

/* A pipe whose ends stay clear of 0, 1 and 2, which the child fills one after the other. */
static int open_pipe(int fds[2])
{
    int low[2];

    if (pipe2(low, O_CLOEXEC) != 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        fds[i] = low[i] < STREAMS ? fcntl(low[i], F_DUPFD_CLOEXEC, STREAMS) : low[i];
        if (fds[i] != low[i])
            close(low[i]);
    }
    return fds[0] < 0 || fds[1] < 0 ? -1 : 0;
}

static void close_if_open(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Opens the three pipes: our ends into `spawned`, the child's into `plan`. */
static int open_streams(struct spawned *spawned, struct plan *plan)
{
    int *ours[STREAMS] = {&spawned->stdin_fd, &spawned->stdout_fd, &spawned->stderr_fd};

    for (int i = 0; i < STREAMS; i++) {
        int ends[2] = {-1, -1};
        int failed = open_pipe(ends);

        *ours[i] = ends[i == 0 ? 1 : 0];
        plan->fds[i] = ends[i == 0 ? 0 : 1];
        /* Only our end does not block: each end of a pipe has flags of its own. */
        if (failed || fcntl(*ours[i], F_SETFL, O_NONBLOCK) != 0)
            return -1;
    }
    return 0;
}

static void close_spawned(struct spawned *spawned)
{
    close_if_open(&spawned->stdin_fd);
    close_if_open(&spawned->stdout_fd);
    close_if_open(&spawned->stderr_fd);
}

/* Whether exec failed for want of something that is not the program's to have. */
static bool is_worlds(int error)
{
    return error == ENOMEM || error == EAGAIN || error == EMFILE || error == ENFILE;
}

/* Takes back a child that did not become the program. Returns what spawn_start() does. */
static int give_up(struct spawned *spawned, int error)
{
    if (spawned->pid > 0) {
        (void)kill(spawned->pid, SIGKILL);
        while (waitpid(spawned->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    spawned->pid = -1;
    close_spawned(spawned);
    cell_free(spawned->cell);
    spawned->cell = NULL;
    spawned->error = error;
    errno = error;
    return is_worlds(error) ? -1 : 0;
}

void spawn_end(struct spawned *spawned)
{
    sweep_discharge(spawned->pid);
    close_if_open(&spawned->pidfd);
    close_spawned(spawned);
    if (spawned->cell != NULL)
        cell_sweep(spawned->cell);
    cell_free(spawned->cell);
    spawned->cell = NULL;
}

static int run_plan(struct spawned *spawned, struct plan *plan)
{
    spawned->pid = start_quietly(plan);
    if (spawned->pid < 0) {
        (void)give_up(spawned, errno);
        return -1;
    }
    spawned->is_folder_wrong = plan->is_folder_wrong;
    if (plan->error != 0) {
        int result = give_up(spawned, plan->error);

        return plan->is_cell_wrong ? -1 : result;
    }
    sweep_enlist(spawned->pid);
    spawned->pidfd = (int)syscall(SYS_pidfd_open, spawned->pid, 0);
    if (spawned->pidfd < 0) {
        (void)give_up(spawned, errno);
        return -1;
    }
    return 0;
}

static struct plan plan_of(const struct spawn_order *order, const struct cell *cell,
                           const char *path)
{
    struct plan plan = {
        .path = path,
        .argv = (char *const *)order->argv,
        .folder = order->folder,
        .cell = cell,
        .passed_fd = -1,
        .parent = getpid(),
        .data_bytes = RLIM_INFINITY,
        .core = order->core,
    };

    memset(plan.fds, -1, sizeof plan.fds);
    if (cell != NULL) {
        plan.path = cell_program(cell);
        plan.argv = cell_argv(cell);
        plan.environment = cell_environment(cell);
        plan.folder = cell_folder(cell);
        plan.passed_fd = cell_passed_fd(cell);
    } else {
        plan.own_environment = environment_merge(environ, order->environment);
        plan.environment = plan.own_environment;
    }
    if (order->memory_mb > 0)
        plan.data_bytes = (rlim_t)order->memory_mb * 1024 * 1024;
    return plan;
}

static void plan_free(struct plan *plan)
{
    int error = errno;

    for (int i = 0; i < STREAMS; i++)
        close_if_open(&plan->fds[i]);
    free(plan->own_environment);
    errno = error;
}

int spawn_start(struct spawned *spawned, const struct spawn_order *order)
{
    struct plan plan;
    char path[PATH_MAX];
    int result = -1;
    int error;

    *spawned = (struct spawned){-1, -1, -1, -1, -1, 0, false, NULL};
    error = spawn_find(order->argv[0], path);
    if (error != 0)
        return give_up(spawned, error);
    if (contain_level(order->contain) != CONTAIN_NONE) {
        spawned->cell = cell_open(order);
        if (spawned->cell == NULL)
            return -1;
    }
    plan = plan_of(order, spawned->cell, path);
    if (open_streams(spawned, &plan) == 0)
        result = run_plan(spawned, &plan);
    else
        (void)give_up(spawned, errno);
    plan_free(&plan);
    return result;
}
