#ifndef REFEREE_GAME_POSITION_H
#define REFEREE_GAME_POSITION_H

/* Tables as text, for tests and bug reports: words `name=value`, separated by blanks or line ends.
 *
 *   seats=3 edition=en2020 knock_rounds=2        how many play, and by which rules
 *   display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,.,#3 rows A B C D E of seat 0: #v down, . gap, _ hole
 *   shared0=#6,4,#11                             column A of seat 0, which is E of seat 1
 *   private1=5,5,9/7,9,9/#7,#1,2                 rows B C D of seat 1
 *   draw=3,5 discard=6                           the piles from bottom to top
 *   active=0 ask=draw                            whose turn it is, and what is asked
 *
 * Only the cells must be given, each at least once, and alike if more than once. Without `ask` the
 * active seat (0) draws, in turn 1 of round 1. What a turn has in hand follows in further words:
 * see the table in position_field.c. */

#include "game/table.h"

/* Room enough for any table as text. */
#define ALLEGRA_POSITION_MAX 4096

/* Adds the table as text, so that position_read() makes the very same table of it. */
void position_write(struct text *text, const struct allegra_table *table);

/* Reads a table. What it accepts can be played on. Returns 0; or -1 with one sentence in `problem`,
 * and then `table` is undefined. */
int position_read(struct span span, struct allegra_table *table, struct text *problem);

/* Whether play can go on from this table: returns NULL, or what is wrong with it. */
const char *allegra_position_problem(const struct allegra_table *table);

#endif
