#ifndef REFEREE_CLI_TABLE_DRAW_H
#define REFEREE_CLI_TABLE_DRAW_H

/* The table as text: all displays side by side, each column that two neighbours share drawn once,
 * between them. */

#include "game/allegra.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What the signs mean, in lines of at most 78 characters. */
#define TABLE_DRAW_LEGEND                                                                          \
    "? is a down card, . a gap, _ a hole; > is before the active player, ! before\n"               \
    "the points of the trigger, the first player without a down card. 20 +7 means:\n"              \
    "20 points from the rounds before, and 7 in up cards. E|A is a column that two\n"              \
    "players share: E of the one on its left, A of the one on its right. The table\n"              \
    "is round: E at the far right is the column at the far left.\n"

struct table_drawing {
    const struct allegra_view *view;
    const char *const *names; /* one per seat */
    const uint16_t *changed;  /* the cells to mark, as a mask per seat; NULL: none */
    const int64_t *times_us;  /* thinking time by seat; NULL: not shown */
    unsigned width;           /* in characters; if it is below 20, lines are longer */
    bool is_over;             /* the points are final: nothing is added for up cards */
    bool has_colour;
};

/* Draws the piles in one line and the displays below it. The seat that the view belongs to has its
 * left neighbour on the left and its right neighbour on the right, as at a table. */
void table_draw(FILE *file, const struct table_drawing *drawing);

/* Adds the cells that change in the events to those masks, each as the seat of the event names it.
 * A new round begins without changes. */
void table_draw_add_changes(uint16_t changed[ALLEGRA_SEATS_MAX],
                            const struct allegra_events *events);

/* The width of a terminal; 80 if the file is not a terminal. */
unsigned table_draw_width(FILE *file);

/* Whether to use colours: the file is a terminal, and NO_COLOR is not set. */
bool table_draw_has_colour(FILE *file);

#endif
