#ifndef TESTS_SUPPORT_SCHEDULE_COUNTS_H
#define TESTS_SUPPORT_SCHEDULE_COUNTS_H

/* Counts how often bots play and meet in the blocks of a schedule. */

#include "tournament/schedule/schedule.h"

#define COUNTS_BOTS_MAX 1000

struct counts {
    unsigned bots;
    unsigned played[COUNTS_BOTS_MAX];               /* blocks with this bot */
    unsigned met[COUNTS_BOTS_MAX][COUNTS_BOTS_MAX]; /* blocks with both bots */
};

/* The smallest and the largest count. */
struct range {
    unsigned fewest;
    unsigned most;
};

/* Counts the blocks from number `first` to `last`. The caller frees the result. */
struct counts *counts_of(const struct schedule *schedule, unsigned bots, unsigned first,
                         unsigned last);

void counts_add(struct counts *counts, const struct block *block);

/* How often bots play: over the bots from `first` to `last`, except `without`. */
struct range counts_played(const struct counts *counts, unsigned first, unsigned last,
                           unsigned without);

/* How often pairs meet: over all pairs of a bot from `first` to `last` with any other bot, except
 * pairs with `without`. */
struct range counts_met(const struct counts *counts, unsigned first, unsigned last,
                        unsigned without);

#endif
