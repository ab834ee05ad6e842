/* The child shares our memory until it runs its own program (vfork), because copying our page
 * tables would cost more than everything else here. So it runs one function that allocates nothing,
 * takes no lock and only makes system calls, while all signals are blocked: no handler of ours may
 * run in it. The error of a failed exec comes back through the shared memory. */

#include "sandbox/spawn.h"

#include "base/cpu.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static void forget_signals(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    for (int signal = 1; signal < NSIG; signal++)
        (void)sigaction(signal, &action, NULL);
    (void)sigprocmask(SIG_SETMASK, &action.sa_mask, NULL);
}

static void limit_and_pin(const struct spawn *spawn)
{
    rlim_t bytes = (rlim_t)spawn->memory_mb * 1024 * 1024;
    struct rlimit none = {0, 0};
    struct rlimit data = {bytes, bytes};

    (void)setrlimit(RLIMIT_CORE, &none);
    if (bytes > 0)
        (void)setrlimit(RLIMIT_DATA, &data);
    cpu_pin(spawn->cpu);
}

static _Noreturn void give_up_child(struct spawn *spawn, int error)
{
    spawn->error = error;
    _exit(127);
}

static void keep_descriptors(const struct spawn *spawn)
{
    unsigned first = SPAWN_STREAMS;

    if (spawn->command.passed_fd == SPAWN_STREAMS)
        (void)fcntl(spawn->command.passed_fd, F_SETFD, 0);
    else if (spawn->command.passed_fd >= 0)
        (void)dup2(spawn->command.passed_fd, SPAWN_STREAMS);
    if (spawn->command.passed_fd >= 0)
        first++;
    (void)close_range(first, ~0U, 0);
}

static _Noreturn void become_program(struct spawn *spawn)
{
    (void)setsid();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* If we ended before that request was made, it comes too late. */
    if (getppid() != spawn->parent)
        _exit(127);
    for (int i = 0; i < SPAWN_STREAMS; i++)
        (void)dup2(spawn->fds[i], i);
    limit_and_pin(spawn);
    forget_signals();
    spawn->is_folder_wrong = spawn->command.folder != NULL && chdir(spawn->command.folder) != 0;
    if (spawn->is_folder_wrong)
        give_up_child(spawn, errno);
    spawn->error = spawn->jail != NULL ? jail_enter(spawn->jail) : 0;
    spawn->is_jail_wrong = spawn->error != 0;
    if (spawn->is_jail_wrong)
        give_up_child(spawn, spawn->error);
    keep_descriptors(spawn);
    execve(spawn->command.path, spawn->command.argv, spawn->command.environment);
    give_up_child(spawn, errno);
}

static __attribute__((noinline)) pid_t start_child(struct spawn *spawn)
{
    pid_t pid = vfork();

    if (pid == 0)
        become_program(spawn);
    return pid;
}

pid_t spawn_child(struct spawn *spawn)
{
    sigset_t all;
    sigset_t before;
    pid_t pid;
    int error;

    sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, &before);
    pid = start_child(spawn);
    error = errno;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return pid;
}
