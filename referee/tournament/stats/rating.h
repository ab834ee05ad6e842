#ifndef REFEREE_TOURNAMENT_STATS_RATING_H
#define REFEREE_TOURNAMENT_STATS_RATING_H

/* Ratings by the Plackett-Luce model (see outcomes.h), with maximum likelihood and intervals. The
 * same input gives the same numbers to the last bit; the order of the results and gaps in the
 * numbers of blocks do not matter.
 *
 * Points: 400 are odds of ten to one. The mean of all bots is 0; if the field falls into parts that
 * never met, not even through others, the mean of each part is 0. */

#include "tournament/schedule/schedule.h"
#include "tournament/stats/student_t.h"
#include "tournament/store/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RATING_BOOTSTRAPS 1000
#define RATING_REPLAYS 400 /* for Swiss */
#define RATING_BOOTSTRAPS_LEAST 100

/* Lent for the call. */
struct rating_input {
    const struct result *results;
    size_t count;
    unsigned bots;
    /* How many resamples; 0: RATING_BOOTSTRAPS, or RATING_REPLAYS for Swiss. With very many bots or
     * blocks there are fewer, but at least RATING_BOOTSTRAPS_LEAST, so that it takes only some
     * seconds. */
    unsigned bootstraps;
    uint64_t seed; /* of the resampling */
    /* Of a Swiss tournament, whose intervals need its pairing; otherwise NULL. */
    const struct schedule_setup *swiss;
    const bool *is_withdrawn; /* for Swiss: by number of bot; or NULL */
};

struct rating {
    double points; /* NaN for a bot without a match */
    /* NaN also for a bot that has played in only one block. */
    struct interval interval;
    /* It won everything against some bots, or lost everything: there is no maximum, its rating
     * would be infinite. So every bot of its part of the field gets half a win and half a loss
     * against a ghost, and the mean of the others is 0. Its rating is a cautious guess, and so is
     * its interval. */
    bool is_unbeaten;
};

struct ratings {
    unsigned bots;
    struct rating *of; /* by number of bot */
    unsigned bootstraps;
    /* for rank ranges: see rank_range.h */
    unsigned *part;  /* by bot: which part of the field it belongs to */
    double *freedom; /* by bot: degrees of freedom of its interval; infinite: it needs no stretch */
    double *samples; /* resample s of bot b is [b * bootstraps + s] */
};

/* Free it with ratings_free(), which also takes NULL. */
struct ratings *ratings_new(const struct rating_input *input);
void ratings_free(struct ratings *ratings);

/* How much further from the rating the ends of an interval are than the resamples say, apart from
 * Student's distribution: see rating.c. */
double rating_widening(double freedom);

#endif
