/* Opens the memory of the referee in /proc. */

#include "attack.h"

int main(void)
{
    await_moment();
    (void)tried("the memory of the referee", open_proc(referee_pid(), "mem"));
    (void)tried("the mappings of the referee", open_proc(referee_pid(), "maps"));
    conclude_and_play_on();
}
