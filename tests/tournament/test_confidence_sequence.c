#include "tournament/stats/confidence_sequence.h"

#include "base/text.h"
#include "game/allegra.h"
#include "support/simulated_tournament.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(confidence_sequence);

static struct confidence_sequence sequence_of(double ghost, const double *values, unsigned count)
{
    struct confidence_sequence sequence = {.ghost = ghost};

    for (unsigned i = 0; i < count; i++)
        confidence_sequence_add(&sequence, values[i]);
    return sequence;
}

/* Of -1, 0, 1, 2 the mean is 0.5 and the sum of squares 5; with a ghost of 2 it is 9. The distance
 * to 3.5 is 3, so the ratio is 4 * 9 / 9 = 4. */
Test(confidence_sequence, evidence_is_as_computed_by_hand)
{
    struct confidence_sequence sequence = sequence_of(2, (double[]){-1, 0, 1, 2}, 4);
    double first = sqrt(2.0 / 6) * pow(5 / (1 + 4 * 2.0 / 6), 2);
    double second = sqrt(32.0 / 36) * pow(5 / (1 + 4 * 32.0 / 36), 2);
    double third = sqrt(512.0 / 516) * pow(5 / (1 + 4 * 512.0 / 516), 2);

    cr_assert_float_eq(sequence.mean, 0.5, 1e-12);
    cr_assert_float_eq(confidence_sequence_deviation(&sequence), sqrt(3), 1e-12);
    cr_assert_float_eq(exp(confidence_sequence_evidence(&sequence, 3.5)),
                       (first + second + third) / 4, 1e-12);
    cr_assert_lt(confidence_sequence_evidence(&sequence, 0.5), 0, "its own mean is not denied");
}

/* The definition instead of the formula: the likelihood of the t statistic if the true mean is off
 * by a normal multiple of the deviation, by integration over the multiple and over the spread. */
static double integrated_evidence(double statistic, double count, double weight)
{
    double freedom = count - 1;
    double off = 0;
    double on = 0;

    for (int i = 1; i < 1200; i++) {
        double spread = 0.005 * i;
        double density = pow(spread, count - 1) * exp(-freedom * spread * spread / 2);

        on += density * exp(-pow(statistic * spread, 2) / 2);
        for (int j = -120; j <= 120; j++) {
            double multiple = 0.05 * j;
            double shift = sqrt(count) * multiple / sqrt(weight);

            off += density * exp(-pow(statistic * spread - shift, 2) / 2) *
                   exp(-multiple * multiple / 2) / sqrt(2 * M_PI) * 0.05;
        }
    }
    return off / on;
}

Test(confidence_sequence, evidence_is_the_ratio_of_likelihoods_that_the_comment_says)
{
    struct confidence_sequence sequence = sequence_of(0, (double[]){-1.5, 0.5, 3, 1, 2.5}, 5);
    double count = sequence.count;
    double deviation = confidence_sequence_deviation(&sequence);

    for (int mean = -4; mean <= 5; mean += 3) {
        double statistic = (sequence.mean - mean) / deviation * sqrt(count);
        double evidence =
            (integrated_evidence(statistic, count, 2) + integrated_evidence(statistic, count, 32) +
             integrated_evidence(statistic, count, 512)) /
            4;

        cr_assert_float_eq(exp(confidence_sequence_evidence(&sequence, mean)), evidence,
                           1e-3 * evidence, "%d: %g, not %g", mean,
                           exp(confidence_sequence_evidence(&sequence, mean)), evidence);
    }
}

Test(confidence_sequence, the_interval_ends_where_the_evidence_reaches_its_bound)
{
    static const double alphas[] = {0.2, 0.05, 0.001};
    struct allegra_dice dice = allegra_dice_from(1);
    struct confidence_sequence sequence = {0};

    for (unsigned count = 1; count <= 2000; count++) {
        confidence_sequence_add(&sequence, 3 + 10 * simulated_tournament_normal(&dice));
        for (size_t i = 0; i < ARRAY_LEN(alphas) && count % 97 == 0; i++) {
            struct interval interval = confidence_sequence_interval(&sequence, alphas[i]);

            cr_assert_float_eq(confidence_sequence_evidence(&sequence, interval.low),
                               -log(alphas[i]), 1e-6);
            cr_assert_float_eq(confidence_sequence_evidence(&sequence, interval.high),
                               -log(alphas[i]), 1e-6);
            cr_assert(interval.low < sequence.mean && sequence.mean < interval.high);
        }
    }
}

Test(confidence_sequence, few_values_say_nothing)
{
    struct confidence_sequence sequence = {.ghost = 1};
    struct interval interval = confidence_sequence_interval(&sequence, 0.05);

    cr_assert(isnan(interval.low) && isnan(interval.high));
    cr_assert(isnan(confidence_sequence_deviation(&sequence)));
    cr_assert_float_eq(confidence_sequence_evidence(&sequence, 5), log(0.75), 1e-12);
    for (unsigned count = 1; count <= 6; count++) {
        confidence_sequence_add(&sequence, 100);
        interval = confidence_sequence_interval(&sequence, 0.05);
        cr_assert(interval.low == -INFINITY && interval.high == INFINITY, "%u", count);
        cr_assert_lt(confidence_sequence_evidence(&sequence, 0), log(20), "%u", count);
    }
    interval = confidence_sequence_interval(&(struct confidence_sequence){.count = 2}, 0.05);
    cr_assert(interval.low == -INFINITY && interval.high == INFINITY, "without any spread too");
    confidence_sequence_add(&sequence, 100);
    cr_assert(isfinite(confidence_sequence_interval(&sequence, 0.05).low));
}

Test(confidence_sequence, values_that_are_not_finite_are_ignored)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    struct confidence_sequence sequence = sequence_of(0, (double[]){1, 2, 4}, 3);
    struct confidence_sequence before = sequence;

    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        confidence_sequence_add(&sequence, bad[i]);
    cr_assert_eq(sequence.count, before.count);
    cr_assert_eq(sequence.mean, before.mean);
    cr_assert_eq(sequence.squares, before.squares);
}

Test(confidence_sequence, equal_values_are_certain_without_a_ghost_and_not_with_one)
{
    struct confidence_sequence plain = {0};
    struct confidence_sequence careful = {.ghost = 8};
    struct interval interval;

    for (unsigned i = 0; i < 10; i++) {
        confidence_sequence_add(&plain, 3);
        confidence_sequence_add(&careful, 3);
    }
    interval = confidence_sequence_interval(&plain, 0.05);
    cr_assert(interval.low == 3 && interval.high == 3);
    cr_assert_gt(confidence_sequence_evidence(&plain, 2.9), log(20));
    cr_assert_lt(confidence_sequence_evidence(&plain, 3), 0);
    interval = confidence_sequence_interval(&careful, 0.05);
    cr_assert(interval.low < 0 && interval.high > 6, "%g to %g", interval.low, interval.high);
}

Test(confidence_sequence, the_values_that_a_width_needs_are_foretold)
{
    static const double halves[] = {2, 0.7, 0.2};

    for (size_t i = 0; i < ARRAY_LEN(halves); i++) {
        struct confidence_sequence sequence =
            sequence_of(1, (double[]){-3, 3, -3, 3, -3, 3, -3, 3, -3, 3}, 10);
        double guess = confidence_sequence_values_for(&sequence, 0.05, halves[i]);
        struct interval interval = {-INFINITY, INFINITY};

        while (interval.high - sequence.mean > halves[i]) {
            confidence_sequence_add(&sequence, sequence.count % 2 == 0 ? -3 : 3);
            interval = confidence_sequence_interval(&sequence, 0.05);
        }
        cr_assert_float_eq(guess, (double)sequence.count, 2, "%g: %g, not %u", halves[i], guess,
                           sequence.count);
    }
}

Test(confidence_sequence, a_width_out_of_reach_needs_very_many_values)
{
    struct confidence_sequence sequence = sequence_of(1, (double[]){-3, 3}, 2);

    cr_assert_eq(confidence_sequence_values_for(&sequence, 0.05, 1e-9), 1e9);
}
