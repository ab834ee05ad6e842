/* The kernel counts what each core did, in hundredths of a second, in a line "cpuN user nice system
 * idle iowait irq softirq steal …" of /proc/stat. Time that a hypervisor withholds from a guest
 * (steal) is not idle. */

#include "tournament/play/cpu_idle.h"

#include <stdio.h>
#include <string.h>

#define FIELDS 8
#define FIELD_IDLE 3
#define FIELD_WAITING 4

static int read_ticks(struct cpu_idle *idle)
{
    char line[512];
    char name[24];
    FILE *file = fopen("/proc/stat", "re");
    unsigned long long ticks[FIELDS];
    int found = 0;

    if (file == NULL)
        return -1;
    snprintf(name, sizeof name, "cpu%d ", idle->cpu);
    while (found != FIELDS && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0)
            found =
                sscanf(line + strlen(name), "%llu %llu %llu %llu %llu %llu %llu %llu", &ticks[0],
                       &ticks[1], &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]);
    }
    fclose(file);
    if (found != FIELDS)
        return -1;
    idle->idle_ticks = ticks[FIELD_IDLE] + ticks[FIELD_WAITING];
    idle->all_ticks = 0;
    for (int i = 0; i < FIELDS; i++)
        idle->all_ticks += ticks[i];
    return 0;
}

int cpu_idle_start(struct cpu_idle *idle, int cpu)
{
    idle->cpu = cpu;
    return cpu < 0 ? -1 : read_ticks(idle);
}

double cpu_idle_share(struct cpu_idle *idle)
{
    struct cpu_idle before = *idle;

    if (read_ticks(idle) != 0 || idle->all_ticks <= before.all_ticks)
        return 0;
    return (double)(idle->idle_ticks - before.idle_ticks) /
           (double)(idle->all_ticks - before.all_ticks);
}
