#ifndef REFEREE_TOURNAMENT_STATS_POINTS_MEAN_H
#define REFEREE_TOURNAMENT_STATS_POINTS_MEAN_H

/* The mean points per round of each bot, with its interval. What the points of a match are is
 * another function's matter, so that points can be counted as they fell or adjusted. */

#include "tournament/stats/student_t.h"
#include "tournament/store/result.h"

#include <stddef.h>

/* The points of a seat in a match, over all its rounds. */
typedef double points_fn(const struct result *result, unsigned seat);

/* As they fell. */
points_fn points_raw;

/* Without what the cards gave. */
points_fn points_adjusted;

/* NaN without a match. */
struct points_mean {
    double score; /* per round */
    /* Student's t over blocks; NaN for a bot with only one block. */
    struct interval interval;
    double seat_score[ALLEGRA_SEATS_MAX]; /* by seat */
};

/* Fills `means` by number of bot. The results must be in the order of their blocks. */
void points_means_find(const struct result *results, size_t count, unsigned bots, points_fn *points,
                       struct points_mean *means);

#endif
