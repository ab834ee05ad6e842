#ifndef REFEREE_TOURNAMENT_STATS_OUTCOMES_H
#define REFEREE_TOURNAMENT_STATS_OUTCOMES_H

/* What the places of a tournament say about the strength of bots, summed up by block in the form
 * that the Plackett-Luce model needs.
 *
 * In that model a match is a chain of choices: the first place is chosen among all, the second
 * among those that are left, and so on, each bot with a probability in proportion to its strength.
 * The log likelihood is the sum of the logs of the chosen strengths minus the sum of the logs of
 * the total strength of each set that was chosen from. So all that counts is how often each bot was
 * chosen and how often each set was chosen from.
 *
 * If bots share a place, all orders of them count equally. Of k that share it, all sets of m of
 * them (with those placed behind) have a weight of 1 / C(k, m). Between two bots a shared place is
 * half a win for each. All weights are multiples of 1/60, so their sums are exact and do not depend
 * on the order of the results. */

#include "tournament/stats/bit_matrix.h"
#include "tournament/store/result.h"

#include <stddef.h>
#include <stdint.h>

#define OUTCOMES_WHOLE 60 /* a weight of 1 */

/* A set that a bot was chosen from. A set of size 1 stands for the choice of that bot. */
struct outcome_set {
    uint8_t size;
    uint16_t bots[ALLEGRA_SEATS_MAX]; /* ascending; the rest are 0 */
};

/* How much a set counts in a block. */
struct outcome_share {
    uint32_t set;
    uint32_t sixtieths;
};

struct outcomes {
    unsigned bots;
    unsigned blocks;
    uint32_t *numbers;        /* of the blocks, ascending */
    struct outcome_set *sets; /* all that occur, small ones first */
    uint32_t set_count;
    struct outcome_share *shares; /* those of block b are first[b] up to first[b + 1] */
    size_t *first;
    unsigned *blocks_of;       /* by bot: in how many blocks it played */
    struct bit_matrix *beaten; /* which bot was placed before which, or level with it */
};

/* Ends the program if a result is impossible: a bot, place, table size or fault out of range. */
struct outcomes *outcomes_new(const struct result *results, size_t count, unsigned bots);
void outcomes_free(struct outcomes *outcomes);

/* The index of the block of that number, which must be there. */
unsigned outcomes_block(const struct outcomes *outcomes, uint32_t number);

/* Sums up the weight of each set over all blocks, each block multiplied by its `block_weights`, or
 * by 1 if that is NULL. */
void outcomes_weigh(const struct outcomes *outcomes, const double *block_weights,
                    double *set_weights);

#endif
