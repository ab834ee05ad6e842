/* How many blocks a comparison takes until it knows, and how often it is wrong, in simulated
 * comparisons whose differences are drawn from real blocks (tests/support/block_differences.c says
 * how they were measured). Next to it the number of blocks that the test before this one took, and
 * the number that a plain t test takes which knows the spread and the difference in advance and
 * looks once. A comparison is wrong if its verdict is, or if its interval missed the true
 * difference at any look up to its end. */

#include "support/bench_output.h"
#include "support/block_differences.h"
#include "tournament/stats/difference_test.h"

#include <math.h>
#include <stdio.h>

#define COMPARISONS 2000
#define BLOCKS_MAX 100000 /* far beyond what is needed, so that nothing is cut off */

static const double differences[] = {0, 0.5, 2, 9};

#define DIFFERENCES (sizeof differences / sizeof differences[0])

/* What came out of all comparisons. */
struct outcome {
    double blocks; /* mean */
    double wrong;  /* share */
};

static bool is_wrong(enum difference_test_verdict verdict, double mean, double margin)
{
    switch (verdict) {
    case DIFFERENCE_TEST_BETTER:
        return mean >= 0;
    case DIFFERENCE_TEST_WORSE:
        return mean <= 0;
    case DIFFERENCE_TEST_EQUAL:
        return fabs(mean) >= margin;
    default:
        return false;
    }
}

/* One comparison to its end. Returns whether it was wrong. */
static bool compare_once(enum block_differences shape, double mean, struct allegra_dice *dice,
                         struct difference_test *test)
{
    bool has_missed = false;
    enum difference_test_verdict verdict;

    do {
        difference_test_add(test, mean + block_differences_draw(shape, dice));
        verdict = difference_test_verdict(test);
        has_missed = has_missed || confidence_sequence_evidence(&test->differences, mean) >=
                                       -log(test->setup.alpha);
    } while (verdict == DIFFERENCE_TEST_OPEN);
    return has_missed || is_wrong(verdict, mean, test->setup.margin);
}

static struct outcome simulate(enum block_differences shape, double mean)
{
    struct difference_test_setup setup = difference_test_default();
    struct allegra_dice dice = allegra_dice_from(1);
    struct outcome outcome = {0};

    setup.most = BLOCKS_MAX;
    for (unsigned i = 0; i < COMPARISONS; i++) {
        struct difference_test test = difference_test_start(&setup);

        outcome.wrong += (double)compare_once(shape, mean, &dice, &test) / COMPARISONS;
        outcome.blocks += (double)test.differences.count / COMPARISONS;
    }
    return outcome;
}

/* The test before: two sequential probability ratio tests, "better by the margin of 0.5" and "worse
 * by the margin" against "equal", with a variance that was enlarged while there were few blocks. */
static double blocks_of_old_test(enum block_differences shape, double mean,
                                 struct allegra_dice *dice)
{
    const double margin = 0.5;
    struct confidence_sequence seen = {.ghost = 8 * margin};

    for (;;) {
        double variance;
        double better;
        double worse;

        confidence_sequence_add(&seen, mean + block_differences_draw(shape, dice));
        if (seen.count < 20)
            continue;
        variance = pow(confidence_sequence_deviation(&seen), 2) * (1 + 50.0 / seen.count);
        better = seen.count * margin * (-2 * seen.mean - margin) / (2 * variance);
        worse = seen.count * margin * (2 * seen.mean - margin) / (2 * variance);
        if (fmax(better, worse) >= log(2 / 0.05) || fmax(better, worse) <= log(0.05) ||
            seen.count == BLOCKS_MAX)
            return seen.count;
    }
}

static double simulate_old_test(enum block_differences shape, double mean)
{
    struct allegra_dice dice = allegra_dice_from(1);
    double blocks = 0;

    for (unsigned i = 0; i < COMPARISONS; i++)
        blocks += blocks_of_old_test(shape, mean, &dice) / COMPARISONS;
    return blocks;
}

/* At the level of 95 % and with a power of 90 %; half a squared quantile more than with the normal
 * distribution, because the spread is estimated in the end. */
static double blocks_of_fixed_test(enum block_differences shape, double mean)
{
    const double level = 1.959964;
    const double power = 1.281552;
    double deviation = block_differences_deviation(shape);

    return ceil(pow((level + power) * deviation / mean, 2) + level * level / 2);
}

static void print(const char *what, double difference, const char *ending, double value,
                  const char *unit)
{
    char name[80];

    (void)snprintf(name, sizeof name, "compare.%s_%g%s", what, difference, ending);
    bench_output_print(name, value, unit);
}

static void bench_blocks(void)
{
    for (size_t i = 1; i < DIFFERENCES; i++) {
        enum block_differences shape = BLOCK_DIFFERENCES_NOISY;
        double mean = differences[i];

        print("blocks_to_decide", mean, "", simulate(shape, mean).blocks, "blocks");
        print("blocks_to_decide", mean, "_old", simulate_old_test(shape, mean), "blocks");
        print("blocks_to_decide", mean, "_fixed", blocks_of_fixed_test(shape, mean), "blocks");
    }
}

static void bench_errors(void)
{
    char ending[40];

    for (unsigned shape = 0; shape < BLOCK_DIFFERENCES_COUNT; shape++) {
        (void)snprintf(ending, sizeof ending, "_%s",
                       block_differences_name((enum block_differences)shape));
        for (size_t i = 0; i < DIFFERENCES; i++) {
            struct outcome outcome = simulate((enum block_differences)shape, differences[i]);

            print("wrong_percent", differences[i], ending, 100 * outcome.wrong, "%");
            if (differences[i] == 0)
                print("blocks_to_decide", 0, ending, outcome.blocks, "blocks");
        }
    }
}

int main(int argc, char **argv)
{
    bench_output_init(argc, argv);
    if (bench_output_is_wanted("compare.blocks_to_decide"))
        bench_blocks();
    if (bench_output_is_wanted("compare.wrong") ||
        bench_output_is_wanted("compare.blocks_to_decide_0"))
        bench_errors();
    return 0;
}
