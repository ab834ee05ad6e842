#ifndef REFEREE_GAME_LEGAL_H
#define REFEREE_GAME_LEGAL_H

/* All that a seat may answer now. */

#include "game/table.h"

/* 35 triples and none, or 15 cells to keep and 15 to drop; the last eight are only scribbled on. */
#define ALLEGRA_LEGAL_MAX 44

struct allegra_legal {
    unsigned count;
    struct allegra_answer list[ALLEGRA_LEGAL_MAX];
};

/* Lists the legal answers of `seat`, in a fixed order: verbs as in enum allegra_verb, then seats, then cells
 * from A1 to E3. Empty if nothing is asked of it. */
void allegra_legal_list(const struct allegra_table *table, unsigned seat,
                        struct allegra_legal *legal);

#endif
