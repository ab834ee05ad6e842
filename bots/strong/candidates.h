#ifndef BOTS_STRONG_CANDIDATES_H
#define BOTS_STRONG_CANDIDATES_H

/* The answers that are worth a closer look: those that greedy finds good or nearly so, and knocks
 * from which both sides may gain. */

#include "strong/guess.h"

#define CANDIDATES_MAX 8

struct candidates {
    unsigned count;
    struct allegra_answer list[CANDIDATES_MAX]; /* the cheapest first */
    int cost[CANDIDATES_MAX];                   /* in 256ths of a point */
};

/* Picks from `legal`, which is not empty; so there is at least one. `table` is any guess from the
 * same knowledge: nothing hidden in it counts. */
void candidates_pick(struct candidates *candidates, const struct knowledge *knowledge,
                     const struct allegra_legal *legal, const struct allegra_table *table);

#endif
