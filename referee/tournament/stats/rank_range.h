#ifndef REFEREE_TOURNAMENT_STATS_RANK_RANGE_H
#define REFEREE_TOURNAMENT_STATS_RANK_RANGE_H

/* Which ranks a bot may have: with a confidence of 95 %, the true ranks of all bots are in their
 * ranges, of all at once. So in 19 of 20 tournaments no range is wrong, and identical bots all have
 * the same range. */

#include "tournament/stats/rating.h"

/* Ranks count from 1 among the bots that have played; 0 for a bot that has not. */
struct rank_range {
    unsigned best;
    unsigned worst;
};

/* By number of bot; free it. */
struct rank_range *rank_ranges_new(const struct ratings *ratings);

/* The value that the largest difference among so many independent normal numbers of variance 1/2
 * exceeds in 5 % of cases: a quantile of the studentised range, over the square root of 2. */
double rank_range_least(unsigned numbers);

#endif
