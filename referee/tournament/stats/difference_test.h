#ifndef REFEREE_TOURNAMENT_STATS_DIFFERENCE_TEST_H
#define REFEREE_TOURNAMENT_STATS_DIFFERENCE_TEST_H

/* Is NEW better than OLD? Looks after every block of matches and has a verdict as soon as the
 * confidence sequence of the differences allows one. A plain value. */

#include "tournament/stats/confidence_sequence.h"

#include <stdbool.h>

#define DIFFERENCE_TEST_MARGIN 0.5
#define DIFFERENCE_TEST_ALPHA 0.05
#define DIFFERENCE_TEST_LEAST 2
#define DIFFERENCE_TEST_MOST 10000

enum difference_test_verdict {
    DIFFERENCE_TEST_OPEN,
    DIFFERENCE_TEST_BETTER,    /* NEW has fewer points, by however little */
    DIFFERENCE_TEST_WORSE,     /* NEW has more points */
    DIFFERENCE_TEST_EQUAL,     /* no difference that matters: none larger than the margin */
    DIFFERENCE_TEST_UNDECIDED, /* after as many blocks as were allowed */
    DIFFERENCE_TEST_VERDICT_COUNT,
};

struct difference_test_setup {
    double margin;  /* the smallest difference that matters, in points per round; above 0 */
    double alpha;   /* the probability with which a verdict may be wrong */
    unsigned least; /* blocks before any verdict */
    unsigned most;
};

struct difference_test {
    struct difference_test_setup setup;
    struct confidence_sequence differences;
};

/* What is known so far. Differences are NEW's points per round minus OLD's: below 0 NEW is
 * better. */
struct difference_test_view {
    enum difference_test_verdict verdict;
    unsigned blocks;
    double mean; /* NaN without a block */
    /* Contains the true difference with probability 1 - alpha, at all looks together. Infinite as
     * long as there are too few blocks. */
    struct interval interval;
    double deviation; /* of a block's difference; NaN before the second block */
    /* An upper bound of the probability to ever see so much evidence against equality if NEW and
     * OLD are equal. At most 1. */
    double p_value;
    /* The probability that NEW is better, for somebody who knew nothing before. 0.5 before the
     * second block. */
    double chance_better;
    double blocks_needed; /* about how many more until a verdict; 0 with a verdict */
    bool is_identical;    /* all blocks had a difference of 0 */
};

/* The default setup. */
struct difference_test_setup difference_test_default(void);

/* Returns NULL, or one sentence about what is wrong with the setup. */
const char *difference_test_problem(const struct difference_test_setup *setup);

struct difference_test difference_test_start(const struct difference_test_setup *setup);

/* Adds the next block, in the order of the schedule: a test that may stop at any block must not
 * choose which block is next. */
void difference_test_add(struct difference_test *test, double difference);

/* The verdict at this block. It is the caller who stops at the first one: a verdict can become open
 * again with further blocks. */
enum difference_test_verdict difference_test_verdict(const struct difference_test *test);

struct difference_test_view difference_test_look(const struct difference_test *test);

/* "better", "undecided", … for programs. */
const char *difference_test_verdict_name(enum difference_test_verdict verdict);

#endif
