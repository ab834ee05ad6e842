#ifndef REFEREE_TOURNAMENT_PLAY_PROGRESSION_H
#define REFEREE_TOURNAMENT_PLAY_PROGRESSION_H

/* The progression of a tournament, from its store: who plays whom, what is decided, what counts. It
 * is the block source for the coordinator, and has the results for the standings.
 *
 * What counts does not depend on the order in which matches were played. A block counts when all of
 * its matches are decided. A bot that has reached `max_faults` in the blocks that count, taken in
 * the order of the schedule, is out: its later blocks do not count, even if they were played. */

#include "base/text.h"
#include "tournament/play/coordinator.h"
#include "tournament/schedule/schedule.h"
#include "tournament/store/store.h"

struct progression;

/* Makes the schedule from the settings in the store, which is lent. Returns NULL with one sentence
 * in `problem`. */
struct progression *progression_new(struct store *store, struct text *problem);
void progression_free(struct progression *progression);

/* What the coordinator plays. `on_block_decided` is called for every block that is decided; it may
 * be NULL. */
struct block_source progression_source(struct progression *progression,
                                       void (*on_block_decided)(void *context, unsigned block),
                                       void *context);

const struct schedule *progression_schedule(const struct progression *progression);
const struct schedule_setup *progression_setup(const struct progression *progression);

enum progression_state {
    PROGRESSION_OPEN,    /* still to be played */
    PROGRESSION_COUNTS,  /* decided */
    PROGRESSION_DROPPED, /* it is not played any more, or was played in vain */
};

enum progression_state progression_block(const struct progression *progression, unsigned block);

/* Whether a bot plays no more: withdrawn by the organiser, or because of its faults. */
bool progression_is_out(const struct progression *progression, unsigned bot);

/* For a store with a Swiss round as its last record: whether that round could begin there, and its
 * players stand in the order of the results. Returns 0, or -1 with one sentence in `problem`. */
int progression_check_round(const struct progression *progression, struct text *problem);

/* Has all matches of a bot so far played again, with other deals; store_write() has to follow.
 * Returns how many blocks that are. */
unsigned progression_add_rematches(struct progression *progression, unsigned bot);

/* How often all matches of a bot were played again, and how many blocks of the last time are still
 * to be played. */
unsigned progression_rematches(const struct progression *progression, unsigned bot, unsigned *open);

/* A bot remembers what it saw in a match that did not count: it runs on another machine. A match of
 * it that is played again has another deal, also if the match was begun by a process that died: the
 * second function finds those. It returns how many there are, and store_write() has to follow. */
void progression_note_memory(struct progression *progression, unsigned bot);
unsigned progression_redeal_begun(struct progression *progression);

/* For a store with rematches as its last record: whether they come after the last block. Returns 0,
 * or -1 with one sentence in `problem`. */
int progression_check_rematches(const struct progression *progression, struct text *problem);

/* How many matches there are as far as is known now, and how many of them are decided. */
unsigned long progression_matches(const struct progression *progression);
unsigned long progression_decided(const struct progression *progression);

/* All results that count, in the order of the schedule. Free them with free(). */
struct result *progression_results(const struct progression *progression, size_t *count);

#endif
