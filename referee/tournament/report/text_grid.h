#ifndef REFEREE_TOURNAMENT_REPORT_TEXT_GRID_H
#define REFEREE_TOURNAMENT_REPORT_TEXT_GRID_H

/* A table of text, its columns as wide as they have to be. */

#include <stdio.h>

struct text_grid;

/* `columns` has a letter for each column: `l` is set to the left, `r` to the right, and `n` is the
 * one to the left that is cut where the line would become too long. */
struct text_grid *text_grid_new(const char *columns);
void text_grid_free(struct text_grid *grid);

/* Begins the next cell, row by row from the left; what is in it is written to the stream that this
 * lends until the next call. No line end or NUL may be in it. */
FILE *text_grid_cell(struct text_grid *grid);

/* Prints all rows that are complete, in lines of at most `width` letters if that can be (0:
 * without a limit). Nothing can be added afterwards. */
void text_grid_print(struct text_grid *grid, FILE *file, unsigned width);

#endif
