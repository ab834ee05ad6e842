/* The gains of an honest bot's choices are martingale differences x with known variances v, but
 * their distribution is skewed and differs from card to card. For any number a,
 *
 *     exp(a x - a^2 (x^2 + 2 v) / 6)
 *
 * has a mean of at most 1, whatever the distribution, because exp(y - y^2/6) <= 1 + y + y^2/3 for
 * all y (Delyon 2009). So with the sum S of gains and the sum W of (x^2 + 2 v) / 3, which is what a
 * result has as spread, exp(a S - a^2 W / 2) is a nonnegative supermartingale, and so is its mean
 * over all a > 0, weighted by a half-normal density. That mean is the evidence. It starts at 1, and
 * by Ville's inequality it ever reaches N with a probability of at most 1/N: at any number of
 * matches, at any time somebody looks. With k bots, the largest of k reaches k N at most so often.
 *
 * In a block the same cards are dealt again and again, so its matches are not independent. Of their
 * sums S and W the means are taken: the exponential of a mean is at most the mean of the
 * exponentials, so the evidence of a block has a mean of at most 1, whatever its matches have in
 * common. */

#include "tournament/stats/peek.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PARTS 1000 /* of a point or square point in a result */

/* The reciprocal of the variance of `a`. The best `a` is the gain per square point of spread: about
 * a quarter for a bot that knows all cards. The evidence hardly depends on this number. */
#define WEIGHT 40.0

/* One bot in one match. */
struct appearance {
    uint32_t block;
    uint16_t bot;
    uint16_t rotation;
    double gain;
    double spread;
};

/* Of one bot: the sums over blocks of the means in each block. */
struct sums {
    double gain;
    double spread;
    unsigned blocks;
};

/* The largest gain first; then in the order of the schedule. */
static int compare_gains(const void *left, const void *right)
{
    const struct appearance *a = left;
    const struct appearance *b = right;

    if (a->bot != b->bot)
        return (a->bot > b->bot) - (a->bot < b->bot);
    if (a->gain != b->gain)
        return (a->gain < b->gain) - (a->gain > b->gain);
    if (a->block != b->block)
        return (a->block > b->block) - (a->block < b->block);
    return (a->rotation > b->rotation) - (a->rotation < b->rotation);
}

/* By bot, block and rotation, so that sums do not depend on the order of the results. */
static int compare_blocks(const void *left, const void *right)
{
    const struct appearance *a = left;
    const struct appearance *b = right;

    if (a->bot != b->bot)
        return (a->bot > b->bot) - (a->bot < b->bot);
    if (a->block != b->block)
        return (a->block > b->block) - (a->block < b->block);
    return (a->rotation > b->rotation) - (a->rotation < b->rotation);
}

/* All appearances in matches whose luck was measured. Free them. */
static struct appearance *collect(const struct result *results, size_t count, size_t *found)
{
    struct appearance *list = xcalloc(count * ALLEGRA_SEATS_MAX + 1, sizeof *list);

    *found = 0;
    for (size_t i = 0; i < count; i++) {
        const struct result *result = &results[i];

        for (unsigned seat = 0; seat < result->seats && result->has_luck; seat++)
            list[(*found)++] = (struct appearance){
                .block = result->block,
                .bot = result->bots[seat],
                .rotation = result->rotation,
                .gain = -(double)result->luck[seat].choice / PARTS,
                .spread = (double)result->luck[seat].choice_spread / PARTS,
            };
    }
    return list;
}

static void add_block(struct sums *sums, const struct appearance *list, size_t matches)
{
    double gain = 0;
    double spread = 0;

    for (size_t i = 0; i < matches; i++) {
        gain += list[i].gain;
        spread += list[i].spread;
    }
    sums->gain += gain / (double)matches;
    sums->spread += spread / (double)matches;
    sums->blocks++;
}

/* The natural logarithm of the evidence. */
static double evidence(double gain, double spread)
{
    double total = spread + WEIGHT;
    double below = erfc(-gain / sqrt(2 * total)); /* twice the normal distribution */

    if (below <= 0)
        return -INFINITY;
    return log(below) + (log(WEIGHT / total) + gain * gain / total) / 2;
}

/* The gain at which the evidence reaches `wanted`, by halving an interval. */
static double gain_at(double wanted, double spread)
{
    double low = 0;
    double high = 2 * sqrt((wanted + log(1 + spread / WEIGHT) + 1) * (spread + WEIGHT));

    for (unsigned i = 0; i < 60; i++) {
        double middle = (low + high) / 2;

        if (evidence(middle, spread) < wanted)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void finish(struct peek *peek, const struct sums *sums, unsigned bots)
{
    double known = evidence(sums->gain, sums->spread) - log(bots);

    peek->gain = sums->gain / sums->blocks;
    peek->spread = sqrt(sums->spread) / sums->blocks;
    peek->allowed = gain_at(log(PEEK_ALARM) + log(bots), sums->spread) / sums->blocks;
    peek->one_in = fmin(exp(fmin(fmax(known, 0), 100)), PEEK_ONE_IN_MAX);
    peek->is_suspicious = known >= log(PEEK_ALARM);
}

static void find_best(struct appearance *list, size_t found, struct peek *peeks)
{
    qsort(list, found, sizeof *list, compare_gains);
    for (size_t i = 0; i < found; i++) {
        struct peek *peek = &peeks[list[i].bot];

        if (peek->best_count < PEEK_MATCHES && list[i].gain > 0)
            peek->best[peek->best_count++] =
                (struct peek_match){list[i].block, list[i].rotation, list[i].gain};
    }
}

void peek_measure(const struct result *results, size_t count, unsigned bots, struct peek *peeks)
{
    size_t found;
    struct appearance *list = collect(results, count, &found);
    struct sums *sums = xcalloc((size_t)bots + 1, sizeof *sums);

    for (unsigned bot = 0; bot < bots; bot++)
        peeks[bot] = (struct peek){.gain = NAN, .spread = NAN, .allowed = NAN, .one_in = 1};
    qsort(list, found, sizeof *list, compare_blocks);
    for (size_t start = 0, end = 0; start < found; start = end) {
        unsigned bot = list[start].bot;

        while (end < found && list[end].bot == bot && list[end].block == list[start].block)
            end++;
        add_block(&sums[bot], &list[start], end - start);
        peeks[bot].matches += (unsigned)(end - start);
    }
    for (unsigned bot = 0; bot < bots; bot++) {
        if (sums[bot].blocks > 0)
            finish(&peeks[bot], &sums[bot], bots);
    }
    find_best(list, found, peeks);
    free(sums);
    free(list);
}
