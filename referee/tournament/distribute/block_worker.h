#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_WORKER_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_WORKER_H

/* A worker: takes blocks from Gearman job servers, gets the bots that it lacks, plays, and sends
 * back results and logs. It waits for ever for servers and coordinators that are gone. */

#include "tournament/distribute/bot_cache.h"
#include "tournament/distribute/seal.h"
#include "tournament/play/task.h"

struct event_base;
struct block_worker;

struct block_worker_setup {
    const char *const *servers; /* addresses; NULL ends them */
    const struct seal_key *key;
    struct bot_cache *cache;
    const char *folder;  /* for logs: empty, closed to bots, with a folder `open` */
    const char *machine; /* its name in logs */
    const char *name;    /* of this process */
    long speed;
    unsigned cores;            /* 0: all */
    bool levels[SANDBOX_AUTO]; /* at which it can contain bots */
    unsigned sign_ms;          /* how often it says what it plays */
    unsigned silence_ms;       /* as in task_setup, for the processes that play */
    void (*on_message)(void *context, const char *message);
    /* It has finished what it had, after block_worker_drain(), or is shut out. */
    void (*on_end)(void *context);
    void *context;
};

/* Everything in `setup` is lent. */
struct block_worker *block_worker_new(struct event_base *base,
                                      const struct block_worker_setup *setup);

/* Blocks that are not finished are given to others. */
void block_worker_free(struct block_worker *worker);

/* Takes no more blocks. */
void block_worker_drain(struct block_worker *worker);

#endif
