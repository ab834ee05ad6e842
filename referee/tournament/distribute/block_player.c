/* A list of blocks, each with its tasks: those that wait, those that a worker has, those that have
 * ended. Whenever a worker has room it gets the next waiting task of the oldest block. A worker
 * that dies makes the matches void that it may have died of; the coordinator decides what happens
 * to them. */

#include "tournament/distribute/block_player.h"

#include "base/memory.h"
#include "tournament/play/worker_pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct playing_block {
    struct task_report reports[BLOCK_RESULT_MATCHES_MAX];
    bool is_given[BLOCK_RESULT_MATCHES_MAX];
    bool has_ended[BLOCK_RESULT_MATCHES_MAX];
    unsigned count;
    unsigned ended;
    void *tag;
    struct playing_block *next;
};

struct block_player {
    const struct task_setup *setup;
    struct block_player_observer observer;
    struct worker_pool *pool;
    struct playing_block *first; /* the oldest */
    bool was_full;
};

static struct playing_block *find_block(const struct block_player *player, unsigned block)
{
    struct playing_block *playing = player->first;

    while (playing != NULL && playing->reports[0].task.block != block)
        playing = playing->next;
    return playing;
}

static struct playing_block *find_match(const struct block_player *player, const struct task *task,
                                        unsigned *index)
{
    struct playing_block *playing = find_block(player, task->block);

    for (*index = 0; playing != NULL && *index < playing->count; ++*index) {
        if (playing->reports[*index].task.rotation == task->rotation)
            return playing;
    }
    return NULL;
}

static bool give_block(struct block_player *player, struct playing_block *playing)
{
    for (unsigned i = 0; i < playing->count; i++) {
        if (playing->is_given[i] || playing->has_ended[i])
            continue;
        if (!worker_pool_give(player->pool, &playing->reports[i].task))
            return false;
        playing->is_given[i] = true;
    }
    return true;
}

static void give_all(struct block_player *player)
{
    for (struct playing_block *playing = player->first; playing != NULL; playing = playing->next) {
        if (!give_block(player, playing))
            return;
    }
}

/* The block is over: it leaves the list before anybody hears of it. */
static void end_block(struct block_player *player, struct playing_block *playing)
{
    struct playing_block **link = &player->first;

    while (*link != playing)
        link = &(*link)->next;
    *link = playing->next;
    player->observer.on_block(player->observer.context, playing->tag, playing->reports,
                              playing->count);
    free(playing);
}

static bool is_disk_error(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EIO || error == EROFS;
}

static void end_match(struct block_player *player, const struct task_report *report)
{
    unsigned index;
    struct playing_block *playing = find_match(player, &report->task, &index);
    struct task_report *kept;

    if (playing == NULL || playing->has_ended[index])
        return;
    kept = &playing->reports[index];
    *kept = *report;
    playing->has_ended[index] = true;
    if (kept->end == TASK_VOID && is_disk_error(kept->error)) {
        player->was_full = true;
        kept->end = TASK_RETURNED;
    }
    if (++playing->ended == playing->count)
        end_block(player, playing);
}

static void on_report(void *context, const struct task_report *report)
{
    struct block_player *player = context;
    unsigned index;
    struct playing_block *playing;

    if (report->end != TASK_RETURNED) {
        end_match(player, report);
        return;
    }
    playing = find_match(player, &report->task, &index);
    if (playing != NULL)
        playing->is_given[index] = false;
}

static void on_lost(void *context, const struct task *task, const char *why)
{
    struct task_report report = {.end = TASK_VOID, .task = *task};

    snprintf(report.why, sizeof report.why, "%s", why);
    end_match(context, &report);
}

static void on_room(void *context)
{
    give_all(context);
}

static void on_trouble(void *context, const char *message)
{
    const struct block_player *player = context;

    player->observer.on_trouble(player->observer.context, message);
}

struct block_player *block_player_new(struct event_base *base, const struct task_setup *setup,
                                      unsigned workers,
                                      const struct block_player_observer *observer)
{
    struct block_player *player = xcalloc(1, sizeof *player);
    struct worker_pool_observer watch = {on_report, on_lost, on_room, NULL, on_trouble, player};
    struct worker_pool_size size = {.count = workers};

    player->setup = setup;
    player->observer = *observer;
    player->pool = worker_pool_new(base, setup, size, &watch);
    return player;
}

void block_player_free(struct block_player *player)
{
    if (player == NULL)
        return;
    worker_pool_free(player->pool);
    while (player->first != NULL) {
        struct playing_block *playing = player->first;

        player->first = playing->next;
        free(playing);
    }
    free(player);
}

/* A folder that cannot be made shows itself when the log is opened. */
static void make_folder(const struct block_player *player, unsigned block)
{
    char *path = store_open_path_in(player->setup->folder, block, 0);

    *strrchr(path, '/') = '\0';
    (void)mkdir(path, 0700);
    free(path);
}

void block_player_give(struct block_player *player, const struct task *tasks, unsigned count,
                       void *tag)
{
    struct playing_block *playing = xcalloc(1, sizeof *playing);
    struct playing_block **link = &player->first;

    playing->count = count;
    playing->tag = tag;
    for (unsigned i = 0; i < count; i++)
        playing->reports[i].task = tasks[i];
    while (*link != NULL)
        link = &(*link)->next;
    *link = playing;
    make_folder(player, tasks[0].block);
    give_all(player);
}

unsigned block_player_busy(const struct block_player *player)
{
    unsigned count = 0;

    for (const struct playing_block *playing = player->first; playing != NULL;
         playing = playing->next)
        count++;
    return count;
}

bool block_player_has_block(const struct block_player *player, unsigned block)
{
    return find_block(player, block) != NULL;
}

unsigned block_player_workers(const struct block_player *player)
{
    return worker_pool_count(player->pool);
}

bool block_player_was_full(struct block_player *player)
{
    bool was_full = player->was_full;

    player->was_full = false;
    return was_full;
}
