/* The cores of this machine, and the CPU affinity of this process. */

#include "base/cpu.h"

#include <sched.h>

_Static_assert(CPU_MAX == CPU_SETSIZE, "a core has no room in the list");

unsigned cpu_list(int cpus[CPU_MAX])
{
    cpu_set_t set;
    unsigned count = 0;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 0;
    for (int cpu = 0; cpu < CPU_MAX; cpu++) {
        if (CPU_ISSET((size_t)cpu, &set))
            cpus[count++] = cpu;
    }
    return count;
}

int cpu_current(void)
{
    return sched_getcpu();
}

void cpu_pin(int cpu)
{
    cpu_set_t cpus;

    if (cpu < 0)
        return;
    CPU_ZERO(&cpus);
    CPU_SET((size_t)cpu, &cpus);
    (void)sched_setaffinity(0, sizeof cpus, &cpus);
}
