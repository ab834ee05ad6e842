#ifndef REFEREE_TOURNAMENT_STATS_SPRT_H
#define REFEREE_TOURNAMENT_STATS_SPRT_H

/* Is NEW better than OLD? A sequential test that decides after every block whether it knows enough.
 * A plain value. */

#include "tournament/stats/student_t.h"

#include <stdbool.h>

#define SPRT_MARGIN 0.5
#define SPRT_ALPHA 0.05
#define SPRT_BETA 0.05
#define SPRT_LEAST 20
#define SPRT_MOST 2000

enum sprt_verdict {
    SPRT_OPEN,
    SPRT_BETTER,
    SPRT_WORSE,
    SPRT_NO_DIFFERENCE, /* none larger than the margin */
    SPRT_UNDECIDED,     /* after as many blocks as were allowed */
    SPRT_VERDICT_COUNT,
};

/* The question, and how certain the answer must be. */
struct sprt_setup {
    double margin;  /* the difference that matters, in points per round; above 0 */
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

/* The state of a test, for people. */
struct sprt_view {
    enum sprt_verdict verdict;
    unsigned blocks;
    double mean; /* NEW's score per round minus OLD's: below 0 NEW is better; NaN without a block */
    /* Covers the true difference with probability 1 - alpha at whatever time the test is looked at
     * or stops, so it is wider than one for a fixed number of blocks. It excludes 0 exactly if the
     * ratios below have crossed the bound of "better" or "worse". NaN before two blocks. */
    struct interval interval;
    double deviation; /* standard deviation of a block's difference, as estimated by the test */
    /* Logs of likelihood ratios: for NEW being better by the margin against being equal, for being
     * worse by the margin against being equal. */
    double better_ratio;
    double worse_ratio;
    double high_bound; /* a ratio at or above it: "better", "worse" */
    double low_bound;  /* both at or below it: "no difference" */
    unsigned needed;   /* about how many more blocks at this rate; never beyond `most` */
};

/* The default setup. */
struct sprt_setup sprt_default(void);

/* Returns NULL, or one sentence about what is wrong with the setup. */
const char *sprt_problem(const struct sprt_setup *setup);

struct sprt sprt_start(const struct sprt_setup *setup);

/* Adds the next block: NEW's score per round in it minus OLD's. The order of blocks matters, so add
 * them in the order of the schedule. Returns the verdict, which is final: blocks that are added
 * after it are ignored, so that it does not matter how many matches were still running. */
enum sprt_verdict sprt_add(struct sprt *test, double difference);

struct sprt_view sprt_look(const struct sprt *test);

/* "better", "no_difference", … for programs. */
const char *sprt_verdict_name(enum sprt_verdict verdict);

#endif
