/* Two rules for charging time, and when they make an unanswered question lost. Everything is
 * arithmetic over one sample, so that tests need no machine that behaves like that. A sample is
 * evidence about the bot only as far as it is complete: the kernel books the wait of a thread when
 * it runs again, so a thread that is ready and not running may have waited for all of the time that
 * is not accounted for yet. Only its CPU time is certain, and it never shrinks. */

#include "bot/clock_rule.h"

/* Looks are never closer than this: each one costs a walk through /proc. */
#define LOOK_LEAST_US 500

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

/* What may have been taken from the bot itself: only what was taken while it ran, which the kernel
 * counts as running in part and in part not at all. What was taken while it waited is in its
 * wait. */
static int64_t stolen_us(const struct clock_rule_sample *sample)
{
    int64_t most_us = 2 * sample->cpu_us;

    return sample->stolen_us < most_us ? sample->stolen_us : most_us;
}

/* The CPU time that it used for certain. */
static int64_t certain_us(const struct clock_rule_sample *sample)
{
    int64_t certain = sample->cpu_us - stolen_us(sample);

    return certain > 0 ? certain : 0;
}

int64_t clock_rule_charged_us(enum clock_rule rule, const struct clock_rule_sample *sample)
{
    int64_t charged_us = sample->wall_us;

    if (rule == CLOCK_FAIR) {
        charged_us -= sample->wait_us + sample->own_wait_us + stolen_us(sample);
        if (charged_us < certain_us(sample))
            charged_us = certain_us(sample);
        /* Threads on several cores use more CPU time than there is wall time. */
        if (charged_us > sample->wall_us)
            charged_us = sample->wall_us;
    }
    return charged_us;
}

enum clock_rule_verdict clock_rule_judge(enum clock_rule rule,
                                         const struct clock_rule_sample *sample, int64_t limit_us)
{
    if (sample->wall_us <= limit_us)
        return CLOCK_IN_TIME;
    if (sample->wall_us > CLOCK_PATIENCE * limit_us)
        return CLOCK_IS_LATE;
    if (rule == CLOCK_FAIR && sample->is_waiting && certain_us(sample) <= limit_us)
        return CLOCK_UNDECIDED;
    return clock_rule_charged_us(rule, sample) > limit_us ? CLOCK_IS_LATE : CLOCK_IN_TIME;
}

int64_t clock_rule_next_look_us(enum clock_rule rule, const struct clock_rule_sample *sample,
                                int64_t limit_us)
{
    /* One more than the limit, because at the limit itself a bot is still in time. */
    int64_t left_us = limit_us + 1 - sample->wall_us;

    /* The longer it has waited, the rarer the looks: they cost time too. */
    if (left_us <= 0 && rule == CLOCK_FAIR)
        left_us = sample->wall_us / 4 > limit_us / 2 ? sample->wall_us / 4 : limit_us / 2;
    return left_us < LOOK_LEAST_US ? LOOK_LEAST_US : left_us;
}
