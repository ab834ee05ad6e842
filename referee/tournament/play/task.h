#ifndef REFEREE_TOURNAMENT_PLAY_TASK_H
#define REFEREE_TOURNAMENT_PLAY_TASK_H

/* What the coordinator and its workers send each other. Both are the same program, one forked from
 * the other, so a packet is a struct as it is in memory. */

#include "base/histogram.h"
#include "bot/clock_rule.h"
#include "bot/bot_command.h"
#include "sandbox/sandbox.h"
#include "game/allegra.h"
#include "tournament/store/result.h"
#include "tournament/store/store.h"
#include "wire/log_record.h"

#include <stdbool.h>
#include <stdint.h>

/* A bot as a match needs it. Lent. */
struct bot_setup {
    const char *name;
    struct bot_command command;
    const char *folder;    /* its current folder; NULL: ours */
    bool is_folder_shared; /* as in process_spec */
    const char *const *environment;
    long memory_mb;
    const char *problem; /* why it cannot be started, one sentence without any output; or NULL */
    bool is_built;       /* it has a build, which worked */
    bool is_remote;      /* the command is a part of the referee, which relays what the bot says */
};

/* What is the same for all matches. Lent. */
struct task_setup {
    struct allegra_rules rules;
    const char *variant; /* as in match_setup */
    enum clock_rule clock;
    bool may_ponder;
    bool measures_luck;
    long start_ms;
    long move_ms;
    long bank_ms;
    enum sandbox_level sandbox;
    const struct sandbox *admitted; /* whose programs are run in those of the workers, or NULL */
    bool keeps_bots;
    unsigned tables;      /* matches at once per worker; 0: as many as keep the core busy */
    unsigned most_tables; /* then at most so many; 0: 16 */
    const struct bot_setup *bot_setups;
    const char *folder;        /* logs are written to FOLDER/open/BLOCK (store.h) */
    bool is_guessable;         /* the seeds are */
    const char *machine;       /* for logs that are written elsewhere; NULL: not said */
    long speed;                /* of the machine */
    long reference;            /* the speed that the limits are meant for; 0: they are not scaled */
    const struct store *store; /* whose lock the workers keep; NULL: there is none */
    unsigned silence_ms; /* a worker that says nothing for so long hangs; 0: TASK_SILENCE_MS */
};

/* A match to be played. */
struct task {
    uint32_t block;
    uint16_t rotation;
    uint8_t seats;
    uint16_t bots[ALLEGRA_SEATS_MAX];
    uint8_t seed[DEAL_RANDOM_SEED_BYTES]; /* of its block: all that a worker knows of the deals */
};

/* To a worker, a packet of one byte. */
enum task_order {
    TASK_DRAIN,  /* starts nothing more, ever; what it plays, it plays to the end */
    TASK_FINISH, /* starts nothing more; what lasts longer than TASK_FINISH_MS is held */
    TASK_GO,     /* continues */
};

#define TASK_FINISH_MS 5000

#define TASK_SILENCE_MS 60000
#define TASK_PULSES 8 /* signs of life in that time */

enum task_end {
    TASK_PLAYED,
    TASK_VOID,     /* the world's fault: `why` */
    TASK_RETURNED, /* not started, because no more are to be started */
    TASK_SLOTS,    /* no task has ended: `slots` may have changed, or it is a sign of life */
};

/* From a worker: how a task ended. */
struct task_report {
    enum task_end end;
    struct task task;
    unsigned slots;  /* how many tasks the worker wants to have now, including those it has */
    unsigned tables; /* how many of them it plays at once, starting with those that came first */
    unsigned voids;  /* for TASK_VOID: how often it was void; 0: once */
    int error;       /* for TASK_VOID: the errno, if the disk or the machine failed; else 0 */
    char why[200];
    struct result result;
    char log_hash[LOG_RECORD_HASH_HEX];
    struct histogram times[ALLEGRA_SEATS_MAX];
};

#endif
