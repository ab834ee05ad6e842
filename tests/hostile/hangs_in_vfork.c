/* Waits for a child by vfork that never runs anything: a sleep that no signal but SIGKILL ends. */

#include "attack.h"

int main(void)
{
    await_moment();
    if (vfork() == 0)
        stay();
    play_on();
}
