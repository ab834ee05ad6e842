/* Reading the kernel's books costs as much as a quick answer does, so they are read when a question
 * is slow. What a bot has used is a difference, so they are also read before: at the start of a
 * question, if the last reading is older than a small part of the limit. Between the two there can
 * only be quick answers, whose wall time is known, and it is taken for their CPU time.
 *
 * A question is quick up to a quarter of its limit, and where a bot has many cores, up to the part
 * of it in which even all of them together cannot use more than the limit.
 *
 * From then on we look again and again, although nothing can be lost before the limit. The point of
 * these looks is to be there: if one comes late although we neither ran nor waited for a core, we
 * were stopped, and so perhaps were the bots. That is not charged, nor the time since the look
 * before, about which nothing is known then. They do not read the books, because the kernel rounds
 * the time between two readings down to ticks and forgets waits in less than one. For the same
 * reason readings after the limit are a few ticks apart, and a shorter time counts as waiting.
 *
 * If we only waited for a core, an answer may have been there for as long; but a bot that is found
 * silent has not answered, whatever we did meanwhile. So that is forgiven to an answer only. */

#include "bot/move_timer.h"

#include "bot/loop_lag.h"
#include "bot/schedstat.h"
#include "sandbox/process.h"

/* A reading that is older than this part of the limit is repeated. */
#define FRESH_PART 16

/* Looks before the limit are this part of it apart, within bounds; and those after it. */
#define LOOK_PART 32
#define LOOK_LEAST_US 1000
#define LOOK_MOST_US 20000
#define LATE_LOOK_PART 8
#define TICKS_US 10000

#define QUICK_PART 4

void move_timer_init(struct move_timer *timer, enum clock_rule rule, struct process *process,
                     unsigned cores)
{
    *timer = (struct move_timer){.rule = rule, .process = process};
    timer->cores = cores;
}

int64_t move_timer_quick_us(int64_t limit_us, unsigned cores)
{
    return limit_us / (cores > QUICK_PART ? cores : QUICK_PART);
}

int64_t move_timer_fresh_us(int64_t limit_us)
{
    return limit_us / FRESH_PART;
}

static int64_t quick_us(const struct move_timer *timer)
{
    return move_timer_quick_us(timer->limit_us, timer->cores);
}

static int64_t most_of(int64_t one_us, int64_t other_us)
{
    return one_us > other_us ? one_us : other_us;
}

static int64_t least_of(int64_t one_us, int64_t other_us)
{
    return one_us < other_us ? one_us : other_us;
}

/* How far apart looks are. */
static int64_t interval_us(const struct move_timer *timer, bool is_over)
{
    int64_t part_us = timer->limit_us / (is_over ? LATE_LOOK_PART : LOOK_PART);

    return is_over ? most_of(part_us, TICKS_US)
                   : most_of(least_of(part_us, LOOK_MOST_US), LOOK_LEAST_US);
}

static void set_first(struct move_timer *timer, const struct cpu_use *use, int64_t now_us)
{
    timer->first = *use;
    timer->first_us = now_us;
    timer->seen = *use;
    timer->read_us = now_us;
    timer->ran_after_us = now_us;
    timer->answered_us = 0;
    timer->stolen_us = schedstat_stolen_before_us(timer->process->cpu);
    timer->own_us = schedstat_own_us();
}

/* What it has used beyond the quick answers since the last reading. */
static int64_t cpu_since_us(const struct move_timer *timer, int64_t cpu_us)
{
    return most_of(cpu_us - timer->first.cpu_us - timer->answered_us, 0);
}

/* Counts the last question, which has ended. */
static void settle(struct move_timer *timer)
{
    if (timer->last_us != 0)
        set_first(timer, &timer->last, timer->last_us);
    if (timer->last_us != 0 || timer->last_wall_us != 0)
        timer->logged_us = timer->pondered_us;
    timer->answered_us += timer->last_wall_us;
    timer->last_us = 0;
    timer->last_wall_us = 0;
}

int64_t move_timer_idle_cpu_us(struct move_timer *timer)
{
    settle(timer);
    return timer->first_us != 0 ? cpu_since_us(timer, cpu_use_read_cpu(timer->process)) : 0;
}

void move_timer_ponder(struct move_timer *timer, int64_t now_us)
{
    struct cpu_use use;

    settle(timer);
    cpu_use_read(timer->process, &use);
    if (timer->first_us != 0)
        timer->pondered_us += cpu_since_us(timer, use.cpu_us);
    set_first(timer, &use, now_us);
}

void move_timer_start(struct move_timer *timer, int64_t limit_us, int64_t now_us)
{
    settle(timer);
    timer->limit_us = limit_us;
    timer->from_us = now_us;
    timer->there_us = now_us;
    timer->away_us = 0;
    timer->is_doubted = false;
    timer->next_look_us = now_us + (timer->rule == CLOCK_WALL ? limit_us + 1 : quick_us(timer));
    if (timer->first_us == 0 || now_us - timer->first_us > move_timer_fresh_us(limit_us))
        move_timer_ponder(timer, now_us);
}

static struct clock_rule_sample take_sample(struct move_timer *timer, int64_t now_us,
                                            struct cpu_use *use)
{
    struct clock_rule_sample sample = {.wall_us = now_us - timer->from_us,
                                       .away_us = timer->away_us};

    cpu_use_read(timer->process, use);
    sample.cpu_us = cpu_since_us(timer, use->cpu_us);
    sample.wait_us = most_of(cpu_use_waited_us(&timer->first, use), 0);
    if (now_us - timer->read_us < TICKS_US)
        sample.wait_us += now_us - timer->read_us;
    /* If its books have moved, it has run since they were read before. */
    if (use->cpu_us != timer->seen.cpu_us || use->thread_wait_us != timer->seen.thread_wait_us)
        timer->ran_after_us = timer->read_us;
    if (use->is_waiting)
        sample.unbooked_us = most_of(now_us - timer->ran_after_us, 0);
    timer->seen = *use;
    timer->read_us = now_us;
    return sample;
}

/* What is withheld for two reasons at once may add up to more than there was. Then nothing is left
 * to be charged but the CPU time, so that does not matter. */
static int64_t withheld_us(const struct clock_rule_sample *sample, int64_t time_us)
{
    return least_of(time_us, sample->wall_us);
}

/* What is to be reported with an answer. */
static int64_t pondered_before_us(const struct move_timer *timer)
{
    int64_t pondered_us = timer->pondered_us - timer->logged_us;

    return pondered_us >= MOVE_TIMER_CALM_US ? pondered_us : 0;
}

static struct bot_time time_of(const struct move_timer *timer,
                               const struct clock_rule_sample *sample)
{
    return (struct bot_time){
        .charged_us = clock_rule_charged_us(timer->rule, sample),
        .wall_us = sample->wall_us,
        .cpu_us = sample->cpu_us,
        .wait_us = withheld_us(sample, sample->wait_us),
        .away_us = withheld_us(sample, sample->away_us + sample->unbooked_us),
        .stolen_us = sample->stolen_us,
        .pondered_us = pondered_before_us(timer),
        .is_measured = timer->rule == CLOCK_FAIR,
    };
}

/* Counts how long we were stopped before this look, which was planned for a certain moment. */
static void count_absence(struct move_timer *timer, int64_t now_us)
{
    int64_t own_us = schedstat_own_us();
    int64_t planned_us = timer->next_look_us - timer->there_us;
    int64_t stopped_us = now_us - timer->next_look_us - (own_us - timer->own_us);

    if (stopped_us > planned_us || stopped_us > LOOK_MOST_US)
        timer->away_us += stopped_us + planned_us;
    timer->there_us = now_us;
    timer->own_us = own_us;
}

/* What the host took a moment ago may not be booked yet. So where it takes something these
 * days, a bot that seems to be late gets another look when that must be booked. */
static enum clock_rule_verdict doubt(struct move_timer *timer,
                                     const struct clock_rule_sample *sample,
                                     enum clock_rule_verdict verdict, int64_t now_us)
{
    if (verdict != CLOCK_IS_LATE || timer->is_doubted || sample->stolen_us == 0)
        return verdict;
    timer->is_doubted = true;
    timer->next_look_us = now_us + SCHEDSTAT_STEP_US;
    return CLOCK_IN_TIME;
}

enum clock_rule_verdict move_timer_look(struct move_timer *timer, int64_t now_us,
                                        struct bot_time *time)
{
    int64_t over_us = timer->from_us + timer->limit_us + 1;
    struct clock_rule_sample sample;
    struct cpu_use use;
    enum clock_rule_verdict verdict;

    if (timer->rule == CLOCK_FAIR)
        count_absence(timer, now_us);
    over_us += timer->away_us;
    if (timer->rule == CLOCK_FAIR && now_us < over_us) {
        timer->next_look_us = least_of(now_us + interval_us(timer, false), over_us);
        return CLOCK_IN_TIME;
    }
    sample = take_sample(timer, now_us, &use);
    verdict = clock_rule_judge(timer->rule, &sample, timer->limit_us);
    if (verdict == CLOCK_IS_LATE && timer->rule == CLOCK_FAIR) {
        sample.stolen_us = schedstat_stolen_since_us(timer->process->cpu, timer->stolen_us, now_us);
        verdict = clock_rule_judge(timer->rule, &sample, timer->limit_us);
    }
    *time = time_of(timer, &sample);
    timer->next_look_us = now_us + interval_us(timer, true);
    return doubt(timer, &sample, verdict, now_us);
}

/* For how long the referee may have missed an answer that is there now. */
static int64_t missed_us(const struct move_timer *timer, int64_t now_us)
{
    int64_t overdue_us = now_us - timer->next_look_us + 1;
    int64_t own_us = schedstat_own_us() - timer->own_us;

    return least_of(most_of(overdue_us, own_us), loop_lag_us());
}

struct bot_time move_timer_read(struct move_timer *timer, int64_t now_us)
{
    int64_t wall_us = now_us - timer->from_us;
    struct clock_rule_sample sample;
    struct cpu_use use;
    int64_t missed_time_us;

    timer->last_us = 0;
    timer->last_wall_us = wall_us;
    if (timer->rule == CLOCK_WALL || wall_us <= quick_us(timer))
        return (struct bot_time){
            .charged_us = wall_us, .wall_us = wall_us, .pondered_us = pondered_before_us(timer)};
    missed_time_us = missed_us(timer, now_us);
    if (now_us > timer->next_look_us) {
        count_absence(timer, now_us);
        timer->next_look_us = now_us;
    }
    sample = take_sample(timer, now_us, &use);
    sample.away_us += missed_time_us;
    sample.unbooked_us = 0;
    if (clock_rule_charged_us(timer->rule, &sample) > timer->limit_us)
        sample.stolen_us = schedstat_stolen_since_us(timer->process->cpu, timer->stolen_us, now_us);
    timer->last = use;
    timer->last_us = now_us;
    timer->last_wall_us = 0;
    return time_of(timer, &sample);
}
