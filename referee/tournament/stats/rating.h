#ifndef REFEREE_TOURNAMENT_STATS_RATING_H
#define REFEREE_TOURNAMENT_STATS_RATING_H

/* Ratings by the Plackett-Luce model (see outcomes.h), with maximum likelihood, and how far they can be
 * trusted. The same input gives the same numbers to the last bit; the order of the results and the
 * numbering of blocks in gaps do not matter.
 *
 * Points: 400 are odds of ten to one. The mean of all bots is 0; the mean of each part of the field by
 * itself, if the field falls into parts that never met, not even through others. */

#include "tournament/store/result.h"
#include "tournament/stats/student_t.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RATING_BOOTSTRAPS 1000
#define RATING_BOOTSTRAPS_LEAST 100

/* Lent for the call. */
struct rating_input {
    const struct result *results;
    size_t count;
    unsigned bots;
    /* How many resamples; 0: RATING_BOOTSTRAPS. In a field of very many bots it takes fewer, but not
     * below RATING_BOOTSTRAPS_LEAST, to stay within some seconds. */
    unsigned bootstraps;
    uint64_t seed; /* of the resampling */
};

struct rating {
    double points; /* NaN for a bot without a match */
    /* NaN also for a bot that played in one deal block only. */
    struct interval interval;
    /* It won everything against some, or lost everything: no maximum, its rating would be infinite. So
     * every bot of its part of the field has been given half a win and half a loss against a ghost, and
     * the mean of 0 is that of the others. Its rating is a cautious guess, and so is its interval. */
    bool is_unbeaten;
};

struct ratings {
    unsigned bots;
    struct rating *of; /* by number of bot */
    unsigned bootstraps;
    /* what rating_can_tell() needs */
    unsigned *part;  /* by bot: which part of the field it belongs to */
    double *stretch; /* by bot: see rating.c */
    double *samples; /* resample s of bot b is [b * bootstraps + s] */
};

/* Give it back with ratings_free(), which takes NULL too. */
struct ratings *ratings_new(const struct rating_input *input);
void ratings_free(struct ratings *ratings);

/* Whether the 95 % interval of the difference of two bots' ratings leaves out 0. Never for two bots of
 * parts that never met. */
bool rating_can_tell(const struct ratings *ratings, unsigned one, unsigned other);

#endif
