#ifndef REFEREE_BOT_SCHEDSTAT_H
#define REFEREE_BOT_SCHEDSTAT_H

/* How long the referee itself could not listen, and what the host of a virtual machine took, as the
 * kernel counts it. */

#include <stdint.h>

/* How long the calling thread has run or waited to run since it began: the time in which it could
 * not have listened to a bot. */
int64_t schedstat_own_us(void);

/* How long the host of a virtual machine has kept a core (-1: all of them together) from running
 * since it began, by a counter that moves in steps of SCHEDSTAT_STEP_US; 0 on other machines. The
 * first is for the beginning of a question and costs nothing where nothing was ever taken. */
#define SCHEDSTAT_STEP_US 10000
int64_t schedstat_stolen_before_us(int core);
int64_t schedstat_stolen_us(int core);

/* What it may have taken since the counter was `before_us`. If it takes something these days, that
 * is one step more than the counter shows. */
int64_t schedstat_stolen_since_us(int core, int64_t before_us, int64_t now_us);

#endif
