/* The coordinator is told of ended matches by the worker pool and of passing time by two timers. Results are
 * collected and written together, at most GROUP_MS after the first of them; only then does a block
 * count as played, and only then may anybody see its logs.
 *
 * Trouble has three kinds. A match that is void, or that its worker took into death, is given out again,
 * and after VOIDS_MAX times set aside. A disk that takes nothing stops everything but the matches that
 * run, and is tried again until it does; no match is counted as void for it. Both leave a pause before
 * the next match is begun, which grows while nothing succeeds. Everything else is ours. */

#include "tournament/play/coordinator.h"

#include "base/memory.h"
#include "tournament/play/worker_pool.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP_MS 50
#define VOIDS_MAX 3
#define FIRST_PAUSE_MS 100
#define LAST_PAUSE_MS 3000

/* A match that is given out again, or set aside. */
struct again {
    struct task task;
    unsigned voids;
    bool is_waiting; /* to be given out */
    bool is_aside;
};

struct coordinator {
    struct event_base *base;
    struct coordinator_setup setup;
    struct worker_pool *pool;
    struct event *on_group; /* time to write */
    struct event *on_go;    /* time to go on after a pause, or to look for what to do */
    unsigned cursor;        /* the first block that may have matches to give out */
    uint32_t *out;          /* by block: matches that were given out in this run */
    unsigned out_capacity;
    struct again *agains;
    unsigned again_count;
    unsigned *touched; /* blocks with results since the last writing */
    unsigned touched_count;
    unsigned pause_ms;
    bool is_pausing;
    bool is_disk_full;
    bool is_stopping;
    bool has_ended; /* the loop is to say so */
    enum coordinator_end end;
};

static void after(struct event *event, unsigned ms)
{
    struct timeval time = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    event_add(event, &time);
}

static void say(struct coordinator *coordinator, const char *words)
{
    coordinator->setup.on_message(coordinator->setup.context, words);
}

static unsigned rotations_of(const struct coordinator *coordinator, unsigned block)
{
    return coordinator->setup.source.rotations(coordinator->setup.source.context, block);
}

static uint32_t mask_of(unsigned rotations)
{
    return rotations >= 32 ? UINT32_MAX : (UINT32_C(1) << rotations) - 1;
}

/* Begins nothing for a while, which grows until something succeeds. Whatever else goes wrong meanwhile
 * is of the same trouble. */
static void pause_giving(struct coordinator *coordinator)
{
    if (coordinator->is_pausing)
        return;
    coordinator->is_pausing = true;
    after(coordinator->on_go, coordinator->pause_ms);
    coordinator->pause_ms *= 2;
    if (coordinator->pause_ms > LAST_PAUSE_MS)
        coordinator->pause_ms = LAST_PAUSE_MS;
}

static void note_success(struct coordinator *coordinator)
{
    coordinator->pause_ms = FIRST_PAUSE_MS;
    if (coordinator->is_disk_full)
        say(coordinator, "the disk takes data again: the tournament goes on");
    coordinator->is_disk_full = false;
}

static void note_disk(struct coordinator *coordinator, int error)
{
    char words[300];

    if (!coordinator->is_disk_full) {
        snprintf(words, sizeof words,
                 "the store cannot be written: %s; waiting, and trying again until it can",
                 strerror(error));
        say(coordinator, words);
    }
    coordinator->is_disk_full = true;
    pause_giving(coordinator);
}

/* It is over. Whoever finds that out may have been called by the worker pool, which is still needed then. */
static void finish(struct coordinator *coordinator, enum coordinator_end end)
{
    coordinator->has_ended = true;
    coordinator->end = end;
    after(coordinator->on_go, 0);
}

static bool is_of_disk(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EIO || error == EROFS;
}

static void write_soon(struct coordinator *coordinator)
{
    if (!event_pending(coordinator->on_group, EV_TIMEOUT, NULL))
        after(coordinator->on_group, GROUP_MS);
}

/* Matches that are played again. */

static struct again *find_again(struct coordinator *coordinator, const struct task *task)
{
    struct again *again;

    for (unsigned i = 0; i < coordinator->again_count; i++) {
        again = &coordinator->agains[i];
        if (again->task.block == task->block && again->task.rotation == task->rotation)
            return again;
    }
    coordinator->agains =
        xrealloc(coordinator->agains, (coordinator->again_count + 1) * sizeof *again);
    again = &coordinator->agains[coordinator->again_count++];
    *again = (struct again){.task = *task};
    return again;
}

static void set_aside(struct coordinator *coordinator, struct again *again, const char *why)
{
    char words[400];

    again->is_aside = true;
    snprintf(words, sizeof words,
             "match %u.%u was void %d times and is set aside, the last time because %s",
             again->task.block, again->task.rotation + 1, VOIDS_MAX, why);
    say(coordinator, words);
}

static void play_again(struct coordinator *coordinator, const struct task *task, const char *why)
{
    struct again *again = find_again(coordinator, task);

    store_add_void(coordinator->setup.store, task->block, task->rotation, why);
    write_soon(coordinator);
    if (++again->voids >= VOIDS_MAX)
        set_aside(coordinator, again, why);
    else
        again->is_waiting = true;
    pause_giving(coordinator);
}

static void give_back(struct coordinator *coordinator, const struct task *task)
{
    find_again(coordinator, task)->is_waiting = true;
}

/* Giving matches out. */

static void make_room(struct coordinator *coordinator, unsigned block)
{
    unsigned before = coordinator->out_capacity;

    if (block < before)
        return;
    coordinator->out_capacity = 2 * block + 64;
    coordinator->out =
        xrealloc(coordinator->out, coordinator->out_capacity * sizeof *coordinator->out);
    memset(coordinator->out + before, 0,
           (coordinator->out_capacity - before) * sizeof *coordinator->out);
}

/* The next match of the block source, if there is one. */
static bool find_next(struct coordinator *coordinator, struct task *task)
{
    const struct block_source *source = &coordinator->setup.source;
    unsigned blocks = source->block_count(source->context);

    for (; coordinator->cursor <= blocks; coordinator->cursor++) {
        unsigned block = coordinator->cursor;
        uint32_t missing;

        make_room(coordinator, block);
        missing = mask_of(rotations_of(coordinator, block)) & ~coordinator->out[block] &
                  ~store_done(coordinator->setup.store, block);
        if (missing == 0)
            continue;
        *task = (struct task){.block = block, .rotation = (uint16_t)__builtin_ctz(missing)};
        source->fill_task(source->context, block, task->rotation, task);
        return true;
    }
    return false;
}

/* One that was given out before, if its block still counts. */
static struct again *find_waiting(struct coordinator *coordinator)
{
    for (unsigned i = 0; i < coordinator->again_count; i++) {
        struct again *again = &coordinator->agains[i];

        if (again->is_waiting && rotations_of(coordinator, again->task.block) > 0)
            return again;
    }
    return NULL;
}

/* Gives out one match. Returns false if there is none, or nobody to take it, or no room on the disk. */
static bool give_one(struct coordinator *coordinator)
{
    struct again *again = find_waiting(coordinator);
    struct task task;

    if (again != NULL)
        task = again->task;
    else if (!find_next(coordinator, &task))
        return false;
    if (store_open_block(coordinator->setup.store, task.block) != 0) {
        note_disk(coordinator, errno);
        return false;
    }
    if (!worker_pool_give(coordinator->pool, &task))
        return false;
    make_room(coordinator, task.block);
    coordinator->out[task.block] |= UINT32_C(1) << task.rotation;
    if (again != NULL)
        again->is_waiting = false;
    return true;
}

/* The deals of all blocks that are there must be committed to before one of them is played. */
static int commit(struct coordinator *coordinator)
{
    const struct block_source *source = &coordinator->setup.source;

    if (store_commit(coordinator->setup.store, source->block_count(source->context)) == 0)
        return 0;
    if (errno == ENOTRECOVERABLE) {
        say(coordinator, "the commitments in the store do not belong to its master seed");
        finish(coordinator, COORDINATOR_FAILED);
    } else {
        note_disk(coordinator, errno);
    }
    return -1;
}

static void give_out(struct coordinator *coordinator)
{
    if (coordinator->is_pausing || coordinator->is_stopping || coordinator->has_ended ||
        commit(coordinator) != 0)
        return;
    while (!coordinator->is_pausing && give_one(coordinator))
        ;
}

/* Writing. */

static void touch(struct coordinator *coordinator, unsigned block)
{
    for (unsigned i = 0; i < coordinator->touched_count; i++) {
        if (coordinator->touched[i] == block)
            return;
    }
    coordinator->touched = xrealloc(coordinator->touched, (coordinator->touched_count + 1) *
                                                              sizeof *coordinator->touched);
    coordinator->touched[coordinator->touched_count++] = block;
}

static bool is_decided(const struct coordinator *coordinator, unsigned block)
{
    uint32_t all = mask_of(rotations_of(coordinator, block));

    return all != 0 && (store_done(coordinator->setup.store, block) & all) == all;
}

/* In the order in which they were touched. Returns 0, or -1 with errno if a block could not be moved; it
 * is tried again. */
static int publish(struct coordinator *coordinator)
{
    const struct block_source *source = &coordinator->setup.source;
    unsigned done = 0;
    int result = 0;

    while (done < coordinator->touched_count && result == 0) {
        unsigned block = coordinator->touched[done];

        if (is_decided(coordinator, block))
            result = store_publish(coordinator->setup.store, block);
        if (result == 0 && is_decided(coordinator, block))
            source->on_block_decided(source->context, block);
        if (result == 0)
            done++;
    }
    coordinator->touched_count -= done;
    if (coordinator->touched_count > 0)
        memmove(coordinator->touched, coordinator->touched + done,
                coordinator->touched_count * sizeof *coordinator->touched);
    return result;
}

/* Returns whether everything that has happened is on the disk. That nothing was to be written is no sign
 * that it could be. */
static bool write_out(struct coordinator *coordinator)
{
    bool has_something =
        store_is_waiting(coordinator->setup.store) || coordinator->touched_count > 0;

    if (store_write(coordinator->setup.store) != 0 || publish(coordinator) != 0) {
        note_disk(coordinator, errno);
        return false;
    }
    if (coordinator->is_disk_full && has_something)
        note_success(coordinator);
    return true;
}

/* Ending. */

static bool has_something_waiting(struct coordinator *coordinator)
{
    struct task task;

    return find_waiting(coordinator) != NULL || find_next(coordinator, &task);
}

static bool has_something_aside(const struct coordinator *coordinator)
{
    for (unsigned i = 0; i < coordinator->again_count; i++) {
        if (coordinator->agains[i].is_aside &&
            rotations_of(coordinator, coordinator->agains[i].task.block))
            return true;
    }
    return false;
}

/* Blocks that are decided but not published: because we were killed, or because they did not count
 * when their last match ended. */
static void find_unpublished(struct coordinator *coordinator)
{
    const struct block_source *source = &coordinator->setup.source;
    unsigned blocks = source->block_count(source->context);

    for (unsigned block = 1; block <= blocks; block++) {
        if (is_decided(coordinator, block) && store_is_open(coordinator->setup.store, block))
            touch(coordinator, block);
    }
}

/* Goes through the block source again: with the results that came in late, blocks that were passed over
 * may count after all. Returns whether there are any. */
static bool look_again(struct coordinator *coordinator)
{
    struct task task;

    coordinator->cursor = 1;
    find_unpublished(coordinator);
    return find_next(coordinator, &task) || coordinator->touched_count > 0;
}

/* Nobody plays and everything is written: ends it, or goes on if there are more blocks now. */
static void end_or_extend(struct coordinator *coordinator)
{
    const struct block_source *source = &coordinator->setup.source;

    if (coordinator->is_stopping)
        finish(coordinator, COORDINATOR_STOPPED);
    else if (has_something_waiting(coordinator))
        return; /* as soon as a worker has room */
    else if (look_again(coordinator) ||
             (!has_something_aside(coordinator) && source->extend(source->context)))
        after(coordinator->on_go, 0);
    else if (!has_something_aside(coordinator))
        finish(coordinator, COORDINATOR_FINISHED);
    else {
        say(coordinator, "some matches were void repeatedly and are missing");
        finish(coordinator, COORDINATOR_PAUSED);
    }
}

static void go_on(struct coordinator *coordinator)
{
    give_out(coordinator);
    if (coordinator->has_ended || worker_pool_busy(coordinator->pool) > 0 ||
        (coordinator->is_pausing && !coordinator->is_stopping) || !write_out(coordinator))
        return;
    end_or_extend(coordinator);
}

/* What the loop calls. */

static void on_go(evutil_socket_t fd, short what, void *context)
{
    struct coordinator *coordinator = context;

    (void)fd;
    (void)what;
    if (coordinator->has_ended) {
        coordinator->setup.on_end(coordinator->setup.context, coordinator->end);
        return;
    }
    coordinator->is_pausing = false;
    if (coordinator->is_disk_full && !write_out(coordinator))
        return;
    go_on(coordinator);
}

static void on_group(evutil_socket_t fd, short what, void *context)
{
    struct coordinator *coordinator = context;

    (void)fd;
    (void)what;
    /* While it waits for the disk, on_go tries. */
    if (!(coordinator->is_disk_full && coordinator->is_pausing) && write_out(coordinator))
        go_on(coordinator);
}

static void on_report(void *context, const struct task_report *report)
{
    struct coordinator *coordinator = context;

    if (report->end == TASK_PLAYED) {
        store_add_result(coordinator->setup.store, &report->result, report->log_hash,
                         report->times);
        touch(coordinator, report->task.block);
        write_soon(coordinator);
        if (!coordinator->is_disk_full)
            coordinator->pause_ms = FIRST_PAUSE_MS;
    } else if (report->end == TASK_VOID && is_of_disk(report->error)) {
        give_back(coordinator, &report->task);
        note_disk(coordinator, report->error);
    } else if (report->end == TASK_VOID) {
        store_keep_attempt(coordinator->setup.store, report->task.block, report->task.rotation);
        play_again(coordinator, &report->task, report->why);
    } else {
        give_back(coordinator, &report->task);
    }
}

static void on_lost(void *context, const struct task *task, const char *why)
{
    play_again(context, task, why);
}

static void on_room(void *context)
{
    go_on(context);
}

static void on_trouble(void *context, const char *words)
{
    say(context, words);
}

struct coordinator *coordinator_new(struct event_base *base, const struct coordinator_setup *setup)
{
    struct coordinator *coordinator = xcalloc(1, sizeof *coordinator);
    struct worker_pool_observer watch = {on_report, on_lost, on_room, on_trouble, coordinator};

    coordinator->base = base;
    coordinator->setup = *setup;
    coordinator->cursor = 1;
    coordinator->pause_ms = FIRST_PAUSE_MS;
    coordinator->on_group = evtimer_new(base, on_group, coordinator);
    coordinator->on_go = evtimer_new(base, on_go, coordinator);
    find_unpublished(coordinator);
    coordinator->pool = worker_pool_new(base, &coordinator->setup.tasks, setup->workers, &watch);
    after(coordinator->on_go, 0);
    return coordinator;
}

void coordinator_free(struct coordinator *coordinator)
{
    if (coordinator == NULL)
        return;
    worker_pool_free(coordinator->pool);
    event_free(coordinator->on_group);
    event_free(coordinator->on_go);
    free(coordinator->out);
    free(coordinator->agains);
    free(coordinator->touched);
    free(coordinator);
}

void coordinator_stop(struct coordinator *coordinator)
{
    coordinator->is_stopping = true;
    worker_pool_drain(coordinator->pool);
    after(coordinator->on_go, 0);
}

unsigned coordinator_playing(const struct coordinator *coordinator)
{
    return worker_pool_busy(coordinator->pool);
}

bool coordinator_is_waiting(const struct coordinator *coordinator)
{
    return coordinator->is_disk_full;
}
