/* Asks whether it may signal the referee. It is signal 0, so it hurts nobody. */

#include "attack.h"

int main(void)
{
    await_moment();
    if (referee_pid() == 0)
        (void)refused("a signal", ESRCH);
    else
        (void)tried("a signal to the referee", kill(referee_pid(), 0));
    conclude_and_play_on();
}
