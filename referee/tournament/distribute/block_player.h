#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_PLAYER_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_PLAYER_H

/* Plays whole blocks with the workers of a local tournament, without a store: the logs are in
 * FOLDER/open/BLOCK until the caller takes them; FOLDER/open is there. */

#include "tournament/distribute/block_result.h"

struct event_base;
struct block_player;

struct block_player_observer {
    /* All matches of a block have ended: TASK_PLAYED, TASK_VOID, or TASK_RETURNED if the disk is
     * full. `reports` are lent. Called from the loop; may not free the player. */
    void (*on_block)(void *context, void *tag, const struct task_report *reports, unsigned count);
    /* One sentence about the machine. */
    void (*on_trouble)(void *context, const char *message);
    void *context;
};

/* `setup` and what it points to is lent. `workers`: 0 is one per core. */
struct block_player *block_player_new(struct event_base *base, const struct task_setup *setup,
                                      unsigned workers,
                                      const struct block_player_observer *observer);

/* Ends the workers; blocks that are not finished are lost. NULL is fine. */
void block_player_free(struct block_player *player);

/* Plays the matches of one block, which is not being played. `tag` comes back with them. */
void block_player_give(struct block_player *player, const struct task *tasks, unsigned count,
                       void *tag);

/* How many blocks it plays, and whether that is fewer than it can keep its workers busy with. */
unsigned block_player_busy(const struct block_player *player);
bool block_player_has_block(const struct block_player *player, unsigned block);
unsigned block_player_workers(const struct block_player *player);

/* Bots that could not be played for lack of room on the disk, since it was asked last. */
bool block_player_was_full(struct block_player *player);

#endif
