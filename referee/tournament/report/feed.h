#ifndef REFEREE_TOURNAMENT_REPORT_FEED_H
#define REFEREE_TOURNAMENT_REPORT_FEED_H

/* The progress of a tournament, for the program that started it: a line on stdout for everything
 * that happens (wire/feed_line.h), and tables in the store that are rewritten while it is played.
 * Only what everybody may see is reported: the matches of published blocks. */

#include "tournament/play/progression.h"
#include "tournament/play/coordinator.h"

#include <stdbool.h>

struct event_base;
struct feed;

/* `on_closed` is called once, from the loop, when nobody reads the feed any more; it must not free
 * the feed. */
struct feed *feed_new(void (*on_closed)(void *context), void *context);
void feed_free(struct feed *feed);

/* Something is wrong, or right again. Characters that are not printable are replaced. */
void feed_note(struct feed *feed, const char *message);

/* A worker that may not play any more has finished. */
void feed_idle(struct feed *feed, unsigned worker);

/* Before the first match. Everything is lent, `base` until feed_end(). */
void feed_begin(struct feed *feed, struct event_base *base, const struct progression *progression,
                const struct store *store);

/* A block is published. */
void feed_block(struct feed *feed, unsigned block);

/* It is over; called before the loop is freed. Writes the tables and reports how each bot did,
 * unless it failed or was aborted. Returns 0, or -1 if the tables could not be written: then it has
 * failed. Nothing is reported after it, no second end either. */
int feed_end(struct feed *feed, enum coordinator_end end);

#endif
