#ifndef REFEREE_CLI_PLAY_HUMAN_H
#define REFEREE_CLI_PLAY_HUMAN_H

/* A person at the terminal, as one of the seats. */

#include "match/match_host.h"

struct event_base;
struct human;

/* Asks on stdout and reads answers from stdin. */
struct human *human_new(struct event_base *base);
void human_free(struct human *human);

/* The driver of the seat, for struct match_host_setup. */
struct match_host_driver human_driver(struct human *human);

/* For struct match_host_observer: prints what the others do. */
void human_events(void *context, const struct match *match, const struct allegra_events *events);

/* Whether the person has left the match. NULL is fine. */
bool human_has_left(const struct human *human);

#endif
