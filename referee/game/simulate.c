/* Random play: what a bot's rollouts, the tests and the benchmark have in common. */

#include "game/simulate.h"

static void shuffle(void *context, unsigned round, unsigned reshuffle, int8_t *cards,
                    unsigned count)
{
    struct dice *dice = context;

    (void)round;
    (void)reshuffle;
    for (unsigned i = count; i > 1; i--) {
        unsigned j = dice_below(dice, i);
        int8_t card = cards[i - 1];

        cards[i - 1] = cards[j];
        cards[j] = card;
    }
}

struct shuffler simulate_shuffler(struct dice *dice)
{
    return (struct shuffler){shuffle, dice};
}

void simulate_play_out(struct table *table, struct dice *dice)
{
    struct shuffler shuffler = simulate_shuffler(dice);
    struct legal legal;

    while (!table_is_over(table)) {
        unsigned seat = (unsigned)__builtin_ctz(table_asked(table));

        legal_list(table, seat, &legal);
        table_apply(table, seat, simulate_choose(dice, &legal), &shuffler, NULL);
    }
}
