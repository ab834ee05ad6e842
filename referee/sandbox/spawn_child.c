/* The child shares our memory until it runs its own program (vfork), because copying our page
 * tables would cost more than everything else here. So it runs one function that allocates nothing,
 * takes no lock and only makes system calls, while all signals are blocked: no handler of ours may
 * run in it. The error of a failed exec comes back through the shared memory.
 *
 * The library's vfork() knows nothing of groups, so where we know how to make a system call without
 * a function around it (which would return twice on one stack), the child is born in its group.
 * Elsewhere it moves there, which takes longer. */

#include "sandbox/spawn.h"

#include "base/cpu.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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

/* Moves into the groups that it was not born in. Returns 0 or an errno. */
static int join_groups(const struct cgroup_door *door)
{
    for (enum cgroup_kind kind = 0; kind < CGROUP_KINDS; kind++)
        if (door->join_fds[kind] >= 0 && syscall(SYS_write, door->join_fds[kind], "0", 1) != 1)
            return errno;
    return 0;
}

static _Noreturn void become_program(struct spawn *spawn)
{
    (void)setsid();
    spawn->error = join_groups(&spawn->door);
    spawn->is_jail_wrong = spawn->error != 0;
    if (spawn->is_jail_wrong)
        give_up_child(spawn, spawn->error);
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

#if !CGROUP_IS_BIRTH_POSSIBLE
#define vfork_into(how) ((void)(how), -ENOSYS)
#elif defined(__x86_64__)
/* vfork() into a group. In the child this returns 0 on the stack of its parent, which waits. */
static inline __attribute__((always_inline)) long vfork_into(const struct clone_args *how)
{
    long result = SYS_clone3;

    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "D"(how), "S"(sizeof *how)
                     : "rcx", "r11", "memory");
    return result;
}
#else
static inline __attribute__((always_inline)) long vfork_into(const struct clone_args *how)
{
    register long number __asm__("x8") = SYS_clone3;
    register long result __asm__("x0") = (long)how;
    register long size __asm__("x1") = sizeof *how;

    __asm__ volatile("svc 0" : "+r"(result) : "r"(number), "r"(size) : "memory");
    return result;
}
#endif

static __attribute__((noinline)) pid_t start_in_group(struct spawn *spawn)
{
    struct clone_args how = {.flags = CLONE_VM | CLONE_VFORK | CLONE_INTO_CGROUP,
                             .exit_signal = SIGCHLD,
                             .cgroup = (__u64)spawn->door.unified_fd};
    long pid = vfork_into(&how);

    if (pid == 0)
        become_program(spawn);
    if (pid > 0)
        return (pid_t)pid;
    errno = (int)-pid;
    return -1;
}

static __attribute__((noinline)) pid_t start_anywhere(struct spawn *spawn)
{
    pid_t pid = vfork();

    if (pid == 0)
        become_program(spawn);
    return pid;
}

static pid_t start_child(struct spawn *spawn)
{
    return spawn->door.unified_fd >= 0 ? start_in_group(spawn) : start_anywhere(spawn);
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
