#ifndef BOTS_NEGOTIATOR_NEGOTIATE_H
#define BOTS_NEGOTIATOR_NEGOTIATE_H

/* How `negotiator` plays: with a light search, and with words. As the active player it says which
 * knock it wishes for and holds another bidding round; as a knocker it follows the wishes of others
 * if they suit it, and keeps its word about them. What it bids and accepts otherwise comes from the
 * search, which plays on from each offer. */

#include "kit/kit.h"

struct negotiation {
    unsigned samples; /* guesses of the search */
    bool is_timed;    /* the search looks at the clock */
    unsigned told;    /* mask: the seats that were told a wish in this turn */
};

/* Chooses one of the kit's legal answers, and may have something said with it. */
struct allegra_answer negotiate(struct negotiation *negotiation, struct kit *kit);

#endif
