#ifndef REFEREE_CLI_TABLE_VIEW_H
#define REFEREE_CLI_TABLE_VIEW_H

/* A match on the terminal while it is played: the table, what happened last, scores and times. */

#include "cli/score_sheet.h"
#include "game/allegra.h"
#include "match/match.h"

#include <stdbool.h>
#include <stdio.h>

struct table_view;

/* `is_live`: draw the table in place, at most twenty times per second, so that the match is not
 * slowed down; otherwise only rounds and the result are printed. */
struct table_view *table_view_new(FILE *file, bool is_live);
void table_view_free(struct table_view *show);

/* For struct match_observer; `context` is the struct table_view. */
void table_view_events(void *context, const struct match *match,
                       const struct allegra_events *events);
void table_view_said(void *context, const struct match *match, unsigned seat, const char *said);

/* Draws the last frame and prints the result. */
void table_view_result(struct table_view *show, const struct match *match);

/* Prints the result of a match: the sheet, if there is more than one round on it; then places,
 * points and times, one line per seat. */
void table_view_print_result(FILE *file, const struct match *match,
                             const struct score_sheet *sheet);

#endif
