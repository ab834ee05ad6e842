#ifndef REFEREE_GAME_CARD_H
#define REFEREE_GAME_CARD_H

/* Cards and cells: the values that everything else is made of.
 *
 * A card is its value, -1 to 11. A cell is a place in a display of three rows and five columns,
 * numbered row by row: A1 is 0, E1 is 4, A2 is 5, E3 is 14. A set of cells is a mask of 15 bits. */

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

#define ALLEGRA_CARD_LEAST (-1)
#define ALLEGRA_CARD_MOST 11
#define ALLEGRA_CARD_VALUES 13

/* No card: what lies in a hole, and what a hand holds when it is empty. Equal to no value. */
#define ALLEGRA_CARD_NONE 100

#define ALLEGRA_CELL_ROWS 3
#define ALLEGRA_CELL_COLUMNS 5
#define ALLEGRA_CELL_COUNT 15
#define ALLEGRA_CELL_NONE 255
#define ALLEGRA_CELL_ALL 0x7fff

/* The mask of one cell, of column A, of column E and of row 1. */
#define ALLEGRA_CELL_BIT(cell) ((uint16_t)(1U << (cell)))
#define ALLEGRA_CELL_COLUMN_A 0x0421
#define ALLEGRA_CELL_COLUMN_E 0x4210
#define ALLEGRA_CELL_ROW_1 0x001f

/* Adds "-1" … "11" to `text`. */
void card_write(struct text *text, int card);

/* Reads a card from all of `span`. Returns 0, or -1 and leaves `card` alone. */
int card_read(struct span span, int8_t *card);

/* Adds "A1" … "E3" to `text`. */
void cell_write(struct text *text, unsigned cell);

/* Reads a cell from all of `span`. Returns 0, or -1 and leaves `cell` alone. */
int cell_read(struct span span, unsigned *cell);

/* The lowest cell of a mask that is not empty. */
static inline unsigned allegra_cell_of(uint16_t mask)
{
    return (unsigned)__builtin_ctz(mask);
}

/* How many cells. Written out, because without a popcount instruction in the target the compiler
 * calls a library for it. */
static inline unsigned allegra_cell_count(uint16_t mask)
{
    unsigned sum = mask - (mask >> 1 & 0x5555U);

    sum = (sum & 0x3333U) + (sum >> 2 & 0x3333U);
    sum = (sum + (sum >> 4)) & 0x0f0fU;
    return (sum + (sum >> 8)) & 0x1fU;
}

/* Whether there are at least three. */
static inline bool allegra_cell_has_three(unsigned mask)
{
    mask &= mask - 1;
    return (mask & (mask - 1)) != 0;
}

static inline bool allegra_cell_is_single(uint16_t mask)
{
    return mask != 0 && (mask & (mask - 1)) == 0;
}

#endif
