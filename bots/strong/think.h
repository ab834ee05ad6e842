#ifndef BOTS_STRONG_THINK_H
#define BOTS_STRONG_THINK_H

/* Runs the search with everything that the kit has heard, within the time of the question. */

#include "kit/kit.h"

/* How to search. */
struct think_terms {
    unsigned samples; /* at most so many sampled tables */
    bool is_timed;    /* by the clock; if not, the same match is always played in the same way */
    bool is_full;     /* play each game to the end of the round, without the value function */
};

/* Chooses one of the kit's legal answers. */
struct allegra_answer think(struct kit *kit, const struct think_terms *terms);

#endif
