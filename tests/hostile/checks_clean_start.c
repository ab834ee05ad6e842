/* Checks what it inherits from the referee. It complains and exits if anything is wrong, and
 * otherwise plays well. */

#include "hostile.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static void complain_if(int is_wrong, const char *complaint)
{
    if (is_wrong) {
        (void)fprintf(stderr, "%s\n", complaint);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    struct rlimit core;
    struct sigaction action;
    cpu_set_t cores;
    sigset_t blocked;
    int death_signal = 0;

    for (int fd = 3; fd < 1024; fd++)
        complain_if(fcntl(fd, F_GETFD) >= 0, "a descriptor is open");
    for (int number = 1; number < 32; number++)
        complain_if(sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL,
                    "a signal is ignored");
    complain_if(sigprocmask(SIG_SETMASK, NULL, &blocked) != 0 || !sigisemptyset(&blocked),
                "a signal is blocked");
    complain_if(getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_cur != 0, "it may dump core");
    /* In its own process namespace, the session leader that dies with the referee is outside. */
    if (getsid(0) != 0) {
        complain_if(getsid(0) != getpid() || getpgrp() != getpid(),
                    "it is not the leader of its own session");
        complain_if(prctl(PR_GET_PDEATHSIG, &death_signal) != 0 || death_signal != SIGKILL,
                    "it would survive the referee");
    }
    complain_if(sched_getaffinity(0, sizeof cores, &cores) != 0 ||
                    (argc > 1 &&
                     (CPU_COUNT(&cores) != 1 || !CPU_ISSET(strtoul(argv[1], NULL, 10), &cores))),
                "it is not on its core");
    say_hello();
    for (;;) {
        wait_for_question();
        answer();
    }
}
