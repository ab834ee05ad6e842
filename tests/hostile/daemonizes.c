/* Goes into the background like a daemon, and plays on from there. */

#include "attack.h"

int main(void)
{
    greet();
    await_question();
    answer();
    if (fork() > 0)
        return 0;
    (void)setsid();
    (void)prctl(PR_SET_PDEATHSIG, 0);
    (void)alarm(LIFE_SECONDS);
    for (;;) {
        await_question();
        /* Not so fast that a short match is over before the end of the first process is known. */
        (void)usleep(20000);
        answer();
    }
}
