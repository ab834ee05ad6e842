#ifndef REFEREE_BOT_SCHEDSTAT_H
#define REFEREE_BOT_SCHEDSTAT_H

/* How long a bot and the referee itself have run and waited to run, as the kernel counts it. */

#include "bot/clock_rule.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Threads beyond these are not looked at: their waiting is then charged like any other time. */
#define SCHEDSTAT_THREADS_MAX 64

struct schedstat_thread {
    pid_t tid;
    int64_t cpu_ns;
    int64_t wait_ns;
};

/* The counters of all threads of a process and of its descendants at one moment. */
struct schedstat {
    int64_t at_us;
    unsigned count;
    bool is_waiting; /* one of them is ready to run (or runs just now) */
    bool has_waits;  /* the kernel keeps run-queue waits and shows them to us */
    struct schedstat_thread threads[SCHEDSTAT_THREADS_MAX];
};

/* Reads the counters. A process that is gone gives none. */
void schedstat_take(struct schedstat *probe, pid_t pid);

/* What was used between two probes; threads that ended meanwhile are left out, those that began
 * count from their beginning. Without waits two thirds of the time between count as waiting, which
 * gives a bot three times its limit. Does not set `wall_us` and `own_wait_us`. */
void schedstat_compare(const struct schedstat *before, const struct schedstat *after,
                       struct clock_rule_sample *sample);

/* How long the calling thread has run or waited to run since it began: the time in which it could
 * not have listened to a bot. */
int64_t schedstat_own_us(void);

/* How long the host of a virtual machine has kept it from running since it began, by a counter that
 * moves in steps of SCHEDSTAT_STEP_US; 0 on other machines. The first is for the beginning of a
 * question and costs nothing where nothing was ever taken; the second reads the counter. */
#define SCHEDSTAT_STEP_US 10000
int64_t schedstat_stolen_before_us(void);
int64_t schedstat_stolen_us(void);

#endif
