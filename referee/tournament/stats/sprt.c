/* Two sequential probability ratio tests side by side: "better by the margin" against "equal", and
 * "worse by the margin" against "equal", both for normal means with the variance estimated so far.
 * A block whose mean difference is d adds -margin * (2 d + margin) / (2 variance) to the log of the
 * first ratio.
 *
 * Bounds. If there is no difference, the ratio of an alternative to it ever reaches 2 / alpha with
 * a probability of at most alpha / 2 (Ville's inequality), whenever and however often one looks.
 * Both directions together give alpha. If NEW is better by the margin, the first ratio ever falls
 * to beta with a probability of at most beta. "No difference" needs both ratios there at the same
 * time; earlier values of a ratio do not count, so that the verdict always agrees with the numbers
 * shown with it. The interval is the same inequality turned around: it contains all differences
 * against which neither ratio has reached 2 / alpha, and its half width is margin / 2 + variance *
 * log(2 / alpha) / (blocks * margin).
 *
 * The variance. An estimate from few blocks can be far too small, above all if differences are
 * skewed and the rare large ones have not come yet; and two bots that differ in one deal of a
 * hundred look equal for a long time. So the sum of squares starts with one deviation of
 * GHOST_MARGINS margins, and the estimate is enlarged by CAUTION_BLOCKS / blocks of itself. Both
 * fade away: they cost some 50 blocks, and in return the error rates hold for differences as skewed
 * as the exponential distribution (for much more skewed ones, such as a log-normal, alpha can
 * double). Two bots that are exactly equal get their "no difference" after 32 blocks with the
 * default setup. */

#include "tournament/stats/sprt.h"

#include <math.h>
#include <stddef.h>

#define GHOST_MARGINS 8.0
#define CAUTION_BLOCKS 50.0

static const char *const verdict_names[SPRT_VERDICT_COUNT] = {
    [SPRT_OPEN] = "open",           [SPRT_BETTER] = "better",
    [SPRT_WORSE] = "worse",         [SPRT_NO_DIFFERENCE] = "no_difference",
    [SPRT_UNDECIDED] = "undecided",
};

struct sprt_setup sprt_default(void)
{
    return (struct sprt_setup){
        .margin = SPRT_MARGIN,
        .alpha = SPRT_ALPHA,
        .beta = SPRT_BETA,
        .least = SPRT_LEAST,
        .most = SPRT_MOST,
    };
}

const char *sprt_problem(const struct sprt_setup *setup)
{
    if (!(setup->margin > 0) || !isfinite(setup->margin))
        return "the margin must be above 0";
    if (!(setup->alpha > 0 && setup->alpha < 0.5) || !(setup->beta > 0 && setup->beta < 0.5))
        return "error rates must be above 0 and below 0.5";
    if (setup->least < 2 || setup->most < setup->least)
        return "--least must be 2 or more, and --most not below it";
    return NULL;
}

struct sprt sprt_start(const struct sprt_setup *setup)
{
    return (struct sprt){.setup = *setup};
}

/* Without the enlargement. */
static double plain_variance(const struct sprt *test)
{
    double ghost = GHOST_MARGINS * test->setup.margin;

    return (test->squares + ghost * ghost) / (test->blocks - 1.0);
}

static double variance_of(const struct sprt *test)
{
    return plain_variance(test) * (1 + CAUTION_BLOCKS / test->blocks);
}

static double log_ratio(const struct sprt *test, double mean)
{
    double margin = test->setup.margin;

    return test->blocks * margin * (2 * mean - margin) / (2 * variance_of(test));
}

static double high_bound(const struct sprt_setup *setup)
{
    return log(2 / setup->alpha);
}

static double low_bound(const struct sprt_setup *setup)
{
    return log(setup->beta);
}

static enum sprt_verdict decide(const struct sprt *test)
{
    const struct sprt_setup *setup = &test->setup;
    double better;
    double worse;

    if (test->blocks < setup->least)
        return SPRT_OPEN;
    better = log_ratio(test, -test->mean);
    worse = log_ratio(test, test->mean);
    if (better >= high_bound(setup))
        return SPRT_BETTER;
    if (worse >= high_bound(setup))
        return SPRT_WORSE;
    if (better <= low_bound(setup) && worse <= low_bound(setup))
        return SPRT_NO_DIFFERENCE;
    return test->blocks < setup->most ? SPRT_OPEN : SPRT_UNDECIDED;
}

enum sprt_verdict sprt_add(struct sprt *test, double difference)
{
    double deviation = difference - test->mean;

    if (test->verdict != SPRT_OPEN)
        return test->verdict;
    test->blocks++;
    test->mean += deviation / test->blocks;
    test->squares += deviation * (difference - test->mean);
    test->verdict = decide(test);
    return test->verdict;
}

/* How many blocks in all until the nearer bound, at the current mean and variance: `blocks` with
 * blocks^2 / (blocks + CAUTION_BLOCKS) = what it would be without the enlargement. */
static double blocks_in_all(const struct sprt *test)
{
    const struct sprt_setup *setup = &test->setup;
    double beyond = 2 * fabs(test->mean) - setup->margin;
    double way = beyond > 0 ? high_bound(setup) : -low_bound(setup);
    double plain = way * 2 * plain_variance(test) / (setup->margin * fabs(beyond));

    return (plain + sqrt(plain * plain + 4 * CAUTION_BLOCKS * plain)) / 2;
}

static unsigned blocks_needed(const struct sprt *test)
{
    const struct sprt_setup *setup = &test->setup;
    double blocks = test->blocks;
    double all = test->blocks < 2 ? setup->least : blocks_in_all(test);

    if (test->verdict != SPRT_OPEN)
        return 0;
    all = fmin(fmax(ceil(all), fmax(setup->least, blocks + 1)), setup->most);
    return (unsigned)(all - blocks);
}

struct sprt_view sprt_look(const struct sprt *test)
{
    const struct sprt_setup *setup = &test->setup;
    struct sprt_view view = {
        .verdict = test->verdict,
        .blocks = test->blocks,
        .mean = test->blocks > 0 ? test->mean : NAN,
        .interval = {NAN, NAN},
        .deviation = NAN,
        .high_bound = high_bound(setup),
        .low_bound = low_bound(setup),
        .needed = blocks_needed(test),
    };

    if (test->blocks >= 2) {
        double variance = variance_of(test);
        double half =
            setup->margin / 2 + variance * view.high_bound / (test->blocks * setup->margin);

        view.interval = (struct interval){view.mean - half, view.mean + half};
        view.deviation = sqrt(variance);
        view.better_ratio = log_ratio(test, -view.mean);
        view.worse_ratio = log_ratio(test, view.mean);
    }
    return view;
}

const char *sprt_verdict_name(enum sprt_verdict verdict)
{
    return verdict_names[verdict];
}
