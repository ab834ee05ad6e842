/* Moves to the background like a daemon and keeps playing there. */

#include "attack.h"

#define ANSWER_SECONDS 10

int main(void)
{
    say_hello();
    wait_for_question();
    answer();
    if (fork() > 0)
        return 0;
    (void)setsid();
    (void)prctl(PR_SET_PDEATHSIG, 0);
    (void)alarm(LIFE_SECONDS);
    for (;;) {
        wait_for_question();
        /* The referee sees long before that the first process has exited. */
        (void)sleep(ANSWER_SECONDS);
        answer();
    }
}
