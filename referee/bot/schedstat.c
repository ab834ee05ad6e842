/* /proc/thread-self/schedstat holds, in nanoseconds, how long a thread has run and how long it was
 * ready to run and did not; /proc/stat holds what the host took. Nothing here can fail: what cannot
 * be read counts as nothing. */

#include "bot/schedstat.h"

#include "sandbox/procfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file has a line for each core, and long ones after them. */
#define STAT_BYTES 65536
#define FIRST_LINE_BYTES 256

/* For so long after the counter has moved, it may be about to move again. */
#define RECENT_US 2000000

/* Whether the host of this machine takes time from it, as far as we have looked. */
static enum { THEFT_UNKNOWN, THEFT_NONE, THEFT_SEEN } theft;

int64_t schedstat_own_us(void)
{
    char line[100];
    char *end;
    long long cpu_ns;

    if (!procfs_read("/proc/thread-self/schedstat", line, sizeof line))
        return 0;
    cpu_ns = strtoll(line, &end, 10);
    return (cpu_ns + strtoll(end, NULL, 10)) / 1000;
}

/* Finds the line of a core, or the first one, which is about all of them. */
static const char *find_line(const char *lines, int core)
{
    char name[16];

    if (core < 0)
        return lines;
    (void)snprintf(name, sizeof name, "\ncpu%d ", core);
    lines = strstr(lines, name);
    return lines != NULL ? lines + 1 : NULL;
}

int64_t schedstat_stolen_us(int core)
{
    static char lines[STAT_BYTES];
    long long ticks = 0;
    const char *line = NULL;

    if (procfs_read("/proc/stat", lines, core < 0 ? FIRST_LINE_BYTES : sizeof lines))
        line = find_line(lines, core);
    /* The eighth figure. */
    if (line == NULL || sscanf(line, "%*s %*s %*s %*s %*s %*s %*s %*s %lld", &ticks) != 1)
        return 0;
    if (ticks > 0 || theft == THEFT_UNKNOWN)
        theft = ticks > 0 ? THEFT_SEEN : THEFT_NONE;
    return (int64_t)ticks * SCHEDSTAT_STEP_US;
}

int64_t schedstat_stolen_before_us(int core)
{
    return theft == THEFT_NONE ? 0 : schedstat_stolen_us(core);
}

int64_t schedstat_stolen_since_us(int core, int64_t before_us, int64_t now_us)
{
    static int64_t moved_us;
    int64_t stolen_us = schedstat_stolen_us(core) - before_us;

    if (stolen_us > 0)
        moved_us = now_us;
    if (moved_us == 0 || now_us - moved_us > RECENT_US)
        return 0;
    return stolen_us + SCHEDSTAT_STEP_US;
}
