#ifndef TESTS_HOSTILE_ATTACK_H
#define TESTS_HOSTILE_ATTACK_H

/* What the attackers share. They attack at their first question, say on stderr in one line what came
 * of it, and play on. None of them does harm if it succeeds: what they take they give back, the signal
 * that they send is none, and whatever needs room stops at a stated size. Those that could still hurt
 * a machine begin with demand_limits(). */

#include "hostile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* A hard limit of processes above this is none. Of memory each process gets so much, and no more. */
#define PROCESSES_MOST 4096
#define MEMORY_MOST (2ULL << 30)

/* How long an attacker that has taken too much waits to be stopped. */
#define WAIT_SECONDS 60

/* No process of an attacker lives longer than this, even if nobody ends it. */
#define LIFE_SECONDS 120

/* What the attack gained first, and why it failed: a refusal counts for more than nothing there. */
static char attack_gain[4096 + 1];
static int attack_error;

/* Notes one try: `result` is that of a system call, negative with errno if it was refused. */
static inline bool tried(const char *what, long result)
{
    if (result < 0 && (attack_error == 0 || (errno != ESRCH && errno != ENOENT)))
        attack_error = errno;
    if (result >= 0 && attack_gain[0] == '\0')
        (void)snprintf(attack_gain, sizeof attack_gain, "%s", what);
    return result >= 0;
}

static inline bool refused(const char *what, int error)
{
    errno = error;
    return tried(what, -1);
}

static inline void conclude(void)
{
    const char *error = attack_error != 0 ? strerrorname_np(attack_error) : "nothing to be had";

    if (attack_gain[0] != '\0')
        (void)fprintf(stderr, "attack %s: succeeded (%s)\n", program_invocation_short_name,
                      attack_gain);
    else
        (void)fprintf(stderr, "attack %s: refused (%s)\n", program_invocation_short_name, error);
}

/* The moment of the attack: the first question is there. */
static inline void await_moment(void)
{
    greet();
    await_question();
}

/* It has taken too much: if nobody stops it, that is what it gained. */
static inline void await_end(const char *what)
{
    (void)sleep(WAIT_SECONDS);
    (void)tried(what, 0);
}

static inline _Noreturn void conclude_and_play_on(void)
{
    conclude();
    play_on();
}

/* The referee, or 0 if it cannot be seen from here. */
static inline pid_t referee_pid(void)
{
    return getppid() > 1 ? getppid() : 0;
}

/* Opens NAME of the folder of a process in /proc, for reading. */
static inline int open_proc(pid_t pid, const char *name)
{
    char path[100];

    if (pid == 0) {
        errno = ESRCH;
        return -1;
    }
    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Runs `attack` in a child, so that what it gets is given back at once, and what kills it kills a
 * child. It returns 0 or an error. */
static inline void try_in_child(const char *what, int (*attack)(void))
{
    int status = 0;
    pid_t child = fork();

    if (child == 0)
        _exit(attack());
    if (child < 0 || waitpid(child, &status, 0) < 0)
        (void)tried(what, -1);
    else if (WIFSIGNALED(status))
        (void)refused(what, WTERMSIG(status) == SIGSYS ? ENOSYS : EFAULT);
    else if (WEXITSTATUS(status) != 0)
        (void)refused(what, WEXITSTATUS(status));
    else
        (void)tried(what, 0);
}

/* A process of our own that lives on by itself: it ends with its parent, or soon. */
static inline _Noreturn void linger(void)
{
    (void)alarm(LIFE_SECONDS);
    stay();
}

/* Ends the program unless hard limits hold it: of processes, which must be there and do not bind root,
 * and of memory, which it sets itself. */
static inline void demand_limits(void)
{
    struct rlimit processes;
    struct rlimit memory = {MEMORY_MOST, MEMORY_MOST};

    (void)alarm(LIFE_SECONDS);
    if (getuid() != 0 && getrlimit(RLIMIT_NPROC, &processes) == 0 &&
        processes.rlim_max <= PROCESSES_MOST && setrlimit(RLIMIT_DATA, &memory) == 0)
        return;
    (void)fprintf(stderr, "%s runs only under hard limits of processes and memory\n",
                  program_invocation_short_name);
    exit(77);
}

/* Where a bot may write: its scratch folder, which is its TMPDIR or the folder it runs in. */
static inline const char *scratch_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder != NULL ? folder : ".";
}

/* The folder that the first argument names as `folder=PATH`: in this form, because a path that a command
 * line names is lent to the bot. */
static inline const char *folder_argument(int argc, char **argv)
{
    const char *sign = argc > 1 ? strchr(argv[1], '=') : NULL;

    return sign != NULL ? sign + 1 : "..";
}

#endif
