#ifndef REFEREE_TOURNAMENT_STATS_STANDINGS_H
#define REFEREE_TOURNAMENT_STATS_STANDINGS_H

/* What a tournament came to: a row a bot, ratings, and who did how against whom. Pure arithmetic over
 * results: the same results give the same numbers to the last bit, in whatever order they come. */

#include "base/histogram.h"
#include "tournament/store/result.h"
#include "tournament/stats/student_t.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STANDINGS_GROUP_MAX 64
#define STANDINGS_BINS 24

/* What standings are made of. Lent for the call. */
struct standings_input {
    const struct result *results; /* those that count, in the order of the schedule */
    size_t count;
    unsigned bots;
    const char *const *names;      /* by number of bot */
    const bool *is_withdrawn;      /* by number of bot; or NULL */
    const struct histogram *times; /* thinking times by number of bot; or NULL */
    unsigned bootstraps;           /* resamples for the ratings' intervals; 0: as rating.h says */
    uint64_t seed;                 /* of the resampling */
};

/* One bot. */
struct standing {
    unsigned bot;
    const char *name; /* lent */
    bool is_withdrawn;
    unsigned matches;
    unsigned rounds;
    double score; /* the mean a round, in points; NaN without a match, as all that follows */
    /* Student's t over deal blocks; as all intervals, NaN for a bot of one block only. */
    struct interval score_interval;
    double win_share;                         /* a shared first place counts as a part of it */
    unsigned places[ALLEGRA_SEATS_MAX];       /* how often first, second, … */
    unsigned seat_matches[ALLEGRA_SEATS_MAX]; /* by the seat it had */
    double seat_score[ALLEGRA_SEATS_MAX];
    unsigned faults[BOT_OUTCOME_COUNT]; /* by cause */
    unsigned fault_count;
    int64_t median_us; /* 0 if there are no times */
    int64_t p99_us;
    double
        rating; /* in points of which 400 are odds of ten to one; the mean of all is 0: rating.h */
    struct interval rating_interval;
    bool is_unbeaten; /* the likelihood has no maximum: it won or lost everything against some */
    /* Letters, see letter_groups.h: two bots share one exactly if they can't be told apart. Empty without a
     * match. */
    char groups[STANDINGS_GROUP_MAX];
    double
        score_least;   /* of the distribution of its matches' scores a round: where bin 0 begins, */
    double score_step; /* and the width of a bin; both alike for all bots */
    unsigned score_bins[STANDINGS_BINS];
};

struct standings {
    struct standing *rows; /* best rating first (then score, number), bots without a match last */
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
