#ifndef REFEREE_TOURNAMENT_JOB_H
#define REFEREE_TOURNAMENT_JOB_H

/* What the coordinator and its workers tell each other. Both are the same program, one forked from the
 * other, so a message is a struct as it lies in memory, one a packet. */

#include "base/spread.h"
#include "bot/clock_rule.h"
#include "bot/command.h"
#include "bot/contain.h"
#include "game/rules.h"
#include "tournament/result.h"
#include "tournament/store.h"
#include "wire/record.h"

#include <stdbool.h>
#include <stdint.h>

/* A bot as a match needs it. Lent. */
struct entrant {
    const char *name;
    struct command command;
    const char *folder; /* its current folder; NULL: ours */
    const char *const *environment;
    long memory_mb;
    bool is_remote; /* the command only passes on what it says elsewhere: a part of the referee */
};

/* What is the same for all matches. Lent. */
struct job_setup {
    struct rules rules;
    enum clock_rule clock;
    long start_ms;
    long move_ms;
    long bank_ms;
    enum contain_level contain;
    bool keeps_bots;
    unsigned tables; /* matches at once in a worker; 0: as the bots need it */
    const struct entrant *entrants;
    const struct store *store; /* for seeds and paths */
};

/* A match to be played. */
struct job {
    uint32_t block;
    uint16_t rotation;
    uint8_t seats;
    uint16_t bots[RULES_SEATS_MAX];
};

enum job_end {
    JOB_PLAYED,
    JOB_VOID,     /* the world's fault: `why` */
    JOB_RETURNED, /* not begun, because no more are to be begun */
    JOB_NOTHING,  /* no end of a job, only news of `slots` */
};

/* From a worker: how a job ended. */
struct job_report {
    enum job_end end;
    struct job job;
    unsigned slots;  /* how many jobs the worker would like to have now, those it has included */
    unsigned tables; /* how many of them it plays at once, beginning with those that came first */
    int error;       /* of JOB_VOID: the errno, if the disk or the machine said no; else 0 */
    char why[200];
    struct result result;
    char log_hash[RECORD_HASH_HEX];
    struct spread times[RULES_SEATS_MAX];
};

#endif
