/* Measuring costs more than a quick answer does, so a question is measured only from a quarter of
 * its limit on; that quarter is charged as it is. Short limits are measured from the start, because
 * there a quarter is no more than the machine may take at any time; but for a bot that answers at once
 * the counters of a moment ago will do, so that it is not slowed down by being measured.
 *
 * The referee can be away too: not running, busy with another match, stopped. What it cannot have
 * seen it does not charge: an answer that is found after a look was due came at some time since, and
 * a look that comes far too late says nothing at all. But a bot that is found silent has not
 * answered, whatever the referee did meanwhile; so a look never excuses the referee's own waiting, and
 * a bot that sleeps is late at the first look after its limit. */

#include "bot/move_timer.h"

#include "bot/loop_lag.h"

/* Limits below this are measured from the start. */
#define SHORT_LIMIT_US 100000

/* Counters that are older than this part of the limit are read again. */
#define FRESH_PART 8

/* Who has been away for longer than this was stopped, not just waiting for its turn. */
#define AWAY_US 1000000

static void take_first(struct move_timer *watch)
{
    schedstat_take(&watch->first, watch->pid);
    watch->own_us = schedstat_own_us();
    watch->stolen_us = schedstat_stolen_before_us();
}

/* Begins in the middle of a question. If that is later than it was meant to be, it was the referee
 * who was late. */
static void begin_measuring(struct move_timer *watch, int64_t now_us)
{
    int64_t quarter_us = watch->limit_us / 4;

    watch->before_us = now_us - watch->from_us;
    if (watch->before_us > quarter_us)
        watch->before_us = quarter_us;
    take_first(watch);
    watch->measured_from_us = now_us;
    watch->is_measuring = true;
    watch->next_look_us = now_us + watch->limit_us - watch->before_us + 1;
}

static void begin_at_once(struct move_timer *watch)
{
    if (watch->from_us - watch->first.at_us > watch->limit_us / FRESH_PART)
        take_first(watch);
    watch->before_us = 0;
    watch->measured_from_us = watch->from_us;
    watch->is_measuring = true;
    watch->next_look_us = watch->from_us + watch->limit_us + 1;
}

void move_timer_start(struct move_timer *watch, int64_t limit_us, int64_t now_us)
{
    watch->limit_us = limit_us;
    watch->from_us = now_us;
    watch->is_measuring = false;
    if (watch->rule == CLOCK_WALL)
        watch->next_look_us = now_us + limit_us + 1;
    else if (limit_us < SHORT_LIMIT_US)
        begin_at_once(watch);
    else
        watch->next_look_us = now_us + limit_us / 4;
}

static int64_t least_of(int64_t one_us, int64_t other_us)
{
    return one_us < other_us ? one_us : other_us;
}

/* What the host may have taken meanwhile. Its counter moves in steps, so where it moves at all one more
 * is added for what it does not show yet. It is one counter for all, so nobody is forgiven more than
 * another limit for it. */
static int64_t stolen_since_us(const struct move_timer *watch)
{
    int64_t stolen_us = schedstat_stolen_us();

    if (stolen_us == 0)
        return 0;
    return least_of(stolen_us - watch->stolen_us + SCHEDSTAT_STEP_US, watch->limit_us);
}

static struct clock_sample take_sample(const struct move_timer *watch, int64_t now_us)
{
    struct clock_sample sample = {.wall_us = now_us - watch->from_us};
    struct schedstat probe;

    if (watch->is_measuring) {
        schedstat_take(&probe, watch->pid);
        schedstat_compare(&watch->first, &probe, &sample);
        sample.wall_us = watch->before_us + now_us - watch->measured_from_us;
    }
    return sample;
}

static struct bot_time time_of(const struct move_timer *watch, const struct clock_sample *sample,
                               int64_t now_us)
{
    return (struct bot_time){
        .charged_us = clock_charged_us(watch->rule, sample),
        .wall_us = now_us - watch->from_us,
        .cpu_us = sample->cpu_us,
        .wait_us = sample->wait_us,
        .is_measured = watch->is_measuring,
    };
}

static bool was_away(const struct move_timer *watch, int64_t now_us)
{
    int64_t overdue_us = now_us - watch->next_look_us;

    return watch->rule == CLOCK_FAIR && overdue_us > AWAY_US && overdue_us > watch->limit_us;
}

enum clock_verdict move_timer_look(struct move_timer *watch, int64_t now_us, struct bot_time *time)
{
    struct clock_sample sample;
    enum clock_verdict verdict;

    if (was_away(watch, now_us)) {
        move_timer_start(watch, watch->limit_us, now_us);
        return CLOCK_IN_TIME;
    }
    if (watch->rule == CLOCK_FAIR && !watch->is_measuring) {
        begin_measuring(watch, now_us);
        return CLOCK_IN_TIME;
    }
    sample = take_sample(watch, now_us);
    verdict = clock_judge(watch->rule, &sample, watch->limit_us);
    if (verdict == CLOCK_IS_LATE && watch->is_measuring) {
        sample.stolen_us = stolen_since_us(watch);
        verdict = clock_judge(watch->rule, &sample, watch->limit_us);
    }
    *time = time_of(watch, &sample, now_us);
    watch->next_look_us = now_us + clock_next_look_us(watch->rule, &sample, watch->limit_us);
    if (watch->is_measuring)
        watch->own_us = schedstat_own_us();
    return verdict;
}

/* For how long the referee may have missed an answer that is there now. */
static int64_t missed_us(const struct move_timer *watch, int64_t now_us)
{
    /* A look is due when the limit is just over, and an answer then may have come within it. */
    int64_t overdue_us = now_us - watch->next_look_us + 1;
    int64_t own_us = schedstat_own_us() - watch->own_us;

    return least_of(overdue_us > own_us ? overdue_us : own_us, loop_lag_us());
}

struct bot_time move_timer_read(const struct move_timer *watch, int64_t now_us)
{
    int64_t wall_us = now_us - watch->from_us;
    int64_t quarter_us = watch->limit_us / 4;
    struct clock_sample sample;

    if (watch->rule == CLOCK_WALL || wall_us <= quarter_us)
        return (struct bot_time){.charged_us = wall_us, .wall_us = wall_us};
    if (!watch->is_measuring)
        return (struct bot_time){.charged_us = quarter_us, .wall_us = wall_us};
    sample = take_sample(watch, now_us);
    sample.own_wait_us = missed_us(watch, now_us);
    if (clock_charged_us(watch->rule, &sample) > watch->limit_us)
        sample.stolen_us = stolen_since_us(watch);
    return time_of(watch, &sample, now_us);
}
