#ifndef REFEREE_BOT_MOVE_TIMER_H
#define REFEREE_BOT_MOVE_TIMER_H

/* The clock of one question: what it has cost so far, and when to look whether it is lost. Times
 * are moments of clock_now_us(). */

#include "bot/bot.h"
#include "sandbox/cpu_use.h"

struct process;

struct move_timer {
    enum clock_rule rule;
    struct process *process;
    unsigned cores;
    int64_t limit_us;
    int64_t from_us;      /* when it was started */
    int64_t next_look_us; /* when to call move_timer_look() */
    int64_t there_us;     /* when we last looked */
    int64_t away_us;      /* how long we were not, since it was started */
    bool is_doubted;      /* it seemed to be late at the last look */
    int64_t own_us;       /* the referee's counter when the bot was last known to be silent */
    int64_t stolen_us;    /* the host's counter with `first` */
    struct cpu_use first; /* the books a little before the question, or with it */
    int64_t first_us;     /* when they were read; 0: never */
    struct cpu_use seen;  /* what was last read */
    int64_t read_us;      /* when that was */
    int64_t ran_after_us; /* since when it may not have run */
    struct cpu_use last;  /* the books with the last line of a question, if it was measured */
    int64_t last_us;      /* when they were read; 0: it was not measured */
    int64_t last_wall_us; /* else its wall time; 0 if that is counted already */
    int64_t answered_us;  /* the wall time of quick answers since then */
    int64_t pondered_us;  /* CPU time that it has used while nothing was asked */
    int64_t logged_us;    /* the part of it that was reported with an answer */
};

/* What a bot may use after its answer, to clean up and to wait again. */
#define MOVE_TIMER_CALM_US 1000

/* A clock for the bot of that process, which runs on so many cores. */
void move_timer_init(struct move_timer *timer, enum clock_rule rule, struct process *process,
                     unsigned cores);

/* An answer that takes longer than this is measured, if the clock is fair. */
int64_t move_timer_quick_us(int64_t limit_us, unsigned cores);

/* How long before a question its books may have been opened. */
int64_t move_timer_fresh_us(int64_t limit_us);

void move_timer_start(struct move_timer *timer, int64_t limit_us, int64_t now_us);

/* Whether the question is lost. To be called only when nothing to read was found just now. Fills
 * `time` if it is; sets the next look if not. */
enum clock_rule_verdict move_timer_look(struct move_timer *timer, int64_t now_us,
                                        struct bot_time *time);

/* What an answer that was found now has cost. */
struct bot_time move_timer_read(struct move_timer *timer, int64_t now_us);

/* For a bot that is not asked: what it has used since its last question or the last reading. The
 * first only looks, and is quick; the second adds it to `pondered_us`. */
int64_t move_timer_idle_cpu_us(struct move_timer *timer);
void move_timer_ponder(struct move_timer *timer, int64_t now_us);

#endif
