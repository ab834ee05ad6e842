#ifndef REFEREE_TOURNAMENT_STATS_SWISS_ORDER_H
#define REFEREE_TOURNAMENT_STATS_SWISS_ORDER_H

/* The order in which the next round of a Swiss tournament seats the bots. */

#include "tournament/store/result.h"

#include <stddef.h>
#include <stdint.h>

/* Fills `order` with the numbers of all bots, the best first: more points per match, then a lower
 * score per round, then the lower number. A match gives a point for each bot that was placed
 * behind, and half a point for each that shares the place. */
void swiss_order(const struct result *results, size_t count, unsigned bots, uint16_t *order);

#endif
