/* Measuring costs more than a quick answer does, so a question is measured only from a quarter of
 * its limit on; that quarter is charged as it is. Short limits are measured from the start, because
 * there a quarter is no more than the machine may take at any time; but for a bot that answers at
 * once the counters of a moment ago will do, so that measuring does not slow it down.
 *
 * The referee can be away too: not running, busy with another match, stopped. It does not charge
 * what it cannot have seen: an answer that is found after a look was due came at some time since,
 * and a look that comes far too late says nothing at all. But a bot that is found silent has not
 * answered, whatever the referee did meanwhile; so a look never excuses the referee's own waiting,
 * and a bot that sleeps is late at the first look after its limit. */

#include "bot/move_timer.h"

#include "bot/loop_lag.h"

/* Limits below this are measured from the start. */
#define SHORT_LIMIT_US 100000

/* Counters that are older than this part of the limit are read again. */
#define FRESH_PART 8

/* A referee that was away for longer than this was stopped, not just waiting for its turn. */
#define AWAY_US 1000000

static void take_first(struct move_timer *timer)
{
    schedstat_take(&timer->first, timer->pid);
    timer->own_us = schedstat_own_us();
    timer->stolen_us = schedstat_stolen_before_us();
}

/* Begins in the middle of a question. If that is later than intended, the referee was late. */
static void begin_measuring(struct move_timer *timer, int64_t now_us)
{
    int64_t quarter_us = timer->limit_us / 4;

    timer->before_us = now_us - timer->from_us;
    if (timer->before_us > quarter_us)
        timer->before_us = quarter_us;
    take_first(timer);
    timer->measured_from_us = now_us;
    timer->is_measuring = true;
    timer->next_look_us = now_us + timer->limit_us - timer->before_us + 1;
}

static void begin_at_once(struct move_timer *timer)
{
    if (timer->from_us - timer->first.at_us > timer->limit_us / FRESH_PART)
        take_first(timer);
    timer->before_us = 0;
    timer->measured_from_us = timer->from_us;
    timer->is_measuring = true;
    timer->next_look_us = timer->from_us + timer->limit_us + 1;
}

void move_timer_start(struct move_timer *timer, int64_t limit_us, int64_t now_us)
{
    timer->limit_us = limit_us;
    timer->from_us = now_us;
    timer->is_measuring = false;
    if (timer->rule == CLOCK_WALL)
        timer->next_look_us = now_us + limit_us + 1;
    else if (limit_us < SHORT_LIMIT_US)
        begin_at_once(timer);
    else
        timer->next_look_us = now_us + limit_us / 4;
}

static int64_t least_of(int64_t one_us, int64_t other_us)
{
    return one_us < other_us ? one_us : other_us;
}

/* What the host of a virtual machine may have taken meanwhile. Its counter moves in steps, so where
 * it moves at all one more is added for what it does not show yet. It counts for the whole machine,
 * so a bot is forgiven at most another limit for it. */
static int64_t stolen_since_us(const struct move_timer *timer)
{
    int64_t stolen_us = schedstat_stolen_us();

    if (stolen_us == 0)
        return 0;
    return least_of(stolen_us - timer->stolen_us + SCHEDSTAT_STEP_US, timer->limit_us);
}

static struct clock_rule_sample take_sample(const struct move_timer *timer, int64_t now_us)
{
    struct clock_rule_sample sample = {.wall_us = now_us - timer->from_us};
    struct schedstat probe;

    if (timer->is_measuring) {
        schedstat_take(&probe, timer->pid);
        schedstat_compare(&timer->first, &probe, &sample);
        sample.wall_us = timer->before_us + now_us - timer->measured_from_us;
    }
    return sample;
}

static struct bot_time time_of(const struct move_timer *timer,
                               const struct clock_rule_sample *sample, int64_t now_us)
{
    return (struct bot_time){
        .charged_us = clock_rule_charged_us(timer->rule, sample),
        .wall_us = now_us - timer->from_us,
        .cpu_us = sample->cpu_us,
        .wait_us = sample->wait_us,
        .is_measured = timer->is_measuring,
    };
}

static bool was_away(const struct move_timer *timer, int64_t now_us)
{
    int64_t overdue_us = now_us - timer->next_look_us;

    return timer->rule == CLOCK_FAIR && overdue_us > AWAY_US && overdue_us > timer->limit_us;
}

enum clock_rule_verdict move_timer_look(struct move_timer *timer, int64_t now_us,
                                        struct bot_time *time)
{
    struct clock_rule_sample sample;
    enum clock_rule_verdict verdict;

    if (was_away(timer, now_us)) {
        move_timer_start(timer, timer->limit_us, now_us);
        return CLOCK_IN_TIME;
    }
    if (timer->rule == CLOCK_FAIR && !timer->is_measuring) {
        begin_measuring(timer, now_us);
        return CLOCK_IN_TIME;
    }
    sample = take_sample(timer, now_us);
    verdict = clock_rule_judge(timer->rule, &sample, timer->limit_us);
    if (verdict == CLOCK_IS_LATE && timer->is_measuring) {
        sample.stolen_us = stolen_since_us(timer);
        verdict = clock_rule_judge(timer->rule, &sample, timer->limit_us);
    }
    *time = time_of(timer, &sample, now_us);
    timer->next_look_us = now_us + clock_rule_next_look_us(timer->rule, &sample, timer->limit_us);
    if (timer->is_measuring)
        timer->own_us = schedstat_own_us();
    return verdict;
}

/* For how long the referee may have missed an answer that is there now. */
static int64_t missed_us(const struct move_timer *timer, int64_t now_us)
{
    /* A look is due when the limit is just over, and an answer then may have come within it. */
    int64_t overdue_us = now_us - timer->next_look_us + 1;
    int64_t own_us = schedstat_own_us() - timer->own_us;

    return least_of(overdue_us > own_us ? overdue_us : own_us, loop_lag_us());
}

struct bot_time move_timer_read(const struct move_timer *timer, int64_t now_us)
{
    int64_t wall_us = now_us - timer->from_us;
    int64_t quarter_us = timer->limit_us / 4;
    struct clock_rule_sample sample;

    if (timer->rule == CLOCK_WALL || wall_us <= quarter_us)
        return (struct bot_time){.charged_us = wall_us, .wall_us = wall_us};
    if (!timer->is_measuring)
        return (struct bot_time){.charged_us = quarter_us, .wall_us = wall_us};
    sample = take_sample(timer, now_us);
    sample.own_wait_us = missed_us(timer, now_us);
    if (clock_rule_charged_us(timer->rule, &sample) > timer->limit_us)
        sample.stolen_us = stolen_since_us(timer);
    return time_of(timer, &sample, now_us);
}
