#ifndef REFEREE_BOT_MOVE_TIMER_H
#define REFEREE_BOT_MOVE_TIMER_H

/* The clock of one question: what it has cost so far, and when to look whether it is lost. Times
 * are moments of clock_now_us(). */

#include "bot/bot.h"
#include "bot/schedstat.h"

struct move_timer {
    enum clock_rule rule;
    pid_t pid;
    int64_t limit_us;
    int64_t from_us;      /* when it was started */
    int64_t next_look_us; /* when to call move_timer_look() */
    int64_t measured_from_us;
    int64_t before_us; /* charged for the time before that */
    int64_t own_us;    /* the referee's counter when the bot was last known to be silent */
    int64_t stolen_us; /* the host's counter with `first` */
    bool is_measuring;
    struct schedstat first; /* the counters when measuring began, or a little before */
};

void move_timer_start(struct move_timer *timer, int64_t limit_us, int64_t now_us);

/* Whether the question is lost. To be called only when nothing to read was found just now. Fills
 * `time` if it is; sets the next look if not. */
enum clock_rule_verdict move_timer_look(struct move_timer *timer, int64_t now_us,
                                        struct bot_time *time);

/* What an answer that was found now has cost. */
struct bot_time move_timer_read(const struct move_timer *timer, int64_t now_us);

#endif
