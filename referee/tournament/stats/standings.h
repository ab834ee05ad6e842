#ifndef REFEREE_TOURNAMENT_STATS_STANDINGS_H
#define REFEREE_TOURNAMENT_STATS_STANDINGS_H

/* The standings of a tournament: a row per bot, ratings, and the results of each pair. Pure
 * arithmetic over results: the same results give the same numbers to the last bit, in whatever
 * order they come. */

#include "base/histogram.h"
#include "tournament/stats/peek.h"
#include "tournament/stats/rank_range.h"
#include "tournament/stats/repeat_gain.h"
#include "tournament/stats/student_t.h"
#include "tournament/store/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    bool ignores_luck;             /* nothing is adjusted */
    const struct schedule_setup *swiss; /* of a Swiss tournament; otherwise NULL: see rating.h */
};

/* One bot. */
struct standing {
    unsigned bot;
    const char *name; /* lent */
    bool is_withdrawn;
    unsigned matches;
    unsigned rounds;
    double score; /* mean points per round; NaN without a match, as all that follow */
    /* Student's t over blocks; like all intervals, NaN for a bot with only one block. */
    struct interval score_interval;
    double win_share; /* a shared first place counts as a fraction */
    /* Score and win share without what the cards gave: they have the same means and less chance in
     * them. NaN unless `is_adjusted` of the standings. */
    double adjusted;
    struct interval adjusted_interval;
    double adjusted_win_share;
    unsigned places[ALLEGRA_SEATS_MAX];       /* how often first, second, … */
    unsigned seat_matches[ALLEGRA_SEATS_MAX]; /* by seat */
    double seat_score[ALLEGRA_SEATS_MAX];
    struct peek peek;                   /* are its choices luckier than chance? */
    struct repeat_gain repeat;          /* does it play a deal better when it comes again? */
    unsigned faults[BOT_OUTCOME_COUNT]; /* by cause */
    unsigned fault_count;
    int64_t median_us; /* 0 if there are no times */
    int64_t p99_us;
    double rating; /* 400 points are odds of ten to one; the mean of all is 0: see rating.h */
    struct interval rating_interval;
    bool is_unbeaten;        /* won or lost everything against some bots: see rating.h */
    struct rank_range ranks; /* the ranks that it may have; zeros without a match */
    /* The distribution of scores per round over its matches: where bin 0 starts, the width of a bin
     * (the same for all bots), and how many matches are in each. */
    double score_least;
    double score_step;
    unsigned score_bins[STANDINGS_BINS];
};

struct standings {
    struct standing *rows; /* best rating first (then score, number), bots without a match last */
    unsigned count;
    unsigned blocks;
    size_t matches;
    unsigned seats;   /* at the largest table */
    bool is_adjusted; /* luck was measured in all matches, and not to be ignored */
    bool has_peeks;   /* luck was measured in some matches */
    bool has_repeats; /* a bot played a deal more than once */
    /* By row: the share of their common matches in which row i was placed before row j; a shared
     * place counts half; NaN if they never met. `met` counts the matches. [i * count + j] */
    double *cross;
    unsigned *met;
};

/* Free it with standings_free(), which also takes NULL. */
struct standings *standings_new(const struct standings_input *input);
void standings_free(struct standings *standings);

#endif
