#ifndef REFEREE_TOURNAMENT_STATS_SWISS_REPLAY_H
#define REFEREE_TOURNAMENT_STATS_SWISS_REPLAY_H

/* How far the estimated strengths of a Swiss tournament can be from the true ones: found by playing
 * the tournament again many times, pairing included, with bots of known strengths. */

#include "tournament/schedule/schedule.h"
#include "tournament/store/result.h"

#include <stdint.h>

/* Lent for the call. */
struct swiss_replay {
    const struct schedule_setup *setup; /* its format is SCHEDULE_SWISS */
    const struct result *results;       /* those that count */
    size_t count;
    const bool *is_withdrawn; /* by number of bot; or NULL */
    unsigned replays;
    uint64_t seed;
};

/* Fills `errors` with log strengths: how far estimate and truth of bot b are apart in replay r is
 * [b * replays + r]; their mean over a part of the field is 0. */
void swiss_replay_errors(const struct swiss_replay *replay, double *errors);

#endif
