/* Gives the first legal answer after some milliseconds of CPU time or sleep: `slow_bot burn 5`.
 * With `threads` the CPU time is used by three threads that wait for each other now and then. */

#include "support/bench_bot.h"

#include <pthread.h>
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

#define THREADS 3

static void *burn_share(void *until)
{
    while (cpu_us() < *(long *)until)
        continue;
    return NULL;
}

/* They stop when all of them together have used the time. */
static void burn_in_threads(void)
{
    long until = cpu_us() + duration_us;
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, burn_share, &until) != 0)
            exit(1);
    for (int i = 0; i < THREADS; i++)
        (void)pthread_join(threads[i], NULL);
}

static void sleep_first(void)
{
    struct timespec time = {duration_us / 1000000, duration_us % 1000000 * 1000};

    nanosleep(&time, NULL);
}

static void (*way_of(const char *name))(void)
{
    if (strcmp(name, "threads") == 0)
        return burn_in_threads;
    return strcmp(name, "burn") == 0 ? burn : sleep_first;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    duration_us = strtol(argv[2], NULL, 10) * 1000;
    return bench_bot_run(way_of(argv[1]));
}
