#ifndef REFEREE_TOURNAMENT_PARTS_H
#define REFEREE_TOURNAMENT_PARTS_H

/* Whether the places of a tournament allow ratings at all.
 *
 * Let A reach B if A was ever placed before B or level with it, or reaches somebody who reaches B. The
 * field falls into parts that never met, not even through others. A part falls into tiers, in which
 * everybody reaches everybody: the likelihood has a maximum if there is one tier. If there are more, a
 * tier never lost to those that it reaches, and all one knows is that it is stronger. The one tier that
 * has more bots than any other is the body of the part; if the largest are several, there is none. */

#include "tournament/relation.h"

#include <stdbool.h>

/* All arrays are by bot. */
struct parts {
    unsigned bots;
    unsigned *part;   /* the lowest number of a bot in its part */
    unsigned *tier;   /* the same of its tier */
    bool *is_broken;  /* its part has more than one tier */
    bool *is_outside; /* of its part's body */
};

/* Give it back with parts_free(), which takes NULL too. */
struct parts *parts_new(const struct relation *beaten);
void parts_free(struct parts *parts);

/* Shifts the strengths of each part so that the mean of its body is 0, or of all of it if it has
 * none. */
void parts_centre(const struct parts *parts, double *strengths);

#endif
