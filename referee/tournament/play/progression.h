#ifndef REFEREE_TOURNAMENT_PLAY_PROGRESSION_H
#define REFEREE_TOURNAMENT_PLAY_PROGRESSION_H

/* The progression of a tournament, as its store knows it: who plays whom, what is decided, what counts. The block source for
 * the coordinator, and the results for the standings.
 *
 * What counts does not depend on the order in which matches were played. A block counts when all of
 * its matches are decided. A bot that has reached `max_faults` in the blocks that count, taken in the
 * order of the schedule, is out: blocks behind that one do not count, even if they were played. */

#include "base/text.h"
#include "tournament/play/coordinator.h"
#include "tournament/schedule/schedule.h"
#include "tournament/store/store.h"

struct progression;

/* Makes the schedule from what was agreed in the store, which is lent. Returns NULL with one sentence
 * in `problem`. */
struct progression *progression_new(struct store *store, struct text *problem);
void progression_free(struct progression *progression);

/* What the coordinator plays. `on_block` may be NULL; it is told of every block that is decided. */
struct block_source progression_source(struct progression *progression,
                                       void (*on_block)(void *context, unsigned block),
                                       void *context);

const struct schedule *progression_schedule(const struct progression *progression);
const struct schedule_setup *progression_setup(const struct progression *progression);

enum progression_state {
    PROGRESSION_OPEN,    /* still to be played */
    PROGRESSION_COUNTS,  /* decided */
    PROGRESSION_DROPPED, /* not to be played any more, or played in vain */
};

enum progression_state progression_block(const struct progression *progression, unsigned block);

/* Whether a bot plays no more, by the organiser's decision or because of its faults. */
bool progression_is_out(const struct progression *progression, unsigned bot);

/* How many matches there are in all as far as it can be known now, and how many of them are decided. */
unsigned long progression_matches(const struct progression *progression);
unsigned long progression_decided(const struct progression *progression);

/* All results that count, in the order of the schedule. Give them back with free(). */
struct result *progression_results(const struct progression *progression, size_t *count);

#endif
