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
    /* Something is wrong with the machine or with us: a message for the organiser. */
    void (*on_trouble)(void *context, const char *message);
    void *context;
};

/* Starts `count` workers (0: one per core). `setup` and what it points to is lent. */
struct worker_pool *worker_pool_new(struct event_base *base, const struct task_setup *setup,
                                    unsigned count, const struct worker_pool_observer *observer);

/* Ends all workers; matches that are running are lost. NULL is fine. */
void worker_pool_free(struct worker_pool *pool);

/* Gives a task to the worker that has most room. Returns false if none has any. */
bool worker_pool_give(struct worker_pool *pool, const struct task *task);

/* Starts no more tasks; those that wait come back by on_report (TASK_RETURNED). */
void worker_pool_drain(struct worker_pool *pool);

/* How many tasks are given out. */
unsigned worker_pool_busy(const struct worker_pool *pool);

#endif
