#ifndef REFEREE_GAME_SIMULATE_H
#define REFEREE_GAME_SIMULATE_H

/* Randomness for simulations: shuffles and choices from fast dice. */

#include "base/dice.h"
#include "game/legal.h"
#include "game/table.h"

/* A shuffler that uses `dice`, which is lent for as long as the shuffler is used. */
struct shuffler simulate_shuffler(struct dice *dice);

/* One of the legal answers, each as likely as the other. */
static inline struct answer simulate_choose(struct dice *dice, const struct legal *legal)
{
    return legal->list[dice_below(dice, legal->count)];
}

/* Plays the match to its end with random answers. */
void simulate_play_out(struct table *table, struct dice *dice);

#endif
