#ifndef REFEREE_CLI_TOURNAMENT_PROGRESS_H
#define REFEREE_CLI_TOURNAMENT_PROGRESS_H

/* Progress for the person who waits, on stderr: on a terminal a view that is redrawn in place,
 * otherwise a line now and then. */

#include "base/text.h"

struct event_base;
struct progress;

struct progress_view {
    /* Writes one line that says how far it is; nothing, if there is nothing to say yet. */
    void (*summarize)(void *context, struct text *line);
    /* Adds the lines of a larger view for a terminal with progress_add_line(); or NULL. */
    void (*draw)(void *context, struct progress *progress);
    void *context;
};

/* Starts to show. `view` is copied. */
struct progress *progress_new(struct event_base *base, const struct progress_view *view);

/* Stops showing and restores the terminal. NULL is fine. */
void progress_free(struct progress *progress);

/* Adds a line to the view, cut to the width of the terminal. */
void progress_add_line(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a line with a bar for `done` of `all`. */
void progress_add_bar(struct progress *progress, unsigned long done, unsigned long all);

/* Prints a message above the view. NULL is fine. */
void progress_say(struct progress *progress, const char *message);

#endif
