#ifndef REFEREE_GAME_CLEAR_H
#define REFEREE_GAME_CLEAR_H

/* Triples: which there are, which of them may be cleared now, and which must. */

#include "game/table.h"

/* Five columns, and in each row all ways to choose three of five. */
#define ALLEGRA_CLEAR_TRIPLES_MAX 35

/* Triples of one display as masks: columns from A to E, then rows from 1 to 3, each from the left. */
struct allegra_triples {
    unsigned count;
    uint16_t list[ALLEGRA_CLEAR_TRIPLES_MAX];
};

/* All triples in the display of `seat`. */
void allegra_clear_find(const struct allegra_table *table, unsigned seat,
                        struct allegra_triples *triples);

/* The seat whose clear step is going on. */
unsigned allegra_clear_seat(const struct allegra_table *table);

/* The triples that may be cleared in the clear step that is going on. Returns whether one of them
 * must be. */
bool allegra_clear_choices(const struct allegra_table *table, struct allegra_triples *triples);

#endif
