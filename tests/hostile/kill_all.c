/* Asks whether a signal to everybody would reach anybody. It is signal 0, so it hurts nobody. */

#include "attack.h"

int main(void)
{
    await_moment();
    (void)tried("a signal to everybody", kill(-1, 0));
    conclude_and_play_on();
}
