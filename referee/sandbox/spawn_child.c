/* The child borrows our memory until it runs its own program (vfork), because copying our page tables
 * would cost more than everything else here. So it runs one function that allocates nothing, takes no
 * lock and only makes system calls, while all signals are blocked: no handler of ours may run in it.
 * The error of a failed exec comes back through that shared memory. */

#include "sandbox/spawn_private.h"

#include "base/cpu.h"
#include "sandbox/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static void forget_signals(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    for (int signal = 1; signal < NSIG; signal++)
        (void)sigaction(signal, &action, NULL);
    (void)sigprocmask(SIG_SETMASK, &action.sa_mask, NULL);
}

static void limit_and_pin(const struct spawn_plan *plan)
{
    struct rlimit no_cpu = {0, 0};
    struct rlimit data = {plan->data_bytes, plan->data_bytes};

    (void)setrlimit(RLIMIT_CORE, &no_cpu);
    if (plan->data_bytes != RLIM_INFINITY)
        (void)setrlimit(RLIMIT_DATA, &data);
    cpu_pin(plan->cpu);
}

static _Noreturn void give_up_child(struct spawn_plan *plan, int error)
{
    plan->error = error;
    _exit(127);
}

static void keep_descriptors(const struct spawn_plan *plan)
{
    unsigned first = SPAWN_STREAMS;

    if (plan->passed_fd == SPAWN_STREAMS)
        (void)fcntl(plan->passed_fd, F_SETFD, 0);
    else if (plan->passed_fd >= 0)
        (void)dup2(plan->passed_fd, SPAWN_STREAMS);
    if (plan->passed_fd >= 0)
        first++;
    (void)close_range(first, ~0U, 0);
}

static _Noreturn void become_program(struct spawn_plan *plan)
{
    (void)setsid();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* If we ended before that request was made, it comes too late. */
    if (getppid() != plan->parent)
        _exit(127);
    for (int i = 0; i < SPAWN_STREAMS; i++)
        (void)dup2(plan->fds[i], i);
    limit_and_pin(plan);
    forget_signals();
    plan->is_folder_wrong = plan->folder != NULL && chdir(plan->folder) != 0;
    if (plan->is_folder_wrong)
        give_up_child(plan, errno);
    plan->error = plan->jail != NULL ? jail_enter(plan->jail) : 0;
    plan->is_jail_wrong = plan->error != 0;
    if (plan->is_jail_wrong)
        give_up_child(plan, plan->error);
    keep_descriptors(plan);
    execve(plan->path, plan->argv, plan->environment);
    give_up_child(plan, errno);
}

static __attribute__((noinline)) pid_t start_child(struct spawn_plan *plan)
{
    pid_t pid = vfork();

    if (pid == 0)
        become_program(plan);
    return pid;
}

pid_t spawn_child(struct spawn_plan *plan)
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
