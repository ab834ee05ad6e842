#ifndef REFEREE_CLI_TOURNAMENT_DISTRIBUTION_H
#define REFEREE_CLI_TOURNAMENT_DISTRIBUTION_H

/* A tournament that is played by workers of other machines: its key, what travels, its lane. */

#include "base/text.h"
#include "tournament/play/lane.h"

struct distribution;
struct event_base;
struct tournament;

/* Prepares it for a tournament that has job servers: reads the key and packs the bots. Returns NULL
 * after it has said why not. */
struct distribution *distribution_new(struct tournament *tournament);
void distribution_free(struct distribution *distribution);

/* Starts to connect. The lane is lent. */
const struct lane *distribution_open(struct distribution *distribution, struct event_base *base);

/* Ends the connections, before the loop is freed. */
void distribution_close(struct distribution *distribution);

/* Adds how the workers are. */
void distribution_describe(const struct distribution *distribution, struct text *line);

#endif
