#ifndef REFEREE_CLI_TOURNAMENT_PROGRESS_H
#define REFEREE_CLI_TOURNAMENT_PROGRESS_H

/* How a tournament goes, for the person who waits: on a terminal one view that is drawn again and again,
 * otherwise a line now and then. All of it on stderr. */

#include "tournament/play/progression.h"
#include "tournament/play/coordinator.h"

struct event_base;
struct progress;

/* Begins to show. Everything is lent. */
struct progress *progress_new(struct event_base *base, const struct progression *progression,
                              const struct store *store);

/* Stops showing and leaves the terminal in order. NULL is fine. */
void progress_free(struct progress *progress);

/* From now on it also tells how many matches are being played. */
void progress_watch(struct progress *progress, const struct coordinator *coordinator);

/* Says a sentence without getting in the way of the view. */
void progress_say(struct progress *progress, const char *words);

#endif
