#ifndef REFEREE_GAME_DICE_H
#define REFEREE_GAME_DICE_H

/* A fast generator for simulations, tests and bots. Never for a deal that counts: see chance.h.
 * Pure and in the header, because a rollout calls it at every decision. */

#include <stdint.h>

struct allegra_dice {
    uint64_t state;
};

static inline struct allegra_dice allegra_dice_from(uint64_t seed)
{
    return (struct allegra_dice){seed};
}

/* The next 64 bits (splitmix64: any seed is a good one, the period is 2^64). */
static inline uint64_t allegra_dice_next(struct allegra_dice *dice)
{
    uint64_t mixed = dice->state += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

/* A number from 0 to bound - 1; the bias is below bound / 2^32. */
static inline uint32_t allegra_dice_below(struct allegra_dice *dice, uint32_t bound)
{
    return (uint32_t)(((allegra_dice_next(dice) >> 32) * bound) >> 32);
}

#endif
