#ifndef REFEREE_GAME_LEGAL_H
#define REFEREE_GAME_LEGAL_H

/* All that a seat may answer now. */

#include "game/table.h"

/* 35 triples and none, or 15 cells to keep and 15 to drop; the last eight are only scribbled on. */
#define LEGAL_MAX 44

struct legal {
    unsigned count;
    struct answer list[LEGAL_MAX];
};

/* Lists the legal answers of `seat`, in a fixed order: verbs as in enum verb, then seats, then cells
 * from A1 to E3. Empty if nothing is asked of it. */
void legal_list(const struct table *table, unsigned seat, struct legal *legal);

#endif
