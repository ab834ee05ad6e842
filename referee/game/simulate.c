/* Random play: what a bot's rollouts, the tests and the benchmark have in common. */

#include "game/allegra.h"

static void shuffle(void *context, unsigned round, unsigned reshuffle, int8_t *cards,
                    unsigned count)
{
    struct allegra_dice *dice = context;

    (void)round;
    (void)reshuffle;
    for (unsigned i = count; i > 1; i--) {
        unsigned j = allegra_dice_below(dice, i);
        int8_t card = cards[i - 1];

        cards[i - 1] = cards[j];
        cards[j] = card;
    }
}

struct allegra_shuffler allegra_simulate_shuffler(struct allegra_dice *dice)
{
    return (struct allegra_shuffler){shuffle, dice};
}

void allegra_simulate_play_out(struct allegra_table *table, struct allegra_dice *dice)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);
    struct allegra_legal legal;

    while (!allegra_table_is_over(table)) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(table));

        allegra_legal_list(table, seat, &legal);
        allegra_table_apply(table, seat, allegra_simulate_choose(dice, &legal), &shuffler, NULL);
    }
}
