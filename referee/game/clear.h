#ifndef REFEREE_GAME_CLEAR_H
#define REFEREE_GAME_CLEAR_H

/* Triples: which there are, which of them may be cleared now, and which must. */

#include "game/table.h"

/* Five columns, and in each row all ways to choose three of five. */
#define CLEAR_TRIPLES_MAX 35

/* Triples of one display as masks: columns from A to E, then rows from 1 to 3, each from the left. */
struct triples {
    unsigned count;
    uint16_t list[CLEAR_TRIPLES_MAX];
};

/* All triples in the display of `seat`. */
void clear_find(const struct table *table, unsigned seat, struct triples *triples);

/* The seat whose clear step is going on. */
unsigned clear_seat(const struct table *table);

/* The triples that may be cleared in the clear step that is going on. Returns whether one of them
 * must be. */
bool clear_choices(const struct table *table, struct triples *triples);

#endif
