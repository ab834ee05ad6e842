#ifndef REFEREE_TOURNAMENT_STATS_SPRT_H
#define REFEREE_TOURNAMENT_STATS_SPRT_H

/* Is NEW better than OLD? A test that looks after every deal block and stops as soon as it knows. A
 * plain value. */

#include "tournament/stats/student_t.h"

#include <stdbool.h>

#define SPRT_MARGIN 0.5
#define SPRT_ALPHA 0.05
#define SPRT_BETA 0.05
#define SPRT_LEAST 20
#define SPRT_MOST 2000

enum sprt_verdict {
    SPRT_GOES_ON,
    SPRT_BETTER,
    SPRT_WORSE,
    SPRT_NO_DIFFERENCE, /* none larger than the margin */
    SPRT_UNDECIDED,     /* after the most blocks that were allowed */
    SPRT_VERDICT_COUNT,
};

/* What is to be known, and how surely. */
struct sprt_setup {
    double margin;  /* the difference that matters, in points a round; above 0 */
    double alpha;   /* how often it may say "better" or "worse" if there is no difference */
    double beta;    /* how often it may fail to say "better" if NEW is better by the margin */
    unsigned least; /* blocks before any verdict; at least 2 */
    unsigned most;
};

struct sprt {
    struct sprt_setup setup;
    enum sprt_verdict verdict;
    unsigned blocks;
    double mean;    /* of the differences */
    double squares; /* sum of the squared deviations from it */
};

/* For the eye. */
struct sprt_view {
    enum sprt_verdict verdict;
    unsigned blocks;
    double
        mean; /* NEW's score a round minus OLD's: below 0 is better for NEW; NaN without a block */
    /* Covers the true difference with probability 1 - alpha at whatever moment the test is looked at or
     * stops, so it is wider than one for a fixed number of blocks. It leaves out 0 exactly if the
     * ratios below have crossed the bound of "better" or "worse". NaN before two blocks. */
    struct interval interval;
    double deviation; /* standard deviation of a block's difference, as the test takes it */
    /* Logs of likelihood ratios: for NEW being better by the margin against being equal, for being
     * worse by the margin against being equal. */
    double better_ratio;
    double worse_ratio;
    double high_bound; /* a ratio at or above it: "better", "worse" */
    double low_bound;  /* both at or below it: "no difference" */
    unsigned needed; /* about how many more blocks, if all goes on like this; never beyond `most` */
};

/* The setup that is used if nobody says otherwise. */
struct sprt_setup sprt_default(void);

/* Returns NULL, or one sentence about what cannot be in the setup. */
const char *sprt_problem(const struct sprt_setup *setup);

struct sprt sprt_start(const struct sprt_setup *setup);

/* Adds the next deal block: NEW's score a round in it minus OLD's. The order of blocks counts, so give
 * them in the order of the schedule. Returns the verdict, which is final: what is added after it is
 * left out, so that it does not matter how many matches were still being played. */
enum sprt_verdict sprt_add(struct sprt *sequential, double difference);

struct sprt_view sprt_look(const struct sprt *sequential);

/* "better", "no difference", … for programs: one word, `no_difference`. */
const char *sprt_word(enum sprt_verdict verdict);

#endif
