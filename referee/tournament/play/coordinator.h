#ifndef REFEREE_TOURNAMENT_PLAY_COORDINATOR_H
#define REFEREE_TOURNAMENT_PLAY_COORDINATOR_H

/* Plays a block source of deal blocks to its end: hands matches to the worker pool in the order of the block source,
 * writes results to the store, publishes blocks, repeats what was void, and waits while the disk is
 * full. */

#include "tournament/play/task.h"

#include <stdbool.h>
#include <stddef.h>

struct event_base;
struct coordinator;

/* What is to be played. Blocks are numbered from 1. */
struct block_source {
    /* How many blocks there are by now. */
    unsigned (*blocks)(void *context);
    /* How many matches a block has, at most 32; 0: it is not to be played (any more). */
    unsigned (*rotations)(void *context, unsigned block);
    /* Who sits where in one of them: fills `seats` and `bots`. */
    void (*seat)(void *context, unsigned block, unsigned rotation, struct task *job);
    /* All matches of a block are on the disk. */
    void (*on_block)(void *context, unsigned block);
    /* All blocks are played. Returns whether there are more now. */
    bool (*extend)(void *context);
    void *context;
};

enum coordinator_end {
    COORDINATOR_FINISHED, /* everything is played */
    COORDINATOR_STOPPED,  /* somebody asked for it */
    COORDINATOR_PAUSED,   /* all is played but matches that were void time and again */
    COORDINATOR_FAILED,   /* the store cannot be trusted; see the message before */
};

struct coordinator_setup {
    struct task_setup jobs;
    unsigned workers; /* 0: one a core */
    struct store *store;
    struct block_source source;
    /* One sentence for the organiser: something that is wrong, or is right again. */
    void (*on_message)(void *context, const char *words);
    /* Called once, from the loop. The coordinator may be freed in it. */
    void (*on_end)(void *context, enum coordinator_end end);
    void *context;
};

/* Begins to play. `setup` is copied; what it points to is lent. */
struct coordinator *coordinator_new(struct event_base *base, const struct coordinator_setup *setup);
void coordinator_free(struct coordinator *coordinator);

/* No match is begun any more; when those that run have ended, on_end comes. */
void coordinator_stop(struct coordinator *coordinator);

/* How many matches are being played. */
unsigned coordinator_playing(const struct coordinator *coordinator);

/* Whether it waits for the disk. */
bool coordinator_is_waiting(const struct coordinator *coordinator);

#endif
