/* Forks as often as it is let, and its children stay. It stops at 500. */

#include "attack.h"

#define CHILDREN 500

int main(void)
{
    demand_limits();
    await_moment();
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();

        if (child == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            linger();
        }
        if (child < 0) {
            (void)refused("a process", errno);
            conclude_and_play_on();
        }
    }
    (void)tried("500 processes", 0);
    conclude_and_play_on();
}
