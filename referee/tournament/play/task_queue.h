#ifndef REFEREE_TOURNAMENT_PLAY_TASK_QUEUE_H
#define REFEREE_TOURNAMENT_PLAY_TASK_QUEUE_H

/* Which match is given out next: those of a block source in their order, but first those that were
 * given out and not played. A match that is void repeatedly is set aside. */

#include "tournament/play/block_source.h"
#include "tournament/play/task.h"

#define TASK_QUEUE_VOIDS_MAX 3

struct task_queue;

/* The source is copied; what it points to and the store are lent. */
struct task_queue *task_queue_new(const struct block_source *source, struct store *store);
void task_queue_free(struct task_queue *queue);

/* The next match; it stays next until it is taken. Returns false if there is none. */
bool task_queue_next(struct task_queue *queue, struct task *task);
/* The match is given out. */
void task_queue_take(struct task_queue *queue, const struct task *task);
/* Takes the matches of a block that are to be given out, at most `most`. Returns how many. */
unsigned task_queue_take_block(struct task_queue *queue, unsigned block, struct task *tasks,
                               unsigned most);

/* The match was not played, and nothing is held against it. */
void task_queue_put_back(struct task_queue *queue, const struct task *task);
/* The same of a match that has begun: it may get other cards. */
void task_queue_put_spoiled(struct task_queue *queue, const struct task *task);
/* The match has begun and was void so many times more, the last time for this reason. Returns
 * whether that has made it one that is set aside for the first time. */
bool task_queue_put_void(struct task_queue *queue, const struct task *task, unsigned times,
                         const char *why);

/* A match that is set aside. `why` is lent until the queue changes. */
struct task_aside {
    unsigned block;
    unsigned rotation;
    unsigned voids;
    const char *why;
};

/* The matches that are set aside and still count: how many, and each by its number from 0. */
unsigned task_queue_count_aside(const struct task_queue *queue);
struct task_aside task_queue_aside(const struct task_queue *queue, unsigned number);
/* Each of them is to be given out once more. */
void task_queue_retry_aside(struct task_queue *queue);

/* Starts over with the blocks of the source: some that did not count may count by now. */
void task_queue_rewind(struct task_queue *queue);

#endif
