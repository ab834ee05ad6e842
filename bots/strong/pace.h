#ifndef BOTS_STRONG_PACE_H
#define BOTS_STRONG_PACE_H

/* How long to think about a question: most of its time, with a margin for what happens on the way
 * to the referee. With a fair clock the referee does not charge time for which the bot waits for a
 * busy machine, so the bot reads the same counters and keeps thinking. */

#include <stdbool.h>
#include <stdint.h>

enum pace_clock {
    PACE_WALL,
    PACE_CPU,  /* what this process computed, */
    PACE_WAIT, /* and how long it was ready to run but did not; 0 if nobody can tell */
    PACE_CLOCKS,
};

/* The time in microseconds by one of the clocks. */
typedef int64_t pace_now_fn(enum pace_clock clock, void *context);

/* What the referee grants. */
struct pace_terms {
    long limit_ms; /* of this question, what is left of the bank included */
    long move_ms;  /* of each question without the bank; 0: not known */
    bool is_fair;  /* clock=fair */
};

struct pace {
    pace_now_fn *now;
    void *context;
    bool is_fair;
    int64_t start_us[PACE_CLOCKS];
    int64_t budget_us; /* of time that is charged, */
    int64_t wall_us;   /* and of any */
};

/* How long to think, in microseconds; less than the limit. */
int64_t pace_budget_us(const struct pace_terms *terms);

/* Starts to think now. `now` and `context` are lent; pace_now() is the real thing. */
void pace_start(struct pace *pace, const struct pace_terms *terms, pace_now_fn *now, void *context);

/* Whether it is time to answer. `context` is the pace, so that a search can ask. */
bool pace_is_over(void *context);

/* The clocks of this machine. */
int64_t pace_now(enum pace_clock clock, void *context);

#endif
