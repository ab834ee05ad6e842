/* One confidence sequence gives all verdicts: "better" and "worse" if its interval excludes 0,
 * "equal" if it lies within the margin. Since the interval is right at all looks together with
 * probability 1 - alpha, so is any verdict, and also whatever a person concludes from the interval
 * when the test ends without one.
 *
 * The ghost. A small change of a bot shows in few deals: most blocks have a difference of exactly
 * 0. If the few others mostly have the same sign, because NEW has a rare fault or OLD had one, the
 * spread of the first blocks says nothing about those to come. Therefore one deviation of
 * GHOST_POINTS is taken as seen. Measured with the starter bot in Python against itself with a
 * fault in 0.1 to 0.4 % of its answers: 8 to 19 % of the blocks differ, by 9 points on average and
 * by 13 in the root of the mean square. If 0.5 to 32 % of the blocks differ like that, the interval
 * misses the truth at most in 4.8 % of the comparisons; with a ghost of 8 points in 11 to 23 %.
 * With it, bots that never differ are "equal" after 165 blocks at the default margin; where bots
 * often differ, it costs two or three blocks. */

#include "tournament/stats/difference_test.h"

#include <math.h>
#include <stddef.h>

#define GHOST_POINTS 24.0

static const char *const verdict_names[DIFFERENCE_TEST_VERDICT_COUNT] = {
    [DIFFERENCE_TEST_OPEN] = "open",           [DIFFERENCE_TEST_BETTER] = "better",
    [DIFFERENCE_TEST_WORSE] = "worse",         [DIFFERENCE_TEST_EQUAL] = "equal",
    [DIFFERENCE_TEST_UNDECIDED] = "undecided",
};

struct difference_test_setup difference_test_default(void)
{
    return (struct difference_test_setup){
        .margin = DIFFERENCE_TEST_MARGIN,
        .alpha = DIFFERENCE_TEST_ALPHA,
        .least = DIFFERENCE_TEST_LEAST,
        .most = DIFFERENCE_TEST_MOST,
    };
}

const char *difference_test_problem(const struct difference_test_setup *setup)
{
    if (!(setup->margin > 0) || !isfinite(setup->margin))
        return "--margin must be above 0";
    if (!(setup->alpha > 0 && setup->alpha < 0.5))
        return "--alpha must be above 0 and below 0.5";
    if (setup->least < 2 || setup->most < setup->least)
        return "--least must be 2 or more, and --most not below it";
    return NULL;
}

struct difference_test difference_test_start(const struct difference_test_setup *setup)
{
    return (struct difference_test){.setup = *setup, .differences = {.ghost = GHOST_POINTS}};
}

void difference_test_add(struct difference_test *test, double difference)
{
    confidence_sequence_add(&test->differences, difference);
}

static bool is_excluded(const struct difference_test *test, double mean)
{
    return confidence_sequence_evidence(&test->differences, mean) >= -log(test->setup.alpha);
}

enum difference_test_verdict difference_test_verdict(const struct difference_test *test)
{
    const struct difference_test_setup *setup = &test->setup;
    unsigned blocks = test->differences.count;
    double mean = test->differences.mean;

    if (blocks < setup->least)
        return DIFFERENCE_TEST_OPEN;
    if (is_excluded(test, 0))
        return mean < 0 ? DIFFERENCE_TEST_BETTER : DIFFERENCE_TEST_WORSE;
    if (fabs(mean) < setup->margin && is_excluded(test, setup->margin) &&
        is_excluded(test, -setup->margin))
        return DIFFERENCE_TEST_EQUAL;
    return blocks < setup->most ? DIFFERENCE_TEST_OPEN : DIFFERENCE_TEST_UNDECIDED;
}

/* The verdict comes when the interval is narrow enough to exclude 0, or narrow enough to lie within
 * the margin, whichever is earlier at the current mean. */
static double blocks_needed(const struct difference_test *test)
{
    const struct difference_test_setup *setup = &test->setup;
    const struct confidence_sequence *differences = &test->differences;
    double distance = fabs(differences->mean);
    double all;

    if (differences->count < 2)
        return setup->least;
    all = confidence_sequence_values_for(differences, setup->alpha,
                                         fmax(distance, setup->margin - distance));
    return fmax(fmax(all, setup->least) - differences->count, 1);
}

static double chance_better(const struct confidence_sequence *differences)
{
    double deviation = confidence_sequence_deviation(differences);
    double freedom = differences->count - 1.0;

    if (differences->count < 2)
        return 0.5;
    return student_t_below(-differences->mean / deviation * sqrt(differences->count), freedom);
}

struct difference_test_view difference_test_look(const struct difference_test *test)
{
    const struct confidence_sequence *differences = &test->differences;
    enum difference_test_verdict verdict = difference_test_verdict(test);
    bool has_answer = verdict != DIFFERENCE_TEST_OPEN && verdict != DIFFERENCE_TEST_UNDECIDED;

    return (struct difference_test_view){
        .verdict = verdict,
        .blocks = differences->count,
        .mean = differences->count > 0 ? differences->mean : NAN,
        .interval = confidence_sequence_interval(differences, test->setup.alpha),
        .deviation = confidence_sequence_deviation(differences),
        .p_value = fmin(exp(-confidence_sequence_evidence(differences, 0)), 1),
        .chance_better = chance_better(differences),
        .blocks_needed = has_answer ? 0 : blocks_needed(test),
        .is_identical =
            differences->count > 0 && differences->mean == 0 && differences->squares == 0,
    };
}

const char *difference_test_verdict_name(enum difference_test_verdict verdict)
{
    return verdict_names[verdict];
}
