#ifndef BOTS_KIT_ODDS_H
#define BOTS_KIT_ODDS_H

/* Card counting: which cards a seat has not seen in this round. They are in the draw pile, in
 * down cells, or in a hand that is not shown. */

#include <allegra.h>

struct odds {
    uint8_t unseen[ALLEGRA_CARD_VALUES]; /* how many of each value, the lowest first */
    unsigned count;                      /* of all */
};

/* What is left of the deck after everything that `view` shows and the discarded cards. A view
 * shows only the top card of that pile, so a caller that remembers the others passes all of them as
 * `discards`, including the top; without `discards` only the top counts. */
struct odds odds_of(const struct allegra_view *view, const int8_t *discards,
                    unsigned discard_count);

#endif
