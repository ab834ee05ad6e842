#ifndef TESTS_HOSTILE_ATTACK_H
#define TESTS_HOSTILE_ATTACK_H

/* What the attackers share. They attack at their first question, report the outcome in one line
 * on stderr, and keep playing. An attack that succeeds does no harm: it gives back what it takes,
 * sends only signal 0, and stops at a fixed size. Attackers that could still harm the machine call
 * require_limits() first. */

#include "hostile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* A higher hard limit of processes counts as none. */
#define PROCESSES_MAX 4096

/* The memory limit that each process sets for itself. */
#define MEMORY_MAX_BYTES (2ULL << 30)

/* How long an attacker that has taken too much waits to be killed. */
#define WAIT_SECONDS 60

/* No process of an attacker lives longer than this. */
#define LIFE_SECONDS 120

/* What the attack gained first, and the error of its last failure. ESRCH and ENOENT do not replace
 * another error. */
static char attack_gain[4096 + 1];
static int attack_error;

/* Records one attempt. `result` is that of a system call: if it is negative, errno says why.
 * Returns whether the call succeeded. */
static inline bool note_result(const char *what, long result)
{
    if (result < 0 && (attack_error == 0 || (errno != ESRCH && errno != ENOENT)))
        attack_error = errno;
    if (result >= 0 && attack_gain[0] == '\0')
        (void)snprintf(attack_gain, sizeof attack_gain, "%s", what);
    return result >= 0;
}

static inline bool note_refusal(const char *what, int error)
{
    errno = error;
    return note_result(what, -1);
}

static inline void report_attack(void)
{
    const char *error = attack_error != 0 ? strerrorname_np(attack_error) : "nothing found";

    if (attack_gain[0] != '\0')
        (void)fprintf(stderr, "attack %s: succeeded (%s)\n", program_invocation_short_name,
                      attack_gain);
    else
        (void)fprintf(stderr, "attack %s: refused (%s)\n", program_invocation_short_name, error);
}

/* Says hello and waits for the first question, at which the attack starts. */
static inline void start_attack(void)
{
    say_hello();
    wait_for_question();
}

/* For an attacker that has taken too much: if it is not killed, `what` is its gain. */
static inline void wait_to_be_killed(const char *what)
{
    (void)sleep(WAIT_SECONDS);
    (void)note_result(what, 0);
}

static inline _Noreturn void report_and_keep_playing(void)
{
    report_attack();
    keep_playing();
}

/* The referee, or 0 if it is not visible from here. */
static inline pid_t referee_pid(void)
{
    return getppid() > 1 ? getppid() : 0;
}

/* Opens /proc/PID/NAME for reading. */
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

/* Runs `attack`, which returns 0 or an error, in a child: the end of the child gives back what
 * it got, and a signal kills only the child. */
static inline void try_in_child(const char *what, int (*attack)(void))
{
    int status = 0;
    pid_t child = fork();

    if (child == 0)
        _exit(attack());
    if (child < 0 || waitpid(child, &status, 0) < 0)
        (void)note_result(what, -1);
    else if (WIFSIGNALED(status))
        (void)note_refusal(what, WTERMSIG(status) == SIGSYS ? ENOSYS : EFAULT);
    else if (WEXITSTATUS(status) != 0)
        (void)note_refusal(what, WEXITSTATUS(status));
    else
        (void)note_result(what, 0);
}

/* For children that keep running: they end when they are killed, or after LIFE_SECONDS. */
static inline _Noreturn void linger(void)
{
    (void)alarm(LIFE_SECONDS);
    wait_forever();
}

/* Ends the program unless hard limits apply: one of processes must exist already and does not bind
 * root; the one of memory it sets itself. */
static inline void require_limits(void)
{
    struct rlimit processes;
    struct rlimit memory = {MEMORY_MAX_BYTES, MEMORY_MAX_BYTES};

    (void)alarm(LIFE_SECONDS);
    if (getuid() != 0 && getrlimit(RLIMIT_NPROC, &processes) == 0 &&
        processes.rlim_max <= PROCESSES_MAX && setrlimit(RLIMIT_DATA, &memory) == 0)
        return;
    (void)fprintf(stderr, "%s runs only under hard limits on processes and memory\n",
                  program_invocation_short_name);
    exit(77);
}

/* The folder that a bot may write to: TMPDIR, or else its working directory. */
static inline const char *scratch_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder != NULL ? folder : ".";
}

/* The folder that the first argument names as `folder=PATH`. A bare PATH would not do: the sandbox
 * gives a bot access to the paths on its command line. */
static inline const char *folder_argument(int argc, char **argv)
{
    const char *sign = argc > 1 ? strchr(argv[1], '=') : NULL;

    return sign != NULL ? sign + 1 : "..";
}

#endif
