#ifndef REFEREE_CLI_SHOW_H
#define REFEREE_CLI_SHOW_H

/* A match on the terminal: the displays side by side, what happened last, scores and times. */

#include "game/view.h"
#include "match/match.h"

#include <stdbool.h>
#include <stdio.h>

struct show;

/* `is_live`: draw the table again and again in one place, at most twenty times a second, so that the
 * match is never slowed down; otherwise only rounds and the result are printed. */
struct show *show_new(FILE *file, bool is_live);
void show_free(struct show *show);

/* For host_watch; `context` is the struct show. */
void show_events(void *context, const struct match *match, const struct events *events);

/* The last frame, the places and the times. */
void show_result(struct show *show, const struct match *match);

/* Draws the displays of a view side by side. `names` has one for each seat. */
void show_view(FILE *file, const struct view *view, const char *const *names, bool has_colour);

/* One event in words, without a line end. Returns false if it is not worth telling. */
bool show_event_words(struct text *text, const struct event *event, const char *const *names);

/* Whether colours are wanted on this file: a terminal, and NO_COLOR is not set. */
bool show_has_colour(FILE *file);

#endif
