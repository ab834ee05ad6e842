/* Points and scores are means per match and per round, because bots may sit out or join later. They
 * are compared as fractions, so that the order is exact. */

#include "tournament/stats/swiss_order.h"

#include "base/memory.h"

#include <stdlib.h>

struct ranked {
    uint16_t bot;
    unsigned matches;
    unsigned half_points;
    long halves;
    unsigned rounds;
};

static void add_points(struct ranked *ranked, const struct result *result)
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        struct ranked *bot = &ranked[result->bots[seat]];

        bot->matches++;
        bot->halves += result->score_halves[seat];
        bot->rounds += result->rounds;
        for (unsigned other = 0; other < result->seats; other++) {
            if (other != seat && result->places[seat] <= result->places[other])
                bot->half_points += result->places[seat] < result->places[other] ? 2 : 1;
        }
    }
}

static int compare_ranks(const void *one, const void *other)
{
    const struct ranked *a = one;
    const struct ranked *b = other;
    unsigned long left = (unsigned long)a->half_points * (b->matches > 0 ? b->matches : 1);
    unsigned long right = (unsigned long)b->half_points * (a->matches > 0 ? a->matches : 1);
    long long score_left = (long long)a->halves * (b->rounds > 0 ? b->rounds : 1);
    long long score_right = (long long)b->halves * (a->rounds > 0 ? a->rounds : 1);

    if (left != right)
        return left > right ? -1 : 1;
    if (score_left != score_right)
        return score_left < score_right ? -1 : 1;
    return (a->bot > b->bot) - (a->bot < b->bot);
}

void swiss_order(const struct result *results, size_t count, unsigned bots, uint16_t *order)
{
    struct ranked *ranked = xcalloc((size_t)bots + 1, sizeof *ranked);

    for (unsigned bot = 0; bot < bots; bot++)
        ranked[bot].bot = (uint16_t)bot;
    for (size_t i = 0; i < count; i++)
        add_points(ranked, &results[i]);
    qsort(ranked, bots, sizeof *ranked, compare_ranks);
    for (unsigned i = 0; i < bots; i++)
        order[i] = ranked[i].bot;
    free(ranked);
}
