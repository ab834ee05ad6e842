#ifndef REFEREE_GAME_SIMULATE_H
#define REFEREE_GAME_SIMULATE_H

/* Randomness for simulations: shuffles and choices from fast dice. */

#include "game/dice.h"
#include "game/legal.h"
#include "game/table.h"

/* A shuffler that uses `dice`, which is lent for as long as the shuffler is used. */
struct allegra_shuffler allegra_simulate_shuffler(struct allegra_dice *dice);

/* One of the legal answers, each as likely as the other. */
static inline struct allegra_answer allegra_simulate_choose(struct allegra_dice *dice,
                                                            const struct allegra_legal *legal)
{
    return legal->list[allegra_dice_below(dice, legal->count)];
}

/* Plays the match to its end with random answers. */
void allegra_simulate_play_out(struct allegra_table *table, struct allegra_dice *dice);

#endif
