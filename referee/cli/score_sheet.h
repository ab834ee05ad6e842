#ifndef REFEREE_CLI_SCORE_SHEET_H
#define REFEREE_CLI_SCORE_SHEET_H

/* The points of a match, round by round. */

#include "base/text.h"
#include "game/allegra.h"

#include <stdio.h>

/* No match has more rounds. */
#define SCORE_SHEET_ROUNDS_MAX 100

/* Begin with an empty one. */
struct score_sheet {
    unsigned seats;
    unsigned begun;  /* rounds; the last one may still be played */
    unsigned scored; /* rounds */
    int32_t halves[SCORE_SHEET_ROUNDS_MAX][ALLEGRA_SEATS_MAX];
};

/* Enters rounds and scores from what happened. Returns whether a round was scored. */
bool score_sheet_add(struct score_sheet *sheet, const struct allegra_events *events);

/* Adds a line about the round that was scored last: points, totals and the winner. */
void score_sheet_write_round(struct text *text, const struct score_sheet *sheet,
                             const char *const *names);

/* Prints all rounds as a table: a row per round, a column per seat, and the totals. */
void score_sheet_print(FILE *file, const struct score_sheet *sheet, const char *const *names);

#endif
