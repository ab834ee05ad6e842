#ifndef REFEREE_CLI_PLAY_HUMAN_H
#define REFEREE_CLI_PLAY_HUMAN_H

/* A person at the terminal, as one of the seats. */

#include "match/match_host.h"

struct event_base;
struct human;

/* Whether a person can answer here: stdin is a terminal, or a pipe or socket of a script. Reports
 * it if not. */
bool human_can_play(void);

/* Asks on stdout and reads answers from stdin. NULL if stdin cannot be watched. */
struct human *human_new(struct event_base *base);
void human_free(struct human *human);

/* Begins a match in that seat. Returns the driver of the seat, for struct match_host_setup. */
struct match_host_driver human_sit(struct human *human, unsigned seat);

/* For struct match_observer: prints what the others do and say. */
void human_events(void *context, const struct match *match, const struct allegra_events *events);
void human_said(void *context, const struct match *match, unsigned seat, const char *said);

/* Prints the result of a match that was played to its end. */
void human_result(const struct human *human, const struct match *match);

/* Whether the person has left the match. NULL is fine. */
bool human_has_left(const struct human *human);

#endif
