#ifndef REFEREE_BOT_LOOP_LAG_H
#define REFEREE_BOT_LOOP_LAG_H

/* When the event loop had polled all bots before it found what it handles now. */

#include <stdint.h>

struct event_base;

/* Lets this thread run as soon as it can after it wakes, without a larger share of the machine: it
 * cannot judge what it finds late. Our children do not inherit it. Does nothing where the kernel
 * has no such feature. */
void loop_lag_start(void);

/* To be called first in each event. */
void loop_lag_note(struct event_base *base);

/* For how long at most something that is handled now may have been there unseen. INT64_MAX if that
 * is not known. */
int64_t loop_lag_us(void);

#endif
