#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_LANE_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_LANE_H

/* The lane of a coordinator to workers behind Gearman job servers: hands blocks to them, follows
 * who plays what, and verifies what comes back before it counts. */

#include "tournament/distribute/seal.h"
#include "tournament/distribute/travel.h"
#include "tournament/play/lane.h"

#define BLOCK_LANE_SERVERS_MAX 8

struct event_base;
struct block_lane;

struct block_lane_setup {
    const char *const *servers; /* addresses; NULL ends them */
    const struct seal_key *key;
    const struct travel *travel;
    struct task_setup tasks;  /* what matches are played with */
    enum sandbox_level level; /* that is demanded */
    const char *store;        /* its id */
    unsigned silence_ms;      /* a worker without a sign of life for so long is given up */
};

/* Starts to connect. Everything in `setup` is lent. */
struct block_lane *block_lane_new(struct event_base *base, const struct block_lane_setup *setup);
void block_lane_free(struct block_lane *lane);

/* For the coordinator. Lent. */
const struct lane *block_lane_port(struct block_lane *lane);

/* Adds how many workers there are, how fast they are and how long answers wait, for the person who
 * waits. */
void block_lane_describe(const struct block_lane *lane, struct text *line);

#endif
