/* Gives the first legal answer after some milliseconds of CPU time or sleep: `slow_bot burn 5`. */

#include "support/bench_bot.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static long duration_us;

static long cpu_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void burn(void)
{
    long until = cpu_us() + duration_us;

    while (cpu_us() < until)
        continue;
}

static void sleep_first(void)
{
    struct timespec time = {duration_us / 1000000, duration_us % 1000000 * 1000};

    nanosleep(&time, NULL);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    duration_us = strtol(argv[2], NULL, 10) * 1000;
    return bench_bot_run(strcmp(argv[1], "burn") == 0 ? burn : sleep_first);
}
