#ifndef REFEREE_TOURNAMENT_DIRECTOR_H
#define REFEREE_TOURNAMENT_DIRECTOR_H

/* Plays a programme of deal blocks to its end: hands matches to the crew in the order of the programme,
 * writes results to the store, publishes blocks, repeats what was void, and waits while the disk is
 * full. */

#include "tournament/job.h"

#include <stdbool.h>
#include <stddef.h>

struct event_base;
struct director;

/* What is to be played. Blocks are numbered from 1. */
struct programme {
    /* How many blocks there are by now. */
    unsigned (*blocks)(void *context);
    /* How many matches a block has, at most 32; 0: it is not to be played (any more). */
    unsigned (*rotations)(void *context, unsigned block);
    /* Who sits where in one of them: fills `seats` and `bots`. */
    void (*seat)(void *context, unsigned block, unsigned rotation, struct job *job);
    /* All matches of a block are on the disk. */
    void (*on_block)(void *context, unsigned block);
    /* All blocks are played. Returns whether there are more now. */
    bool (*extend)(void *context);
    void *context;
};

enum director_end {
    DIRECTOR_FINISHED, /* everything is played */
    DIRECTOR_STOPPED,  /* somebody asked for it */
    DIRECTOR_PAUSED,   /* all is played but matches that were void time and again */
    DIRECTOR_FAILED,   /* the store cannot be trusted; see the message before */
};

struct director_setup {
    struct job_setup jobs;
    unsigned workers; /* 0: one a core */
    struct store *store;
    struct programme programme;
    /* One sentence for the organiser: something that is wrong, or is right again. */
    void (*on_message)(void *context, const char *words);
    /* Called once, from the loop. The director may be freed in it. */
    void (*on_end)(void *context, enum director_end end);
    void *context;
};

/* Begins to play. `setup` is copied; what it points to is lent. */
struct director *director_new(struct event_base *base, const struct director_setup *setup);
void director_free(struct director *director);

/* No match is begun any more; when those that run have ended, on_end comes. */
void director_stop(struct director *director);

/* How many matches are being played. */
unsigned director_playing(const struct director *director);

/* Whether it waits for the disk. */
bool director_is_waiting(const struct director *director);

#endif
