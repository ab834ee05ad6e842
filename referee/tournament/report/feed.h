#ifndef REFEREE_TOURNAMENT_REPORT_FEED_H
#define REFEREE_TOURNAMENT_REPORT_FEED_H

/* How a tournament goes, for a program that has it played (protocol.md, "Feed"): a line on stdout for
 * everything that happens, and the tables in the store written anew while it is played. Only what
 * everybody may see is told: the matches of blocks that are published. */

#include "tournament/play/progression.h"
#include "tournament/play/coordinator.h"

#include <stdbool.h>

struct event_base;
struct feed;

/* `on_closed` is called once, from the loop, when nobody reads any more; the feed may not be freed in
 * it. */
struct feed *feed_new(void (*on_closed)(void *context), void *context);
void feed_free(struct feed *feed);

/* Something is wrong, or right again. What is not printable is replaced. */
void feed_note(struct feed *feed, const char *words);

/* Before the first match. Everything is lent, `base` until feed_end(). */
void feed_begin(struct feed *feed, struct event_base *base, const struct progression *progression,
                const struct store *store);

/* A block is published. */
void feed_block(struct feed *feed, unsigned block);

/* It is over; called before the loop is freed. Writes the tables and reports how each bot did, unless it
 * failed or was aborted. Returns 0, or -1 if the tables could not be written: then it has failed. Nothing
 * is reported after it, no second end either. */
int feed_end(struct feed *feed, enum coordinator_end end);

#endif
