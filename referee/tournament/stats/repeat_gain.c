/* A block is one deal in several seatings, and who begins on which seat is drawn for each block. So
 * without knowledge of the cards the first match is like any other, and the difference between the
 * points in it and the mean of the later ones has the expected value 0. The blocks are independent:
 * a one-sided t-test over their differences says how probable a gain is by chance. With many bots
 * the largest gain of all is larger; Holm's procedure corrects for that: the smallest of k
 * probabilities is multiplied by k, the next by k - 1 and so on, and none is below the one before.
 *
 * Which match of a block was played first is taken from the order of the schedule, in which they
 * are started. */

#include "tournament/stats/repeat_gain.h"

#include "base/memory.h"
#include "tournament/stats/student_t.h"

#include <math.h>
#include <stdlib.h>

/* One bot in one match. */
struct appearance {
    uint32_t block;
    uint16_t bot;
    uint16_t rotation;
    double score; /* per round */
};

/* The sums over the blocks of one bot. */
struct sums {
    double first;
    double later;
    double squares; /* of the differences */
};

static int compare_appearances(const void *left, const void *right)
{
    const struct appearance *a = left;
    const struct appearance *b = right;

    if (a->bot != b->bot)
        return (a->bot > b->bot) - (a->bot < b->bot);
    if (a->block != b->block)
        return (a->block > b->block) - (a->block < b->block);
    return (a->rotation > b->rotation) - (a->rotation < b->rotation);
}

/* All appearances by bot, block and rotation. Free them. */
static struct appearance *collect(const struct result *results, size_t count, size_t *found)
{
    struct appearance *list = xcalloc(count * ALLEGRA_SEATS_MAX + 1, sizeof *list);

    *found = 0;
    for (size_t i = 0; i < count; i++) {
        const struct result *result = &results[i];

        for (unsigned seat = 0; seat < result->seats && result->rounds > 0; seat++)
            list[(*found)++] = (struct appearance){
                .block = result->block,
                .bot = result->bots[seat],
                .rotation = result->rotation,
                .score = (double)result->score_halves[seat] / 2 / result->rounds,
            };
    }
    qsort(list, *found, sizeof *list, compare_appearances);
    return list;
}

static void add_block(struct repeat_gain *gain, struct sums *sums, const struct appearance *list,
                      size_t matches)
{
    double later = 0;

    if (matches < 2)
        return;
    for (size_t i = 1; i < matches; i++)
        later += list[i].score / (double)(matches - 1);
    gain->blocks++;
    sums->first += list[0].score;
    sums->later += later;
    sums->squares += (list[0].score - later) * (list[0].score - later);
}

/* The probability of such a gain by chance, for one bot alone. */
static double chance(const struct repeat_gain *gain, const struct sums *sums)
{
    double blocks = gain->blocks;
    double mean = gain->first - gain->later;
    double variance = (sums->squares - blocks * mean * mean) / (blocks - 1) / blocks;

    if (gain->blocks < REPEAT_GAIN_BLOCKS_MIN)
        return NAN;
    if (!(variance > 0))
        return mean > 0 ? 0 : 1;
    return student_t_below(-mean / sqrt(variance), blocks - 1);
}

static void finish(struct repeat_gain *gain, const struct sums *sums)
{
    gain->first = gain->blocks > 0 ? sums->first / gain->blocks : NAN;
    gain->later = gain->blocks > 0 ? sums->later / gain->blocks : NAN;
    gain->p = chance(gain, sums);
}

static int compare_chances(const void *left, const void *right)
{
    const struct repeat_gain *a = *(struct repeat_gain *const *)left;
    const struct repeat_gain *b = *(struct repeat_gain *const *)right;

    return (a->p > b->p) - (a->p < b->p);
}

static void correct(struct repeat_gain *gains, unsigned bots)
{
    struct repeat_gain **order = xcalloc((size_t)bots + 1, sizeof(struct repeat_gain *));
    unsigned known = 0;
    double least = 0;

    for (unsigned bot = 0; bot < bots; bot++) {
        if (!isnan(gains[bot].p))
            order[known++] = &gains[bot];
    }
    qsort((void *)order, known, sizeof(struct repeat_gain *), compare_chances);
    for (unsigned i = 0; i < known; i++) {
        least = fmax(least, fmin(1, order[i]->p * (known - i)));
        order[i]->p = least;
        order[i]->is_suspicious = least < REPEAT_GAIN_ALARM;
    }
    free((void *)order);
}

void repeat_gain_measure(const struct result *results, size_t count, unsigned bots,
                         struct repeat_gain *gains)
{
    size_t found;
    struct appearance *list = collect(results, count, &found);
    struct sums *sums = xcalloc((size_t)bots + 1, sizeof *sums);

    for (unsigned bot = 0; bot < bots; bot++)
        gains[bot] = (struct repeat_gain){.blocks = 0};
    for (size_t start = 0, end = 0; start < found; start = end) {
        unsigned bot = list[start].bot;

        while (end < found && list[end].bot == bot && list[end].block == list[start].block)
            end++;
        add_block(&gains[bot], &sums[bot], &list[start], end - start);
    }
    for (unsigned bot = 0; bot < bots; bot++)
        finish(&gains[bot], &sums[bot]);
    correct(gains, bots);
    free(sums);
    free(list);
}
