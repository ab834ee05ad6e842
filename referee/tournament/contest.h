#ifndef REFEREE_TOURNAMENT_CONTEST_H
#define REFEREE_TOURNAMENT_CONTEST_H

/* A tournament as its store knows it: who plays whom, what is decided, what counts. The programme for
 * the director, and the results for the standings.
 *
 * What counts does not depend on the order in which matches were played. A block counts when all of
 * its matches are decided. A bot that has reached `max_faults` in the blocks that count, taken in the
 * order of the schedule, is out: blocks behind that one do not count, even if they were played. */

#include "base/text.h"
#include "tournament/director.h"
#include "tournament/schedule.h"
#include "tournament/store.h"

struct contest;

/* Makes the schedule from what was agreed in the store, which is lent. Returns NULL with one sentence
 * in `problem`. */
struct contest *contest_new(struct store *store, struct text *problem);
void contest_free(struct contest *contest);

/* What the director plays. `on_block` may be NULL; it is told of every block that is decided. */
struct programme contest_programme(struct contest *contest,
                                   void (*on_block)(void *context, unsigned block), void *context);

const struct schedule *contest_schedule(const struct contest *contest);
const struct schedule_setup *contest_setup(const struct contest *contest);

enum contest_state {
    CONTEST_OPEN,    /* still to be played */
    CONTEST_COUNTS,  /* decided */
    CONTEST_DROPPED, /* not to be played any more, or played in vain */
};

enum contest_state contest_block(const struct contest *contest, unsigned block);

/* Whether a bot plays no more, by the organiser's decision or because of its faults. */
bool contest_is_out(const struct contest *contest, unsigned bot);

/* How many matches there are in all as far as it can be known now, and how many of them are decided. */
unsigned long contest_matches(const struct contest *contest);
unsigned long contest_decided(const struct contest *contest);

/* All results that count, in the order of the schedule. Give them back with free(). */
struct result *contest_results(const struct contest *contest, size_t *count);

#endif
