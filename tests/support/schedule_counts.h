#ifndef TESTS_SUPPORT_SCHEDULE_COUNTS_H
#define TESTS_SUPPORT_SCHEDULE_COUNTS_H

/* Counts what happens in the blocks of a schedule. */

#include "tournament/schedule/schedule.h"

#define COUNTS_BOTS_MAX 1000

struct counts {
    unsigned bots;
    unsigned played[COUNTS_BOTS_MAX];               /* in how many blocks each bot is */
    unsigned met[COUNTS_BOTS_MAX][COUNTS_BOTS_MAX]; /* in how many blocks two are together */
};

/* The fewest and the most of something. */
struct range {
    unsigned fewest;
    unsigned most;
};

/* Counts the blocks from number `first` to `last`. Give it back with free(). */
struct counts *counts_of(const struct schedule *schedule, unsigned bots, unsigned first,
                         unsigned last);

void counts_add(struct counts *counts, const struct block *block);

/* Over the bots from `first` to `last` but `without`. */
struct range counts_played(const struct counts *counts, unsigned first, unsigned last,
                           unsigned without);

/* Over all pairs of a bot from `first` to `last` with any other; no pair with `without`. */
struct range counts_met(const struct counts *counts, unsigned first, unsigned last,
                        unsigned without);

#endif
