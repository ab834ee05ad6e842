#ifndef REFEREE_GAME_POSITION_H
#define REFEREE_GAME_POSITION_H

/* Tables as text, for the referee. allegra.h says what the text looks like; the table in
 * position_field.c has all of its fields. */

#include "base/text.h"
#include "game/allegra.h"

/* Adds the table as text, so that position_read() gives the very same table. */
void position_write(struct text *text, const struct allegra_table *table);

/* Reads a table from which play can go on. Returns 0; or -1 with one sentence in `problem`, and
 * then `table` is undefined. */
int position_read(struct span span, struct allegra_table *table, struct text *problem);

/* Whether play can go on from this table, whose cells and seats fit each other: returns NULL, or
 * what is wrong with it. */
const char *position_problem(const struct allegra_table *table);

#endif
