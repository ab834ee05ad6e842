#ifndef REFEREE_CLI_TABLE_VIEW_H
#define REFEREE_CLI_TABLE_VIEW_H

/* A match on the terminal: the displays side by side, what happened last, scores and times. */

#include "game/view.h"
#include "match/match.h"

#include <stdbool.h>
#include <stdio.h>

struct table_view;

/* `is_live`: draw the table again and again in one place, at most twenty times a second, so that the
 * match is never slowed down; otherwise only rounds and the result are printed. */
struct table_view *table_view_new(FILE *file, bool is_live);
void table_view_free(struct table_view *show);

/* For host_watch; `context` is the struct table_view. */
void table_view_events(void *context, const struct match *match,
                       const struct allegra_events *events);

/* The last frame, the places and the times. */
void table_view_result(struct table_view *show, const struct match *match);

/* Draws the displays of a view side by side. `names` has one for each seat. */
void table_view_show(FILE *file, const struct allegra_view *view, const char *const *names,
                     bool has_colour);

/* One event in words, without a line end. Returns false if it is not worth telling. */
bool table_view_event_text(struct text *text, const struct allegra_event *event,
                           const char *const *names);

/* Whether colours are wanted on this file: a terminal, and NO_COLOR is not set. */
bool table_view_has_colour(FILE *file);

#endif
