/* What the kernel knows as affinity. */

#include "base/core.h"

#include <sched.h>

_Static_assert(CORE_MAX == CPU_SETSIZE, "a core has no room in the list");

unsigned core_list(int cores[CORE_MAX])
{
    cpu_set_t set;
    unsigned count = 0;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 0;
    for (int core = 0; core < CORE_MAX; core++) {
        if (CPU_ISSET((size_t)core, &set))
            cores[count++] = core;
    }
    return count;
}

void core_stay_on(int core)
{
    cpu_set_t cores;

    if (core < 0)
        return;
    CPU_ZERO(&cores);
    CPU_SET((size_t)core, &cores);
    (void)sched_setaffinity(0, sizeof cores, &cores);
}
