#ifndef REFEREE_TOURNAMENT_REPORT_TEXT_GRID_H
#define REFEREE_TOURNAMENT_REPORT_TEXT_GRID_H

/* A table of text with columns as wide as their contents. */

#include <stdio.h>

struct text_grid;

/* `columns` has a character per column: `l` is aligned to the left, `r` to the right, and `n` to
 * the left and cut if lines would be too long. Lent. */
struct text_grid *text_grid_new(const char *columns);
void text_grid_free(struct text_grid *grid);

/* Starts the next cell, row by row from the left. Its text is written to the stream that is
 * returned, which is lent until the next call; it may not contain a line end or NUL. */
FILE *text_grid_cell(struct text_grid *grid);

/* Prints all complete rows, in lines of at most `width` characters if possible (0: without a
 * limit). Nothing can be added afterwards. */
void text_grid_print(struct text_grid *grid, FILE *file, unsigned width);

#endif
