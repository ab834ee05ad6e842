#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_INTAKE_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_INTAKE_H

/* Takes a match that was played elsewhere: verifies its log as `replay --verify` does, against the
 * task that was given, and finds its result by playing the log again. */

#include "tournament/distribute/block_result.h"

enum block_intake {
    BLOCK_INTAKE_TAKEN,  /* its log is in the store's folder; `report` is as from a worker here */
    BLOCK_INTAKE_FALSE,  /* the log is not one of this task: a sentence says why */
    BLOCK_INTAKE_FAILED, /* it could not be written: errno */
};

/* `setup` is what the match should have been played with. */
enum block_intake block_intake_match(const struct task_setup *setup, const struct task *task,
                                     const struct block_result_match *match,
                                     struct task_report *report, struct text *problem);

#endif
