#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_LANE_FAILURES_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_LANE_FAILURES_H

/* The failures of a lane: how often each block was given up, and which workers failed it. */

#include "tournament/play/task.h"

#include <stdbool.h>

struct lane_failures;

struct lane_failures *lane_failures_new(void);
void lane_failures_free(struct lane_failures *failures);

/* How many tasks of a block were given up, to be counted by the caller. */
unsigned *lane_failures_attempts(struct lane_failures *failures, unsigned block);

/* A worker has failed a block; "" is nobody. */
void lane_failures_note(struct lane_failures *failures, unsigned block, const char *name);

/* Writes into a report why its match is void, with the names of all that have failed the block. */
void lane_failures_explain(struct lane_failures *failures, const char *why,
                           struct task_report *report, unsigned block);

/* A worker gives a block back. Returns false if that has happened too often to be no failure. */
bool lane_failures_may_return(struct lane_failures *failures, unsigned block);

#endif
