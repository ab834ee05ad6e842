/* Its grandchildren ignore every signal, watch each other, and start the next one before they end. */

#include "attack.h"

#define GENERATIONS 200

int main(void)
{
    await_moment();
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
    play_on();
}
