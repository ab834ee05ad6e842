#ifndef REFEREE_CLI_TABLE_VIEW_H
#define REFEREE_CLI_TABLE_VIEW_H

/* A match on the terminal: the displays side by side, what happened last, scores and times. */

#include "game/allegra.h"
#include "match/match.h"

#include <stdbool.h>
#include <stdio.h>

struct table_view;

/* `is_live`: draw the table in place, at most twenty times per second, so that the match is not
 * slowed down; otherwise only rounds and the result are printed. */
struct table_view *table_view_new(FILE *file, bool is_live);
void table_view_free(struct table_view *show);

/* For struct match_host_observer; `context` is the struct table_view. */
void table_view_events(void *context, const struct match *match,
                       const struct allegra_events *events);

/* Prints places, points and times, one line per seat. */
void table_view_print_places(FILE *file, const struct match *match);

/* Draws the last frame and prints the places. */
void table_view_result(struct table_view *show, const struct match *match);

/* Draws the displays of a view side by side. `names` has one name per seat. */
void table_view_show(FILE *file, const struct allegra_view *view, const char *const *names,
                     bool has_colour);

/* Adds a sentence about an event, without a line end. Returns false if the event has none. */
bool table_view_event_text(struct text *text, const struct allegra_event *event,
                           const char *const *names);

/* Whether to use colours: the file is a terminal, and NO_COLOR is not set. */
bool table_view_has_colour(FILE *file);

#endif
