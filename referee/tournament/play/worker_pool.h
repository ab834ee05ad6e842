#ifndef REFEREE_TOURNAMENT_PLAY_WORKER_POOL_H
#define REFEREE_TOURNAMENT_PLAY_WORKER_POOL_H

/* The workers of a tournament: one process per core, replaced when it dies. */

#include "tournament/play/task.h"

#include <stdbool.h>

struct event_base;
struct worker_pool;

/* Called from the loop. None of them may free the worker pool. */
struct worker_pool_observer {
    /* A task has ended, or was not started and is to be given again (TASK_RETURNED). `report` is
     * lent. */
    void (*on_report)(void *context, const struct task_report *report);
    /* The worker died before it finished the task, perhaps because of it. */
    void (*on_lost)(void *context, const struct task *task, const char *why);
    /* Some worker may have room for more tasks: see worker_pool_give(). */
    void (*on_room)(void *context);
    /* A worker that may not play has nothing left to finish. May be NULL if the pool is not
     * steered. */
    void (*on_idle)(void *context, unsigned worker);
    /* Something is wrong with the machine or with us: a message for the organiser. */
    void (*on_trouble)(void *context, const char *message);
    void *context;
};

/* How many workers there are, and who says which of them may play. */
struct worker_pool_size {
    unsigned count;  /* 0: one per core */
    bool is_steered; /* none plays until worker_pool_steer() */
    bool is_empty;   /* there is none at all */
};

/* Starts the workers that may play. `setup` and what it points to is lent. */
struct worker_pool *worker_pool_new(struct event_base *base, const struct task_setup *setup,
                                    struct worker_pool_size size,
                                    const struct worker_pool_observer *observer);

/* Which workers may play from now on. Another one returns what it has not started and finishes the
 * rest, or has it held until it may play again (TASK_FINISH). `may_play` has a value for each
 * worker. */
void worker_pool_steer(struct worker_pool *pool, const bool *may_play);

unsigned worker_pool_count(const struct worker_pool *pool);

/* Ends all workers; matches that are running are lost. NULL is fine. */
void worker_pool_free(struct worker_pool *pool);

/* Gives a task to the worker that has most room. Returns false if none has any. */
bool worker_pool_give(struct worker_pool *pool, const struct task *task);

/* Starts no more tasks; those that wait come back by on_report (TASK_RETURNED). */
void worker_pool_drain(struct worker_pool *pool);

/* How many tasks are given out. */
unsigned worker_pool_busy(const struct worker_pool *pool);

#endif
