/* Leaves a process that ignores every signal and changes its pid and session 200 times: the referee
 * must find and kill it. */

#include "attack.h"

#define GENERATIONS 200

int main(void)
{
    start_attack();
    if (fork() == 0) {
        for (int number = 1; number < NSIG; number++)
            (void)signal(number, SIG_IGN);
        for (int generation = 0; generation < GENERATIONS; generation++) {
            (void)setsid();
            if (fork() > 0)
                _exit(0);
            (void)usleep(1000);
        }
        (void)signal(SIGALRM, SIG_DFL);
        linger();
    }
    keep_playing();
}
