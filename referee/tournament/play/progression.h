#ifndef REFEREE_TOURNAMENT_AGENDA_H
#define REFEREE_TOURNAMENT_AGENDA_H

/* The agenda of a tournament, as its store knows it: who plays whom, what is decided, what counts. The programme for
 * the director, and the results for the standings.
 *
 * What counts does not depend on the order in which matches were played. A block counts when all of
 * its matches are decided. A bot that has reached `max_faults` in the blocks that count, taken in the
 * order of the schedule, is out: blocks behind that one do not count, even if they were played. */

#include "base/text.h"
#include "tournament/director.h"
#include "tournament/schedule.h"
#include "tournament/store.h"

struct agenda;

/* Makes the schedule from what was agreed in the store, which is lent. Returns NULL with one sentence
 * in `problem`. */
struct agenda *agenda_new(struct store *store, struct text *problem);
void agenda_free(struct agenda *agenda);

/* What the director plays. `on_block` may be NULL; it is told of every block that is decided. */
struct programme agenda_programme(struct agenda *agenda,
                                  void (*on_block)(void *context, unsigned block), void *context);

const struct schedule *agenda_schedule(const struct agenda *agenda);
const struct schedule_setup *agenda_setup(const struct agenda *agenda);

enum agenda_state {
    AGENDA_OPEN,    /* still to be played */
    AGENDA_COUNTS,  /* decided */
    AGENDA_DROPPED, /* not to be played any more, or played in vain */
};

enum agenda_state agenda_block(const struct agenda *agenda, unsigned block);

/* Whether a bot plays no more, by the organiser's decision or because of its faults. */
bool agenda_is_out(const struct agenda *agenda, unsigned bot);

/* How many matches there are in all as far as it can be known now, and how many of them are decided. */
unsigned long agenda_matches(const struct agenda *agenda);
unsigned long agenda_decided(const struct agenda *agenda);

/* All results that count, in the order of the schedule. Give them back with free(). */
struct result *agenda_results(const struct agenda *agenda, size_t *count);

#endif
