/* Goes into the background like a daemon, and plays on from there. */

#include "attack.h"

#include <sched.h>

int main(void)
{
    pid_t parent = getpid();

    greet();
    await_question();
    answer();
    if (fork() > 0)
        return 0;
    (void)setsid();
    (void)prctl(PR_SET_PDEATHSIG, 0);
    (void)alarm(LIFE_SECONDS);
    /* Otherwise a whole short match could be over before the first process has come to its end. */
    while (getppid() == parent)
        (void)sched_yield();
    for (;;) {
        await_question();
        answer();
    }
}
