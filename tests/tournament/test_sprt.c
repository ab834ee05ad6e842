#include "tournament/stats/sprt.h"

#include "base/text.h"
#include "support/simulated_tournament.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(sprt);

static struct sprt run(const struct sprt_setup *setup, const double *differences, unsigned count)
{
    struct sprt test = sprt_start(setup);

    for (unsigned i = 0; test.verdict == SPRT_OPEN; i++)
        sprt_add(&test, differences[i % count]);
    return test;
}

Test(sprt, says_that_equal_bots_do_not_differ_after_32_blocks)
{
    struct sprt_setup setup = sprt_default();
    struct sprt test = run(&setup, (double[]){0}, 1);
    struct sprt_view view = sprt_look(&test);

    cr_assert_eq(view.verdict, SPRT_NO_DIFFERENCE);
    cr_assert_eq(view.blocks, 32);
    cr_assert_eq(view.mean, 0);
    cr_assert_eq(view.needed, 0);
    cr_assert_leq(view.better_ratio, view.low_bound);
    cr_assert_eq(view.better_ratio, view.worse_ratio);
}

/* The margin is 0.5; 0 means that no verdict but "undecided" may come. */
static const struct {
    double differences[4];
    unsigned count;
    enum sprt_verdict verdict;
    unsigned blocks_most;
} cases[] = {
    {{-3}, 1, SPRT_BETTER, 20},           {{3}, 1, SPRT_WORSE, 20},
    {{-1000}, 1, SPRT_BETTER, 20},        {{-0.5}, 1, SPRT_BETTER, 40},
    {{-0.25}, 1, SPRT_UNDECIDED, 2000},   {{-4, 4}, 2, SPRT_NO_DIFFERENCE, 500},
    {{-4, 3}, 2, SPRT_BETTER, 500},       {{-3, 4}, 2, SPRT_WORSE, 500},
    {{0, 0, 0, -4}, 4, SPRT_BETTER, 100}, {{0, 0, 0, 0.4}, 4, SPRT_NO_DIFFERENCE, 60},
};

Test(sprt, verdicts_are_those_that_plain_differences_call_for)
{
    struct sprt_setup setup = sprt_default();

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct sprt test = run(&setup, cases[i].differences, cases[i].count);

        cr_assert_eq(test.verdict, cases[i].verdict, "%zu: %s", i, sprt_verdict_name(test.verdict));
        cr_assert_leq(test.blocks, cases[i].blocks_most, "%zu: %u", i, test.blocks);
        cr_assert_geq(test.blocks, setup.least);
    }
}

/* By hand: of -1, 0, 1, 2 the mean is 0.5 and the sum of squares 5. With a margin of 1 the ghost
 * adds 64, and 50 / 4 of the variance is added: 69 / 3 * 13.5 = 310.5. */
Test(sprt, numbers_are_as_computed_by_hand)
{
    struct sprt_setup setup = {.margin = 1, .alpha = 0.1, .beta = 0.2, .least = 10, .most = 99};
    struct sprt test = sprt_start(&setup);
    struct sprt_view view = sprt_look(&test);

    cr_assert(isnan(view.mean) && isnan(view.interval.low));
    cr_assert_eq(view.needed, 10);
    for (int i = -1; i <= 2; i++)
        sprt_add(&test, i);
    view = sprt_look(&test);
    cr_assert_eq(view.verdict, SPRT_OPEN);
    cr_assert_float_eq(view.mean, 0.5, 1e-12);
    cr_assert_float_eq(view.deviation, sqrt(310.5), 1e-12);
    cr_assert_float_eq(view.better_ratio, 4 * (-1 - 1) / (2 * 310.5), 1e-12);
    cr_assert_float_eq(view.worse_ratio, 0, 1e-12);
    cr_assert_float_eq(view.high_bound, log(20), 1e-12);
    cr_assert_float_eq(view.low_bound, log(0.2), 1e-12);
    cr_assert_float_eq(view.interval.high - view.mean, 0.5 + 310.5 * log(20) / 4, 1e-9);
    cr_assert_eq(view.needed, 95, "half a margin can never be told");
}

Test(sprt, a_verdict_is_final_and_later_blocks_are_ignored)
{
    struct sprt_setup setup = sprt_default();
    struct sprt test = run(&setup, (double[]){-3}, 1);

    for (int i = 0; i < 100; i++)
        cr_assert_eq(sprt_add(&test, 50), SPRT_BETTER);
    cr_assert_eq(sprt_look(&test).blocks, 20);
    cr_assert_eq(sprt_look(&test).mean, -3);
}

Test(sprt, a_setup_that_cannot_be_is_explained)
{
    static const struct sprt_setup wrong[] = {
        {0, 0.05, 0.05, 20, 100},     {NAN, 0.05, 0.05, 20, 100}, {0.5, 0, 0.05, 20, 100},
        {0.5, 0.05, 0.5, 20, 100},    {0.5, 0.05, 0.05, 1, 100},  {0.5, 0.05, 0.05, 20, 19},
        {INFINITY, 0.05, 0.05, 2, 9}, {0.5, NAN, 0.05, 20, 100},  {-1, 0.05, 0.05, 20, 100},
    };
    struct sprt_setup setup = sprt_default();

    cr_assert_null(sprt_problem(&setup));
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        cr_assert_not_null(sprt_problem(&wrong[i]), "%zu", i);
    for (enum sprt_verdict verdict = 0; verdict < SPRT_VERDICT_COUNT; verdict++)
        cr_assert_not_null(sprt_verdict_name(verdict));
}

/* All with mean 0 and deviation 1. */
static double draw_skewed(struct allegra_dice *dice)
{
    return simulated_tournament_exponential(dice) - 1;
}

static double draw_skewed_down(struct allegra_dice *dice)
{
    return -draw_skewed(dice);
}

/* Student's t with 3 degrees of freedom. */
static double draw_heavy(struct allegra_dice *dice)
{
    double squares = 0;

    for (int i = 0; i < 3; i++)
        squares += pow(simulated_tournament_normal(dice), 2);
    return simulated_tournament_normal(dice) / sqrt(squares);
}

static double draw_mostly_zero(struct allegra_dice *dice)
{
    if (allegra_dice_below(dice, 10) != 0)
        return 0;
    return allegra_dice_below(dice, 2) != 0 ? sqrt(10) : -sqrt(10);
}

static double draw_halves(struct allegra_dice *dice)
{
    return floor(2 * simulated_tournament_normal(dice) + 0.5) / 2;
}

static const struct {
    const char *name;
    double (*draw)(struct allegra_dice *dice);
} shapes[] = {
    {"normal", simulated_tournament_normal}, {"skewed", draw_skewed},
    {"skewed down", draw_skewed_down},       {"heavy tails", draw_heavy},
    {"mostly zero", draw_mostly_zero},       {"half points", draw_halves},
};

/* What came out of many tests. */
struct outcome {
    double share[SPRT_VERDICT_COUNT];
    double blocks;  /* mean */
    double covered; /* share of intervals that had the true difference when the test stopped */
};

static struct outcome simulate(const struct sprt_setup *setup, size_t shape, double mean,
                               double deviation)
{
    enum { TESTS = 2000 };
    struct outcome outcome = {0};
    struct allegra_dice dice = allegra_dice_from(shape + 1);

    for (int i = 0; i < TESTS; i++) {
        struct sprt test = sprt_start(setup);
        struct sprt_view view;

        while (sprt_add(&test, mean + deviation * shapes[shape].draw(&dice)) == SPRT_OPEN)
            continue;
        view = sprt_look(&test);
        cr_assert_eq(view.interval.high < 0, view.verdict == SPRT_BETTER);
        cr_assert_eq(view.interval.low > 0, view.verdict == SPRT_WORSE);
        outcome.share[view.verdict] += 1.0 / TESTS;
        outcome.blocks += (double)view.blocks / TESTS;
        outcome.covered +=
            (view.interval.low <= mean && mean <= view.interval.high) / (double)TESTS;
    }
    return outcome;
}

/* Blocks whose differences spread two, six and ten times the margin. */
Test(sprt, error_rates_are_kept_whatever_the_shape_of_differences, .timeout = 600)
{
    static const double deviations[] = {1, 3, 5};
    struct sprt_setup setup = sprt_default();

    setup.most = 5000;
    for (size_t shape = 0; shape < ARRAY_LEN(shapes); shape++)
        for (size_t i = 0; i < ARRAY_LEN(deviations); i++) {
            struct outcome equal = simulate(&setup, shape, 0, deviations[i]);
            struct outcome better = simulate(&setup, shape, -setup.margin, deviations[i]);
            double false_ones = equal.share[SPRT_BETTER] + equal.share[SPRT_WORSE];

            cr_assert_leq(false_ones, setup.alpha, "%s, %.0f: %.3f", shapes[shape].name,
                          deviations[i], false_ones);
            cr_assert_geq(better.share[SPRT_BETTER], 1 - setup.beta, "%s, %.0f: %.3f",
                          shapes[shape].name, deviations[i], better.share[SPRT_BETTER]);
            cr_assert_geq(equal.covered, 0.95);
            cr_assert_geq(better.covered, 0.95);
            cr_assert_lt(equal.blocks, 40 + 10 * pow(deviations[i] / setup.margin, 2));
        }
}

Test(sprt, other_error_rates_are_kept_too)
{
    static const struct sprt_setup setups[] = {
        {.margin = 2, .alpha = 0.01, .beta = 0.2, .least = 20, .most = 5000},
        {.margin = 2, .alpha = 0.2, .beta = 0.01, .least = 30, .most = 5000},
    };

    for (size_t i = 0; i < ARRAY_LEN(setups); i++) {
        struct outcome equal = simulate(&setups[i], 0, 0, 12);
        struct outcome better = simulate(&setups[i], 0, -2, 12);
        struct outcome worse = simulate(&setups[i], 0, 2, 12);
        double false_ones = equal.share[SPRT_BETTER] + equal.share[SPRT_WORSE];

        cr_assert(false_ones <= setups[i].alpha && false_ones >= setups[i].alpha / 10, "%.3f",
                  false_ones);
        cr_assert_geq(better.share[SPRT_BETTER], 1 - setups[i].beta);
        cr_assert_geq(worse.share[SPRT_WORSE], 1 - setups[i].beta);
        cr_assert_lt(better.share[SPRT_BETTER], 1, "it is a test, not an oracle");
    }
}

Test(sprt, the_blocks_still_needed_are_about_right)
{
    static const double differences[] = {-3.7, 2.3}; /* -0.7, three up and down */
    struct sprt_setup setup = sprt_default();
    struct sprt test = sprt_start(&setup);
    unsigned guess;
    unsigned needed;

    for (unsigned i = 0; i < 60; i++)
        sprt_add(&test, differences[i % 2]);
    guess = sprt_look(&test).needed;
    needed = run(&setup, differences, 2).blocks - 60;
    cr_assert_float_eq((double)guess, (double)needed, 0.2 * needed, "%u, not %u", guess, needed);
}
