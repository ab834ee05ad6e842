#ifndef REFEREE_TOURNAMENT_STANDINGS_H
#define REFEREE_TOURNAMENT_STANDINGS_H

/* What a tournament came to: a row a bot, ratings, and who did how against whom. Pure arithmetic over
 * results: the same results in the same order give the same numbers to the last bit. */

#include "base/spread.h"
#include "tournament/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where 19 of 20 times the true value lies. */
struct interval {
    double low;
    double high;
};

#define STANDINGS_GROUP_MAX 64
#define STANDINGS_BINS 24

/* What standings are made of. Lent for the call. */
struct standings_input {
    const struct result *results; /* those that count, in the order of the schedule */
    size_t count;
    unsigned bots;
    const char *const *names;   /* by number of bot */
    const bool *is_withdrawn;   /* by number of bot; or NULL */
    const struct spread *times; /* thinking times by number of bot; or NULL */
    unsigned bootstraps;        /* how many resamples for the ratings' intervals; 0: 1000 */
    uint64_t seed;              /* of the resampling */
};

/* One bot. */
struct standing {
    unsigned bot;
    const char *name; /* lent */
    bool is_withdrawn;
    unsigned matches;
    unsigned rounds;
    double score; /* the mean a round, in points; NaN without a match, as all that follows */
    struct interval score_interval;         /* Student's t over the means of deal blocks */
    double win_share;                       /* a shared first place counts as a part of it */
    unsigned places[RULES_SEATS_MAX];       /* how often first, second, … */
    unsigned seat_matches[RULES_SEATS_MAX]; /* by the seat it had */
    double seat_score[RULES_SEATS_MAX];
    unsigned faults[BOT_OUTCOME_COUNT]; /* by cause */
    unsigned fault_count;
    int64_t median_us;
    int64_t p99_us;
    double rating; /* in points of which 400 are odds of ten to one; the mean of all is 0 */
    struct interval rating_interval;
    bool is_unbeaten; /* the likelihood has no maximum: it won or lost everything against some */
    char groups[STANDINGS_GROUP_MAX]; /* letters; bots that share one can't be told apart */
    double score_least; /* of the distribution of its scores a round: the left end of bin 0, */
    double score_step;  /* the width of a bin, alike for all bots, */
    unsigned score_bins[STANDINGS_BINS];
};

struct standings {
    struct standing *rows; /* best rating first, bots without a match last */
    unsigned count;
    unsigned blocks;
    size_t matches;
    unsigned seats; /* at the largest table */
    /* By row: in which share of their common matches row i was placed before row j, a shared place
     * counting half; NaN if they never met. `met` counts the matches. [i * count + j] */
    double *cross;
    unsigned *met;
};

/* Give it back with standings_free(), which takes NULL too. */
struct standings *standings_new(const struct standings_input *input);
void standings_free(struct standings *standings);

#endif
