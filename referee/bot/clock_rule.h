#ifndef REFEREE_BOT_CLOCK_RULE_H
#define REFEREE_BOT_CLOCK_RULE_H

/* What time is charged to a bot, as pure arithmetic over measurements: no clock is read here.
 *
 * CLOCK_WALL charges the wall time. CLOCK_FAIR charges the wall time minus what the machine
 * withheld: the time in which the bot was ready to run but did not run, the time in which the
 * referee itself was not there, and what the host of a virtual machine took; but never less than
 * the CPU time that the bot used, on however many cores. */

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum clock_rule {
    CLOCK_FAIR,
    CLOCK_WALL,
};

/* Beyond this many times the limit a bot that was charged less is not awaited any longer. */
#define CLOCK_PATIENCE 20

/* What was measured between two moments. */
struct clock_rule_sample {
    int64_t wall_us;
    int64_t cpu_us;      /* of the bot, all its threads and processes */
    int64_t wait_us;     /* it was ready, and did not run */
    int64_t away_us;     /* the referee was not there to listen */
    int64_t stolen_us;   /* what the host took from this machine */
    int64_t unbooked_us; /* it is ready to run now, and may have waited for so long besides */
};

enum clock_rule_verdict {
    CLOCK_IN_TIME,   /* it still has time, as far as that is known: look again later */
    CLOCK_IS_LATE,   /* it has used its time */
    CLOCK_IS_STARVED /* the machine has not given it its time, and there is no end in sight */
};

const char *clock_rule_name(enum clock_rule rule);

/* Reads "fair" or "wall". Returns 0, or -1. */
int clock_rule_read(struct span word, enum clock_rule *rule);

int64_t clock_rule_charged_us(enum clock_rule rule, const struct clock_rule_sample *sample);

/* Whether a question without an answer is lost. */
enum clock_rule_verdict clock_rule_judge(enum clock_rule rule,
                                         const struct clock_rule_sample *sample, int64_t limit_us);

#endif
