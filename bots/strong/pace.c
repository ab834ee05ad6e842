/* Each question gets a small part of the bank, which must last for the whole match. */

#include "strong/pace.h"

#include <stdio.h>
#include <time.h>

#define MARGIN_US 5000    /* kept back from each question, */
#define MARGIN_PART 10    /* and this part of its time; */
#define MARGIN_MOST 40    /* but no more than so many percent of it */
#define BANK_PART 50      /* each question may use this part of the bank */
#define FAIR_WALL_TIMES 2 /* a fair clock is trusted for so many times the limit */

int64_t pace_budget_us(const struct pace_terms *terms)
{
    int64_t limit = terms->limit_ms * INT64_C(1000);
    int64_t own = terms->move_ms * INT64_C(1000);
    int64_t margin;

    if (own <= 0 || own > limit)
        own = limit;
    margin = MARGIN_US + own / MARGIN_PART;
    if (margin > own * MARGIN_MOST / 100)
        margin = own * MARGIN_MOST / 100;
    return own - margin + (limit - own) / BANK_PART;
}

void pace_start(struct pace *pace, const struct pace_terms *terms, pace_now_fn *now, void *context)
{
    pace->now = now;
    pace->context = context;
    pace->is_fair = terms->is_fair;
    pace->budget_us = pace_budget_us(terms);
    pace->wall_us = FAIR_WALL_TIMES * terms->limit_ms * INT64_C(1000);
    for (unsigned clock = 0; clock < PACE_CLOCKS; clock++)
        pace->start_us[clock] = now((enum pace_clock)clock, context);
}

static int64_t since_start(const struct pace *pace, enum pace_clock clock)
{
    return pace->now(clock, pace->context) - pace->start_us[clock];
}

/* As the referee does it: the wall time less the waiting, but never less than the CPU time. The
 * wall comes first because it is cheap to look at, and mostly enough. */
bool pace_is_over(void *context)
{
    const struct pace *pace = context;
    int64_t wall = since_start(pace, PACE_WALL);

    if (wall < pace->budget_us)
        return false;
    if (!pace->is_fair || wall >= pace->wall_us)
        return true;
    return since_start(pace, PACE_CPU) >= pace->budget_us ||
           wall - since_start(pace, PACE_WAIT) >= pace->budget_us;
}

static int64_t read_clock(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/* The second number of schedstat, in nanoseconds. */
static int64_t read_wait(void)
{
    FILE *file = fopen("/proc/self/schedstat", "re");
    long long wait_ns = 0;

    if (file == NULL)
        return 0;
    if (fscanf(file, "%*s %lld", &wait_ns) != 1)
        wait_ns = 0;
    fclose(file);
    return wait_ns / 1000;
}

int64_t pace_now(enum pace_clock clock, void *context)
{
    (void)context;
    switch (clock) {
    case PACE_WALL:
        return read_clock(CLOCK_MONOTONIC);
    case PACE_CPU:
        return read_clock(CLOCK_PROCESS_CPUTIME_ID);
    default:
        return read_wait();
    }
}
