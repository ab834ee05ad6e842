#ifndef TESTS_HOSTILE_CHEAT_H
#define TESTS_HOSTILE_CHEAT_H

/* What those share that try to get more CPU time than the limit of a question. They use 18 times
 * their limit at each question; with the argument `ramp` six tenths of it at the first question,
 * and a tenth more at each later one. Before each answer they say on stderr what they have used. */

#include "hostile.h"

#include <time.h>

static inline long thread_cpu_us(void)
{
    struct timespec used;

    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

/* Uses that much CPU time in the calling thread. */
static inline void burn_us(long us)
{
    long start_us = thread_cpu_us();

    while (thread_cpu_us() - start_us < us)
        continue;
}

/* Cheats at every question. `burn` uses that much CPU time, somehow. */
static inline _Noreturn void cheat(int argc, char **argv, void (*burn)(long us))
{
    int is_ramp = argc > 1 && strcmp(argv[1], "ramp") == 0;
    long limit_ms = 0;
    char line[LINE_BYTES];

    say_hello();
    for (long tenths = is_ramp ? 6 : 180;; tenths += is_ramp ? 1 : 0) {
        do {
            read_line(line);
            (void)sscanf(line, "legal %399[^|]", legal_answer);
        } while (sscanf(line, "ask %31s %*s %ld", question_id, &limit_ms) != 2);
        burn(limit_ms * 100 * tenths);
        (void)fprintf(stderr, "used %ld percent\n", tenths * 10);
        answer();
    }
}

#endif
