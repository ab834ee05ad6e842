#ifndef REFEREE_TOURNAMENT_PLAY_BLOCK_SOURCE_H
#define REFEREE_TOURNAMENT_PLAY_BLOCK_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

struct task;

/* Which blocks to play: a tournament or a comparison. Blocks are numbered from 1. */
struct block_source {
    /* How many blocks are known so far. */
    unsigned (*block_count)(void *context);
    /* How many matches a block has, at most 32; 0: it is not played, or no longer. */
    unsigned (*rotations)(void *context, unsigned block);
    /* Seats the bots of one match: fills `seats` and `bots` of the task. */
    void (*fill_task)(void *context, unsigned block, unsigned rotation, struct task *task);
    /* All matches of a block are on disk. */
    void (*on_block_decided)(void *context, unsigned block);
    /* All known blocks are played. Returns whether it has added more. */
    bool (*extend)(void *context);
    /* The match of a block is to be played again. Returns the block in which that happens, if it
     * needs another deal because one of its bots may remember the cards; 0: the same. NULL: always
     * the same. */
    unsigned (*redeal)(void *context, unsigned block);
    void *context;
};

/* The matches of a block, a bit each. */
static inline uint32_t block_mask(unsigned rotations)
{
    return rotations >= 32 ? UINT32_MAX : (UINT32_C(1) << rotations) - 1;
}

#endif
