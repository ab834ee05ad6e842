#include "tournament/stats/difference_test.h"

#include "base/text.h"
#include "support/block_differences.h"
#include "support/effort.h"
#include "support/simulated_tournament.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(difference_test);

static struct difference_test_view run(const struct difference_test_setup *setup,
                                       const double *differences, unsigned count)
{
    struct difference_test test = difference_test_start(setup);

    for (unsigned i = 0; difference_test_verdict(&test) == DIFFERENCE_TEST_OPEN; i++)
        difference_test_add(&test, differences[i % count]);
    return difference_test_look(&test);
}

Test(difference_test, bots_that_never_differ_are_equal_after_165_blocks)
{
    struct difference_test_setup setup = difference_test_default();
    struct difference_test_view view = run(&setup, (double[]){0}, 1);

    cr_assert_eq(view.verdict, DIFFERENCE_TEST_EQUAL);
    cr_assert_eq(view.blocks, 165, "%u", view.blocks);
    cr_assert(view.is_identical);
    cr_assert_eq(view.mean, 0);
    cr_assert_eq(view.blocks_needed, 0);
    cr_assert_eq(view.p_value, 1);
    cr_assert_eq(view.chance_better, 0.5);
    cr_assert_not(run(&setup, (double[]){1, -1}, 2).is_identical);
}

static const struct {
    double differences[4];
    unsigned count;
    enum difference_test_verdict verdict;
    unsigned blocks_most;
} cases[] = {
    {{-30}, 1, DIFFERENCE_TEST_BETTER, 9},
    {{30}, 1, DIFFERENCE_TEST_WORSE, 9},
    {{-1e6}, 1, DIFFERENCE_TEST_BETTER, 9},
    {{-20, 2}, 2, DIFFERENCE_TEST_BETTER, 28}, /* 9 points, deviation 11 */
    {{-9, 13}, 2, DIFFERENCE_TEST_WORSE, 360}, /* 2 points, deviation 11 */
    {{-0.5}, 1, DIFFERENCE_TEST_BETTER, 170},
    {{-0.2}, 1, DIFFERENCE_TEST_EQUAL, 350},
    {{-4, 4}, 2, DIFFERENCE_TEST_EQUAL, 800},
    {{-4, 3}, 2, DIFFERENCE_TEST_BETTER, 800},
    {{0, 0, 0, 0.4}, 4, DIFFERENCE_TEST_EQUAL, 250},
    {{-100, 100}, 2, DIFFERENCE_TEST_UNDECIDED, 10000},
};

Test(difference_test, verdicts_are_those_that_plain_differences_call_for)
{
    struct difference_test_setup setup = difference_test_default();

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct difference_test_view view = run(&setup, cases[i].differences, cases[i].count);

        cr_assert_eq(view.verdict, cases[i].verdict, "%zu: %s after %u", i,
                     difference_test_verdict_name(view.verdict), view.blocks);
        cr_assert_leq(view.blocks, cases[i].blocks_most, "%zu: %u", i, view.blocks);
        cr_assert_eq(view.blocks_needed == 0, view.verdict != DIFFERENCE_TEST_UNDECIDED);
    }
}

Test(difference_test, a_verdict_waits_for_the_least_and_gives_up_after_the_most)
{
    struct difference_test_setup setup = difference_test_default();

    setup.least = 40;
    cr_assert_eq(run(&setup, (double[]){-30}, 1).blocks, 40);
    setup.least = 2;
    setup.most = 5;
    cr_assert_eq(run(&setup, (double[]){-30}, 1).verdict, DIFFERENCE_TEST_UNDECIDED);
    cr_assert_eq(run(&setup, (double[]){-30}, 1).blocks, 5);
}

/* Up to the third block: nothing, one, two. */
Test(difference_test, little_is_said_after_few_blocks)
{
    struct difference_test_setup setup = difference_test_default();
    struct difference_test test = difference_test_start(&setup);
    struct difference_test_view view = difference_test_look(&test);

    cr_assert(view.verdict == DIFFERENCE_TEST_OPEN && view.blocks == 0 && isnan(view.mean));
    cr_assert(isnan(view.interval.low) && view.chance_better == 0.5 && view.p_value == 1);
    cr_assert(view.blocks_needed > 0 && !view.is_identical);
    difference_test_add(&test, NAN);
    cr_assert_eq(difference_test_look(&test).blocks, 0);
    difference_test_add(&test, -3);
    view = difference_test_look(&test);
    cr_assert(view.verdict == DIFFERENCE_TEST_OPEN && view.mean == -3 && isnan(view.deviation));
    cr_assert(isinf(view.interval.low) && isinf(view.interval.high) && view.chance_better == 0.5);
    difference_test_add(&test, -3);
    view = difference_test_look(&test);
    cr_assert_eq(view.verdict, DIFFERENCE_TEST_OPEN);
    cr_assert(view.chance_better > 0.5 && view.chance_better < 0.8, "%g", view.chance_better);
}

static const struct {
    struct difference_test_setup setup;
    const char *problem;
} setups[] = {
    {{.margin = 0, .alpha = 0.05, .least = 2, .most = 9}, "--margin must be above 0"},
    {{.margin = NAN, .alpha = 0.05, .least = 2, .most = 9}, "--margin must be above 0"},
    {{.margin = 1, .alpha = 0, .least = 2, .most = 9}, "--alpha must be above 0 and below 0.5"},
    {{.margin = 1, .alpha = 0.5, .least = 2, .most = 9}, "--alpha must be above 0 and below 0.5"},
    {{.margin = 1, .alpha = NAN, .least = 2, .most = 9}, "--alpha must be above 0 and below 0.5"},
    {{.margin = 1, .alpha = 0.05, .least = 1, .most = 9},
     "--least must be 2 or more, and --most not below it"},
    {{.margin = 1, .alpha = 0.05, .least = 3, .most = 2},
     "--least must be 2 or more, and --most not below it"},
};

Test(difference_test, wrong_setups_get_a_sentence)
{
    struct difference_test_setup setup = difference_test_default();

    cr_assert_null(difference_test_problem(&setup));
    for (size_t i = 0; i < ARRAY_LEN(setups); i++)
        cr_assert_str_eq(difference_test_problem(&setups[i].setup), setups[i].problem, "%zu", i);
}

/* Shapes of differences: those of real blocks, and some that are worse. All have mean 0. */

static double draw_normal(struct allegra_dice *dice)
{
    return 12 * simulated_tournament_normal(dice);
}

static double draw_skewed(struct allegra_dice *dice)
{
    return 12 * (simulated_tournament_exponential(dice) - 1);
}

/* Student's t with 3 degrees of freedom. */
static double draw_heavy(struct allegra_dice *dice)
{
    double squares = 0;

    for (int i = 0; i < 3; i++)
        squares += pow(simulated_tournament_normal(dice), 2);
    return 12 * simulated_tournament_normal(dice) / sqrt(squares);
}

static double draw_rare(struct allegra_dice *dice)
{
    if (allegra_dice_below(dice, 20) != 0)
        return 0;
    return 10 * simulated_tournament_normal(dice);
}

#define MADE_UP 4

static double (*const made_up[MADE_UP])(struct allegra_dice *dice) = {draw_normal, draw_skewed,
                                                                      draw_heavy, draw_rare};

#define SHAPES (MADE_UP + BLOCK_DIFFERENCES_COUNT)

static double draw(unsigned shape, struct allegra_dice *dice)
{
    return shape < MADE_UP
               ? made_up[shape](dice)
               : block_differences_draw((enum block_differences)(shape - MADE_UP), dice);
}

/* Whether the interval misses the true mean at any of so many looks. */
static bool misses(unsigned shape, double mean, unsigned looks, struct allegra_dice *dice)
{
    struct difference_test_setup setup = difference_test_default();
    struct difference_test test = difference_test_start(&setup);

    for (unsigned i = 0; i < looks; i++) {
        difference_test_add(&test, mean + draw(shape, dice));
        if (confidence_sequence_evidence(&test.differences, mean) >= -log(setup.alpha))
            return true;
    }
    return false;
}

Test(difference_test, the_interval_has_the_truth_at_all_looks_whatever_the_shape)
{
    unsigned trials = effort(600);

    for (unsigned shape = 0; shape < SHAPES; shape++) {
        struct allegra_dice dice = allegra_dice_from(shape + 1);
        unsigned missed = 0;

        for (unsigned i = 0; i < trials; i++)
            missed += misses(shape, 2, 500, &dice);
        cr_assert_leq(missed, 0.05 * trials + 2 * sqrt(0.05 * 0.95 * trials), "shape %u: %u of %u",
                      shape, missed, trials);
    }
}

/* What came out of many tests. */
struct outcome {
    unsigned verdicts[DIFFERENCE_TEST_VERDICT_COUNT];
    double blocks; /* mean */
};

static struct outcome simulate(unsigned shape, double mean, unsigned trials)
{
    struct difference_test_setup setup = difference_test_default();
    struct allegra_dice dice = allegra_dice_from(shape + 100);
    struct outcome outcome = {0};

    for (unsigned i = 0; i < trials; i++) {
        struct difference_test test = difference_test_start(&setup);
        enum difference_test_verdict verdict;

        do {
            difference_test_add(&test, mean + draw(shape, &dice));
            verdict = difference_test_verdict(&test);
        } while (verdict == DIFFERENCE_TEST_OPEN);
        outcome.verdicts[verdict]++;
        outcome.blocks += (double)test.differences.count / trials;
    }
    return outcome;
}

Test(difference_test, a_large_difference_is_seen_after_a_few_blocks)
{
    for (unsigned shape = 0; shape < SHAPES; shape++) {
        struct outcome worse = simulate(shape, 9, 200);
        struct outcome better = simulate(shape, -9, 200);
        struct outcome much_better = simulate(shape, -40, 200);

        cr_assert_eq(worse.verdicts[DIFFERENCE_TEST_WORSE], 200, "shape %u", shape);
        cr_assert_eq(better.verdicts[DIFFERENCE_TEST_BETTER], 200, "shape %u", shape);
        cr_assert_leq(worse.blocks, 33, "shape %u: %g", shape, worse.blocks);
        cr_assert_leq(better.blocks, 33, "shape %u: %g", shape, better.blocks);
        cr_assert_leq(much_better.blocks, 11, "shape %u: %g", shape, much_better.blocks);
    }
}

Test(difference_test, equal_bots_are_found_to_be_equal)
{
    static const unsigned shapes[] = {3, MADE_UP + BLOCK_DIFFERENCES_CLOSE,
                                      MADE_UP + BLOCK_DIFFERENCES_FIELD};

    for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
        struct outcome outcome = simulate(shapes[i], 0, 40);

        cr_assert_geq(outcome.verdicts[DIFFERENCE_TEST_EQUAL], 36, "shape %u: %u", shapes[i],
                      outcome.verdicts[DIFFERENCE_TEST_EQUAL]);
    }
}

Test(difference_test, a_difference_of_the_margin_is_not_called_equal)
{
    struct outcome outcome = simulate(MADE_UP + BLOCK_DIFFERENCES_FIELD, -0.5, 40);

    cr_assert_leq(outcome.verdicts[DIFFERENCE_TEST_EQUAL], 2);
    cr_assert_eq(outcome.verdicts[DIFFERENCE_TEST_WORSE], 0);
    cr_assert_geq(outcome.verdicts[DIFFERENCE_TEST_BETTER], 30);
}

/* In most blocks it makes no difference; where it does, NEW mostly has more points. */
Test(difference_test, a_bot_with_a_rare_fault_is_not_called_equal)
{
    struct outcome outcome = simulate(MADE_UP + BLOCK_DIFFERENCES_FAULTY, 0.7, 400);

    cr_assert_leq(outcome.verdicts[DIFFERENCE_TEST_EQUAL], 8, "%u",
                  outcome.verdicts[DIFFERENCE_TEST_EQUAL]);
    cr_assert_eq(outcome.verdicts[DIFFERENCE_TEST_BETTER], 0);
}

Test(difference_test, the_verdict_and_the_interval_agree)
{
    struct difference_test_setup setup = difference_test_default();
    struct allegra_dice dice = allegra_dice_from(9);
    struct difference_test test = difference_test_start(&setup);

    for (unsigned i = 0; i < 3000; i++) {
        struct difference_test_view view;

        difference_test_add(&test, 0.9 * (i > 1000) +
                                       block_differences_draw(BLOCK_DIFFERENCES_CLOSE, &dice));
        view = difference_test_look(&test);
        cr_assert_eq(view.verdict == DIFFERENCE_TEST_BETTER, view.interval.high < 0);
        cr_assert_eq(view.verdict == DIFFERENCE_TEST_WORSE, view.interval.low > 0);
        cr_assert_eq(view.verdict == DIFFERENCE_TEST_EQUAL,
                     view.interval.low <= 0 && view.interval.high >= 0 &&
                         view.interval.low > -setup.margin && view.interval.high < setup.margin);
        cr_assert_eq(view.p_value <= setup.alpha, view.interval.high < 0 || view.interval.low > 0);
    }
}

Test(difference_test, the_blocks_still_needed_are_about_right)
{
    static const double differences[][2] = {{-3.7, 2.3}, {-4, 4}, {-12, 8}};
    struct difference_test_setup setup = difference_test_default();

    for (size_t i = 0; i < ARRAY_LEN(differences); i++) {
        struct difference_test test = difference_test_start(&setup);
        double guess;
        double needed;

        for (unsigned j = 0; j < 20; j++)
            difference_test_add(&test, differences[i][j % 2]);
        guess = difference_test_look(&test).blocks_needed;
        needed = run(&setup, differences[i], 2).blocks - 20.0;
        cr_assert_float_eq(guess, needed, 0.1 * needed + 2, "%g, not %g", guess, needed);
    }
}
