/* Of the bank, which has to last for the whole match, each question gets a small part. */

#include "strong/pace.h"

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
    int64_t budget = pace_budget_us(terms);
    int64_t wall = terms->is_fair ? FAIR_WALL_TIMES * terms->limit_ms * INT64_C(1000) : budget;

    pace->now = now;
    pace->context = context;
    pace->end_us[PACE_WALL] = now(PACE_WALL, context) + wall;
    pace->end_us[PACE_CPU] = now(PACE_CPU, context) + budget;
}

bool pace_is_over(void *context)
{
    const struct pace *pace = context;

    for (unsigned clock = 0; clock < PACE_CLOCKS; clock++) {
        if (pace->now((enum pace_clock)clock, pace->context) >= pace->end_us[clock])
            return true;
    }
    return false;
}

int64_t pace_now(enum pace_clock clock, void *context)
{
    static const clockid_t clocks[PACE_CLOCKS] = {
        [PACE_WALL] = CLOCK_MONOTONIC, [PACE_CPU] = CLOCK_PROCESS_CPUTIME_ID};
    struct timespec time;

    (void)context;
    clock_gettime(clocks[clock], &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}
