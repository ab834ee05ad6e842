/* Asks whether it may signal its neighbours. It is signal 0, so it hurts nobody. */

#include "attack.h"

#define NEAR 100

int main(void)
{
    pid_t self = getpid();

    await_moment();
    for (pid_t pid = self > NEAR ? self - NEAR : 2; pid < self + NEAR; pid++) {
        if (pid != self && pid != getppid())
            (void)tried("a signal to a neighbour", kill(pid, 0));
    }
    conclude_and_play_on();
}
