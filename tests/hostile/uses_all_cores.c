/* Tries to run on every core. */

#include "attack.h"

#include <sched.h>

int main(void)
{
    cpu_set_t all;

    start_attack();
    CPU_ZERO(&all);
    for (size_t core = 0; core < CPU_SETSIZE; core++)
        CPU_SET(core, &all);
    (void)sched_setaffinity(0, sizeof all, &all);
    keep_playing();
}
