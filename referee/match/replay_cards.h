#ifndef REFEREE_MATCH_REPLAY_CARDS_H
#define REFEREE_MATCH_REPLAY_CARDS_H

/* The cards of a match whose seed is not known, because its log is cut off: as far as they appear
 * in its events. Cards that never appeared are made up, so that the match can be played again; they
 * are all face down or in the draw pile, and nobody may be shown them. */

#include "base/text.h"
#include "game/allegra.h"

struct replay_cards;

struct replay_cards *replay_cards_new(const struct allegra_rules *rules, unsigned seats);
void replay_cards_free(struct replay_cards *cards);

/* Takes the events of a decision, as the log has them. What is not an event is left out: it is
 * found when the match is played. */
void replay_cards_add(struct replay_cards *cards, struct span events);

/* Deals so that those events come. */
struct allegra_shuffler replay_cards_shuffler(struct replay_cards *cards);

#endif
