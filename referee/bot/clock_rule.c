/* Two rules for charging time, and when they make an unanswered question lost. Everything is
 * arithmetic over one sample, so that tests need no machine that behaves like that. Time may be
 * withheld for two reasons at once, and then it is subtracted twice; but the CPU time that a bot
 * used is always charged, so nobody can gain by that. A sample may be incomplete: where the kernel
 * books the wait of a thread when it runs again, one that is ready and not running may have waited
 * since it last ran. */

#include "bot/clock_rule.h"

static const char *const names[] = {
    [CLOCK_FAIR] = "fair",
    [CLOCK_WALL] = "wall",
};

const char *clock_rule_name(enum clock_rule rule)
{
    return names[rule];
}

int clock_rule_read(struct span word, enum clock_rule *rule)
{
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (span_is(word, names[i])) {
            *rule = (enum clock_rule)i;
            return 0;
        }
    }
    return -1;
}

/* The CPU time that it used for certain. What the host took while it ran, the kernel counts as
 * running in part, and in part not at all. */
static int64_t certain_us(const struct clock_rule_sample *sample)
{
    return sample->cpu_us > sample->stolen_us ? sample->cpu_us - sample->stolen_us : 0;
}

int64_t clock_rule_charged_us(enum clock_rule rule, const struct clock_rule_sample *sample)
{
    int64_t charged_us = sample->wall_us;

    if (rule == CLOCK_FAIR) {
        charged_us -= sample->wait_us + sample->unbooked_us + sample->away_us + sample->stolen_us;
        if (charged_us < certain_us(sample))
            charged_us = certain_us(sample);
    }
    return charged_us;
}

enum clock_rule_verdict clock_rule_judge(enum clock_rule rule,
                                         const struct clock_rule_sample *sample, int64_t limit_us)
{
    if (clock_rule_charged_us(rule, sample) > limit_us)
        return CLOCK_IS_LATE;
    return sample->wall_us - sample->away_us > CLOCK_PATIENCE * limit_us ? CLOCK_IS_STARVED
                                                                         : CLOCK_IN_TIME;
}
