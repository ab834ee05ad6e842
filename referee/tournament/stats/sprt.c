/* Two sequential probability ratio tests side by side: "better by the margin" against "equal", and
 * "worse by the margin" against "equal", both for normal means with the variance as estimated so far.
 * A block whose mean difference is d adds -margin * (2 d + margin) / (2 variance) to the log of the
 * first ratio.
 *
 * Bounds. While there is no difference, the ratio of a true alternative to it ever comes to 2 / alpha
 * with a probability of at most alpha / 2 (Ville's inequality), whenever and however often one looks.
 * Both directions together give alpha. If NEW is better by the margin, the first ratio ever falls to
 * beta with a probability of at most beta. "No difference" needs both ratios there at the same time;
 * what a ratio did before is not held against it, so that the verdict always fits the numbers shown
 * with it. The interval is the same inequality turned around: it has all differences against which
 * neither ratio has come to 2 / alpha, and its half width is margin / 2 + variance * log(2 / alpha) /
 * (blocks * margin).
 *
 * The variance. An estimate from few blocks can be far too small, above all if differences are skewed
 * and the rare large ones have not come yet; and two bots that differ in one deal of a hundred look
 * equal for a long time. So the sum of squares begins with one deviation of GHOST_MARGINS margins, and
 * the estimate is enlarged by CAUTION_BLOCKS / blocks of itself. Both fade away: they cost some 50
 * blocks, and in return the error rates hold for differences as skewed as the exponential distribution
 * (for much more skewed ones, like a log-normal, alpha can double). Two bots that are exactly equal get
 * their "no difference" after 32 blocks with the usual setup. */

#include "tournament/stats/sprt.h"

#include <math.h>
#include <stddef.h>

#define GHOST_MARGINS 8.0
#define CAUTION_BLOCKS 50.0

static const char *const words[SPRT_VERDICT_COUNT] = {
    [SPRT_GOES_ON] = "goes_on",     [SPRT_BETTER] = "better",
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
        return "at least 2 blocks are needed, and not fewer at most than at least";
    return NULL;
}

struct sprt sprt_start(const struct sprt_setup *setup)
{
    return (struct sprt){.setup = *setup};
}

/* Without the caution. */
static double plain_variance(const struct sprt *sequential)
{
    double ghost = GHOST_MARGINS * sequential->setup.margin;

    return (sequential->squares + ghost * ghost) / (sequential->blocks - 1.0);
}

static double variance_of(const struct sprt *sequential)
{
    return plain_variance(sequential) * (1 + CAUTION_BLOCKS / sequential->blocks);
}

static double log_ratio(const struct sprt *sequential, double mean)
{
    double margin = sequential->setup.margin;

    return sequential->blocks * margin * (2 * mean - margin) / (2 * variance_of(sequential));
}

static double high_bound(const struct sprt_setup *setup)
{
    return log(2 / setup->alpha);
}

static double low_bound(const struct sprt_setup *setup)
{
    return log(setup->beta);
}

static enum sprt_verdict decide(const struct sprt *sequential)
{
    const struct sprt_setup *setup = &sequential->setup;
    double better;
    double worse;

    if (sequential->blocks < setup->least)
        return SPRT_GOES_ON;
    better = log_ratio(sequential, -sequential->mean);
    worse = log_ratio(sequential, sequential->mean);
    if (better >= high_bound(setup))
        return SPRT_BETTER;
    if (worse >= high_bound(setup))
        return SPRT_WORSE;
    if (better <= low_bound(setup) && worse <= low_bound(setup))
        return SPRT_NO_DIFFERENCE;
    return sequential->blocks < setup->most ? SPRT_GOES_ON : SPRT_UNDECIDED;
}

enum sprt_verdict sprt_add(struct sprt *sequential, double difference)
{
    double deviation = difference - sequential->mean;

    if (sequential->verdict != SPRT_GOES_ON)
        return sequential->verdict;
    sequential->blocks++;
    sequential->mean += deviation / sequential->blocks;
    sequential->squares += deviation * (difference - sequential->mean);
    sequential->verdict = decide(sequential);
    return sequential->verdict;
}

/* How many blocks in all until the nearer bound, at the mean and variance of now: `blocks` with
 * blocks^2 / (blocks + CAUTION_BLOCKS) = what it would be without caution. */
static double blocks_in_all(const struct sprt *sequential)
{
    const struct sprt_setup *setup = &sequential->setup;
    double beyond = 2 * fabs(sequential->mean) - setup->margin;
    double way = beyond > 0 ? high_bound(setup) : -low_bound(setup);
    double plain = way * 2 * plain_variance(sequential) / (setup->margin * fabs(beyond));

    return (plain + sqrt(plain * plain + 4 * CAUTION_BLOCKS * plain)) / 2;
}

static unsigned blocks_needed(const struct sprt *sequential)
{
    const struct sprt_setup *setup = &sequential->setup;
    double blocks = sequential->blocks;
    double all = sequential->blocks < 2 ? setup->least : blocks_in_all(sequential);

    if (sequential->verdict != SPRT_GOES_ON)
        return 0;
    all = fmin(fmax(ceil(all), fmax(setup->least, blocks + 1)), setup->most);
    return (unsigned)(all - blocks);
}

struct sprt_view sprt_look(const struct sprt *sequential)
{
    const struct sprt_setup *setup = &sequential->setup;
    struct sprt_view view = {
        .verdict = sequential->verdict,
        .blocks = sequential->blocks,
        .mean = sequential->blocks > 0 ? sequential->mean : NAN,
        .interval = {NAN, NAN},
        .deviation = NAN,
        .high_bound = high_bound(setup),
        .low_bound = low_bound(setup),
        .needed = blocks_needed(sequential),
    };

    if (sequential->blocks >= 2) {
        double variance = variance_of(sequential);
        double half =
            setup->margin / 2 + variance * view.high_bound / (sequential->blocks * setup->margin);

        view.interval = (struct interval){view.mean - half, view.mean + half};
        view.deviation = sqrt(variance);
        view.better_ratio = log_ratio(sequential, -view.mean);
        view.worse_ratio = log_ratio(sequential, view.mean);
    }
    return view;
}

const char *sprt_word(enum sprt_verdict verdict)
{
    return words[verdict];
}
