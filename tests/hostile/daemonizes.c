/* Goes into the background like a daemon, and plays on from there. */

#include "attack.h"

#define ANSWER_SECONDS 10

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
        /* Nobody waits for that: the end of the first process is known long before, and ends the match for it. */
        (void)sleep(ANSWER_SECONDS);
        answer();
    }
}
