#ifndef REFEREE_CLI_TOURNAMENT_STEERING_H
#define REFEREE_CLI_TOURNAMENT_STEERING_H

/* Whoever started a tournament says on stdin which of its workers may play now, as often as that
 * changes: a line `slots 0 2` names them, counted from 0; `slots` alone means none. */

#include "tournament/play/coordinator.h"

struct event_base;
struct steering;

/* Reads stdin from the loop and steers the coordinator, which is lent. */
struct steering *steering_new(struct event_base *base, struct coordinator *coordinator);
void steering_free(struct steering *steering);

#endif
