#ifndef REFEREE_TOURNAMENT_STATS_COMPONENTS_H
#define REFEREE_TOURNAMENT_STATS_COMPONENTS_H

/* Whether the places of a tournament allow ratings at all.
 *
 * Let A reach B if A was ever placed before B or level with it, or reaches a bot that reaches B.
 * The field falls into parts that never met, not even through others. A part falls into tiers, in
 * which every bot reaches every other: the likelihood has a maximum if there is one tier. If there
 * are more, a tier never lost to those that it reaches, and all that is known is that it is
 * stronger. The tier that has more bots than any other is the body of the part; if several are
 * largest, there is none. */

#include "tournament/stats/bit_matrix.h"

#include <stdbool.h>

/* All arrays are by bot. */
struct components {
    unsigned bots;
    unsigned *part;   /* the lowest number of a bot in its part */
    unsigned *tier;   /* the lowest number of a bot in its tier */
    bool *is_broken;  /* its part has more than one tier */
    bool *is_outside; /* it is not in the body of its part */
};

/* Free it with components_free(), which also takes NULL. */
struct components *components_new(const struct bit_matrix *beaten);
void components_free(struct components *components);

/* Shifts the strengths of each part so that the mean of its body is 0, or of the whole part if it
 * has no body. */
void components_centre(const struct components *components, double *strengths);

#endif
