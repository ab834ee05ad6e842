#ifndef BOTS_NEGOTIATOR_NEGOTIATE_H
#define BOTS_NEGOTIATOR_NEGOTIATE_H

/* How `negotiator` plays: with a light search, and by talking. As the active player it says which
 * knock it would like and calls for another bidding round; as a knocker it follows the requests
 * of others if they suit it, and keeps its word. All other bids and answers come from the search,
 * which simulates each offer. */

#include "kit/kit.h"

struct negotiation {
    unsigned samples;   /* guesses of the search */
    bool is_timed;      /* the search looks at the clock */
    unsigned requested; /* mask: the seats that got a request in this turn */
};

/* Chooses one of the kit's legal answers, and may say something with it. */
struct allegra_answer negotiate(struct negotiation *negotiation, struct kit *kit);

#endif
