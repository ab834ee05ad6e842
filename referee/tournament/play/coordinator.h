#ifndef REFEREE_TOURNAMENT_PLAY_COORDINATOR_H
#define REFEREE_TOURNAMENT_PLAY_COORDINATOR_H

/* Plays the blocks of a block source to the end: gives matches to the worker pool in the order of
 * the source, writes results to the store, publishes blocks, repeats void matches, and waits while
 * the disk is full. */

#include "tournament/play/block_source.h"
#include "tournament/play/lane.h"
#include "tournament/play/task.h"

#include <stdbool.h>
#include <stddef.h>

struct event_base;
struct coordinator;

enum coordinator_end {
    COORDINATOR_FINISHED, /* everything is played */
    COORDINATOR_STOPPED,  /* on request, after the matches that were running */
    COORDINATOR_ABORTED,  /* on request, in the middle of matches: only runner_play() returns it */
    COORDINATOR_PAUSED,   /* everything is played but matches that were void repeatedly */
    COORDINATOR_FAILED,   /* the store cannot be trusted; a message has said why */
};

struct coordinator_setup {
    struct task_setup tasks;
    unsigned workers;        /* 0: one per core */
    bool is_steered;         /* none of them plays until coordinator_steer() */
    bool is_elsewhere;       /* there are no workers here, only the lane */
    const struct lane *lane; /* for workers of other machines; NULL: there are none */
    struct store *store;
    struct block_source source;
    /* A worker that may not play any more has finished (worker_pool.h); or NULL. */
    void (*on_idle)(void *context, unsigned worker);
    /* One sentence for the organiser: a problem, or the end of one. */
    void (*on_message)(void *context, const char *message);
    /* Called once, from the loop. The coordinator may be freed in it. */
    void (*on_end)(void *context, enum coordinator_end end);
    void *context;
};

/* Starts to play. `setup` is copied; what it points to is lent. */
struct coordinator *coordinator_new(struct event_base *base, const struct coordinator_setup *setup);
void coordinator_free(struct coordinator *coordinator);

/* Starts no more matches; on_end is called when the running ones have ended. */
void coordinator_stop(struct coordinator *coordinator);

/* Which workers may play from now on: a value for each of coordinator_workers(). */
void coordinator_steer(struct coordinator *coordinator, const bool *may_play);
unsigned coordinator_workers(const struct coordinator *coordinator);

/* How many matches are running. */
unsigned coordinator_playing(const struct coordinator *coordinator);

/* Whether it waits for the disk. */
bool coordinator_is_waiting(const struct coordinator *coordinator);

#endif
