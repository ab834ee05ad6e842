/* Starting programs: what is to be run is found, pipes are opened, a child is made (spawn_child.c), and what
 * came of it is told. All descriptors are close-on-exec from their first moment, so that no bot inherits
 * a pipe of another. */

#include "sandbox/spawn.h"

#include "sandbox/jail.h"
#include "sandbox/sandbox.h"
#include "sandbox/environment.h"
#include "sandbox/spawn_private.h"
#include "sandbox/reaper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_DEFAULT "/usr/local/bin:/usr/bin:/bin"

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
        fds[i] = low[i] < SPAWN_STREAMS ? fcntl(low[i], F_DUPFD_CLOEXEC, SPAWN_STREAMS) : low[i];
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
static int open_streams(struct spawned *spawned, struct spawn_plan *plan)
{
    int *ours[SPAWN_STREAMS] = {&spawned->stdin_fd, &spawned->stdout_fd, &spawned->stderr_fd};

    for (int i = 0; i < SPAWN_STREAMS; i++) {
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
    jail_free(spawned->jail);
    spawned->jail = NULL;
    spawned->error = error;
    errno = error;
    return is_worlds(error) ? -1 : 0;
}

void spawn_end(struct spawned *spawned)
{
    reaper_forget(spawned->pid);
    close_if_open(&spawned->pidfd);
    close_spawned(spawned);
    if (spawned->jail != NULL)
        jail_sweep(spawned->jail);
    jail_free(spawned->jail);
    spawned->jail = NULL;
}

static int run_plan(struct spawned *spawned, struct spawn_plan *plan)
{
    spawned->pid = spawn_child(plan);
    if (spawned->pid < 0) {
        (void)give_up(spawned, errno);
        return -1;
    }
    spawned->is_folder_wrong = plan->is_folder_wrong;
    if (plan->error != 0) {
        int result = give_up(spawned, plan->error);

        return plan->is_jail_wrong ? -1 : result;
    }
    reaper_except(spawned->pid);
    spawned->pidfd = (int)syscall(SYS_pidfd_open, spawned->pid, 0);
    if (spawned->pidfd < 0) {
        (void)give_up(spawned, errno);
        return -1;
    }
    return 0;
}

static struct spawn_plan plan_of(const struct spawn_order *order, const struct jail *jail,
                                 const char *path)
{
    struct spawn_plan plan = {
        .path = path,
        .argv = (char *const *)order->argv,
        .folder = order->folder,
        .jail = jail,
        .passed_fd = -1,
        .parent = getpid(),
        .data_bytes = RLIM_INFINITY,
        .cpu = order->cpu,
    };

    memset(plan.fds, -1, sizeof plan.fds);
    if (jail != NULL) {
        plan.path = jail_program(jail);
        plan.argv = jail_argv(jail);
        plan.environment = jail_environment(jail);
        plan.folder = jail_folder(jail);
        plan.passed_fd = jail_passed_fd(jail);
    } else {
        plan.own_environment = environment_merge(environ, order->environment);
        plan.environment = plan.own_environment;
    }
    if (order->memory_mb > 0)
        plan.data_bytes = (rlim_t)order->memory_mb * 1024 * 1024;
    return plan;
}

static void plan_free(struct spawn_plan *plan)
{
    int error = errno;

    for (int i = 0; i < SPAWN_STREAMS; i++)
        close_if_open(&plan->fds[i]);
    free(plan->own_environment);
    errno = error;
}

int spawn_start(struct spawned *spawned, const struct spawn_order *order)
{
    struct spawn_plan plan;
    char path[PATH_MAX];
    int result = -1;
    int error;

    *spawned = (struct spawned){-1, -1, -1, -1, -1, 0, false, NULL};
    error = spawn_find(order->argv[0], path);
    if (error != 0)
        return give_up(spawned, error);
    if (sandbox_level(order->sandbox) != SANDBOX_NONE) {
        spawned->jail = jail_open(order);
        if (spawned->jail == NULL)
            return -1;
    }
    plan = plan_of(order, spawned->jail, path);
    if (open_streams(spawned, &plan) == 0)
        result = run_plan(spawned, &plan);
    else
        (void)give_up(spawned, errno);
    plan_free(&plan);
    return result;
}
