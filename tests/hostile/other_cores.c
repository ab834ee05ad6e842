/* Runs on every core that it can get. */

#include "attack.h"

#include <sched.h>

int main(void)
{
    cpu_set_t all;

    await_moment();
    CPU_ZERO(&all);
    for (size_t core = 0; core < CPU_SETSIZE; core++)
        CPU_SET(core, &all);
    (void)sched_setaffinity(0, sizeof all, &all);
    play_on();
}
