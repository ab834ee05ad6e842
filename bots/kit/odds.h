#ifndef BOTS_KIT_ODDS_H
#define BOTS_KIT_ODDS_H

/* Card counting: which cards a seat has not seen in this round. They lie in the draw pile, in the
 * down cells, or in a hand that is not shown. */

#include "game/allegra.h"

struct odds {
    uint8_t unseen[ALLEGRA_CARD_VALUES]; /* how many of each value, the lowest first */
    unsigned count;                      /* of all */
};

/* What is left of the deck after everything that `view` shows and the discarded cards. Of the pile
 * a view shows the top card only, so whoever remembered the others hands them in, the top included;
 * with no `discards` only the top counts. */
struct odds odds_of(const struct allegra_view *view, const int8_t *discards,
                    unsigned discard_count);

#endif
