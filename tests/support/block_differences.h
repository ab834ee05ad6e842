#ifndef TESTS_SUPPORT_BLOCK_DIFFERENCES_H
#define TESTS_SUPPORT_BLOCK_DIFFERENCES_H

/* Differences of blocks as `referee compare` meets them, drawn from measured ones. */

#include "game/allegra.h"

enum block_differences {
    BLOCK_DIFFERENCES_CLOSE,  /* bots that play most deals in the same way: mostly 0 */
    BLOCK_DIFFERENCES_NOISY,  /* equally strong bots that play differently in nearly every deal */
    BLOCK_DIFFERENCES_APART,  /* a bot against one that is better by 12 points */
    BLOCK_DIFFERENCES_WEAK,   /* against a random bot: skewed */
    BLOCK_DIFFERENCES_FIELD,  /* equally strong bots, each with a field of three */
    BLOCK_DIFFERENCES_FAULTY, /* a bot with a rare fault: nearly always 0, otherwise on one side */
    BLOCK_DIFFERENCES_COUNT,
};

const char *block_differences_name(enum block_differences shape);

/* The standard deviation of the differences of a shape. */
double block_differences_deviation(enum block_differences shape);

/* Draws one; the true mean is 0. */
double block_differences_draw(enum block_differences shape, struct allegra_dice *dice);

#endif
