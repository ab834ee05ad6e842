#ifndef REFEREE_TOURNAMENT_PLAY_LANE_H
#define REFEREE_TOURNAMENT_PLAY_LANE_H

/* Workers of other machines, as the coordinator sees them: something that takes whole blocks and
 * reports each match as a worker here does. */

#include "tournament/play/worker_pool.h"

struct lane {
    /* Called once, before anything else. `observer` is copied; the lane calls its on_report,
     * on_room and on_trouble from the loop. */
    void (*listen)(void *context, const struct worker_pool_observer *observer);
    bool (*has_room)(void *context);
    /* Matches of one block, which has an open folder in the store. */
    void (*give)(void *context, const struct task *tasks, unsigned count);
    /* Takes no more; what nobody plays yet comes back (TASK_RETURNED), the rest is waited for. */
    void (*drain)(void *context);
    /* How many matches it has. */
    unsigned (*busy)(void *context);
    void *context;
};

#endif
