/* The worker pool reports matches that have ended; two timers do the rest. Results are collected
 * and written together, at most GROUP_MS after the first of them; only then does a block count as
 * played, and only then may anybody see its logs. The task queue knows what is to be given out.
 *
 * Trouble has three kinds. A match that is void, or whose worker died, is given out again, until
 * the queue sets it aside. When everything else is played, the matches that are set aside are tried
 * once more, in rounds with pauses that grow, until ASIDE_ROUNDS of them have brought nothing: a
 * machine that could not start a process for some seconds costs no match. A disk that takes no data
 * stops everything but the running matches, and is tried again until it does; no match counts as
 * void because of it. Only a store that somebody has removed ends it. Both are followed by a pause
 * before the next match is given out, which grows while nothing succeeds. Everything else is a bug
 * of ours. */

#include "tournament/play/coordinator.h"

#include "base/memory.h"
#include "tournament/play/task_queue.h"
#include "tournament/play/worker_pool.h"

#include <errno.h>
#include <event2/event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP_MS 50
#define FIRST_PAUSE_MS 100
#define LAST_PAUSE_MS 3000
#define ASIDE_ROUNDS 5
#define ASIDE_PAUSE_MS 1000 /* before the first round; it doubles */
#define MISSING_SAID 10     /* matches that are named in the end */

struct coordinator {
    struct event_base *base;
    struct coordinator_setup setup;
    struct worker_pool *pool;
    struct event *on_write;   /* time to write results */
    struct event *on_advance; /* a pause is over, or there may be something to do */
    struct task_queue *queue; /* the matches that are to be given out */
    unsigned aside_rounds;    /* since a match succeeded */
    unsigned *changed;        /* blocks with results since the last write */
    unsigned changed_count;
    unsigned pause_ms;
    bool is_pausing;
    bool is_disk_full;
    bool is_stopping;
    bool has_ended; /* on_advance reports it */
    enum coordinator_end end;
};

static void set_timer(struct event *event, unsigned ms)
{
    struct timeval time = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    event_add(event, &time);
}

static void say(struct coordinator *coordinator, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct coordinator *coordinator, const char *format, ...)
{
    char message[400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    coordinator->setup.on_message(coordinator->setup.context, message);
}

/* Gives out nothing for a while, which grows until something succeeds. Whatever else fails
 * meanwhile has the same cause. */
static void pause_giving(struct coordinator *coordinator)
{
    if (coordinator->is_pausing)
        return;
    coordinator->is_pausing = true;
    set_timer(coordinator->on_advance, coordinator->pause_ms);
    coordinator->pause_ms *= 2;
    if (coordinator->pause_ms > LAST_PAUSE_MS)
        coordinator->pause_ms = LAST_PAUSE_MS;
}

/* The end is reported from the loop: this may be called by the worker pool, which is still
 * needed. */
static void finish(struct coordinator *coordinator, enum coordinator_end end)
{
    coordinator->has_ended = true;
    coordinator->end = end;
    set_timer(coordinator->on_advance, 0);
}

/* The store is not where it was: waiting brings nothing. */
static bool is_lost(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EISDIR || error == ESTALE;
}

static void note_disk_error(struct coordinator *coordinator, int error)
{
    if (coordinator->has_ended)
        return;
    if (is_lost(error)) {
        say(coordinator, "the store cannot be written: %s; restore it, and start again",
            journal_error(error));
        finish(coordinator, COORDINATOR_FAILED);
        return;
    }
    if (!coordinator->is_disk_full)
        say(coordinator, "the store cannot be written: %s; waiting, and trying again until it can",
            strerror(error));
    coordinator->is_disk_full = true;
    pause_giving(coordinator);
}

static void write_soon(struct coordinator *coordinator)
{
    if (!event_pending(coordinator->on_write, EV_TIMEOUT, NULL))
        set_timer(coordinator->on_write, GROUP_MS);
}

/* The match was void, perhaps several times. */
static void play_again(struct coordinator *coordinator, const struct task *task, unsigned times,
                       const char *why)
{
    store_add_void(coordinator->setup.store, task->block, task->rotation, why);
    write_soon(coordinator);
    if (task_queue_put_void(coordinator->queue, task, times, why))
        say(coordinator, "match %u.%u was void %d times and is set aside; the last reason: %s",
            task->block, task->rotation + 1U, TASK_QUEUE_VOIDS_MAX, why);
    pause_giving(coordinator);
}

/* Giving matches out. */

/* Gives the lane all matches of a block that are to be given out. Returns false if it has no
 * room. */
static bool give_to_lane(struct coordinator *coordinator, unsigned block)
{
    const struct lane *lane = coordinator->setup.lane;
    struct task tasks[32];
    unsigned count;

    if (lane == NULL || !lane->has_room(lane->context))
        return false;
    count = task_queue_take_block(coordinator->queue, block, tasks, ARRAY_LEN(tasks));
    lane->give(lane->context, tasks, count);
    return true;
}

/* Gives out one match. Returns false if there is none, or no worker for it, or no room on the
 * disk. */
static bool give_one(struct coordinator *coordinator)
{
    struct task task;

    if (!task_queue_next(coordinator->queue, &task))
        return false;
    if (store_open_block(coordinator->setup.store, task.block) != 0) {
        note_disk_error(coordinator, errno);
        return false;
    }
    if (!worker_pool_give(coordinator->pool, &task))
        return give_to_lane(coordinator, task.block);
    task_queue_take(coordinator->queue, &task);
    return true;
}

/* The deals of all known blocks are committed to before one of them is played. */
static void give_out(struct coordinator *coordinator)
{
    const struct block_source *source = &coordinator->setup.source;

    if (coordinator->is_pausing || coordinator->is_stopping || coordinator->has_ended)
        return;
    if (store_commit(coordinator->setup.store, source->block_count(source->context)) == 0) {
        while (!coordinator->is_pausing && give_one(coordinator))
            ;
    } else {
        note_disk_error(coordinator, errno);
    }
}

/* Writing. */

static void note_changed(struct coordinator *coordinator, unsigned block)
{
    for (unsigned i = 0; i < coordinator->changed_count; i++) {
        if (coordinator->changed[i] == block)
            return;
    }
    coordinator->changed = xrealloc(coordinator->changed, (coordinator->changed_count + 1) *
                                                              sizeof *coordinator->changed);
    coordinator->changed[coordinator->changed_count++] = block;
}

static bool is_decided(const struct coordinator *coordinator, unsigned block)
{
    const struct block_source *source = &coordinator->setup.source;
    uint32_t all = block_mask(source->rotations(source->context, block));

    return all != 0 && (store_done(coordinator->setup.store, block) & all) == all;
}

/* Publishes the changed blocks that are decided, in the order of their changes. Returns 0, or -1
 * with errno if a block could not be moved; it is tried again. */
static int publish(struct coordinator *coordinator)
{
    const struct block_source *source = &coordinator->setup.source;
    unsigned done = 0;
    int result = 0;

    for (; done < coordinator->changed_count; done++) {
        unsigned block = coordinator->changed[done];

        if (!is_decided(coordinator, block))
            continue;
        result = store_publish(coordinator->setup.store, block);
        if (result != 0)
            break;
        source->on_block_decided(source->context, block);
    }
    coordinator->changed_count -= done;
    if (coordinator->changed_count > 0)
        memmove(coordinator->changed, coordinator->changed + done,
                coordinator->changed_count * sizeof *coordinator->changed);
    return result;
}

/* Returns whether everything is on disk. With nothing to write, a full disk may still be full. */
static bool write_out(struct coordinator *coordinator)
{
    bool has_something =
        store_is_waiting(coordinator->setup.store) || coordinator->changed_count > 0;

    if (store_write(coordinator->setup.store) != 0 || publish(coordinator) != 0) {
        note_disk_error(coordinator, errno);
        return false;
    }
    if (coordinator->is_disk_full && has_something) {
        coordinator->pause_ms = FIRST_PAUSE_MS;
        coordinator->is_disk_full = false;
        say(coordinator, "the store can be written again: play resumes");
    }
    return true;
}

/* The end. */

/* After a pause, gives out each match that is set aside once more. */
static void try_aside(struct coordinator *coordinator)
{
    unsigned count = task_queue_count_aside(coordinator->queue);
    unsigned pause_ms = ASIDE_PAUSE_MS << coordinator->aside_rounds++;

    say(coordinator, "%u match%s set aside: trying again in %u s", count,
        count > 1 ? "es are" : " is", pause_ms / 1000);
    task_queue_retry_aside(coordinator->queue);
    coordinator->is_pausing = true;
    set_timer(coordinator->on_advance, pause_ms);
}

/* Finds blocks that are decided but not published: because we were killed, or because they did not
 * count when their last match ended. */
static void find_unpublished(struct coordinator *coordinator)
{
    const struct block_source *source = &coordinator->setup.source;
    unsigned blocks = source->block_count(source->context);

    for (unsigned block = 1; block <= blocks; block++) {
        if (is_decided(coordinator, block) && store_is_open(coordinator->setup.store, block))
            note_changed(coordinator, block);
    }
}

static void say_missing(struct coordinator *coordinator)
{
    unsigned count = task_queue_count_aside(coordinator->queue);
    unsigned said = count < MISSING_SAID ? count : MISSING_SAID;

    for (unsigned i = 0; i < said; i++) {
        struct task_aside aside = task_queue_aside(coordinator->queue, i);

        say(coordinator, "match %u.%u is missing, it was void %u times; the last reason: %s",
            aside.block, aside.rotation + 1U, aside.voids, aside.why);
    }
    if (count > said)
        say(coordinator, "%u more matches are missing", count - said);
    say(coordinator, "some matches were void repeatedly and are missing");
}

/* Nothing is running and everything is written: ends it, or continues if there are more matches. */
static void end_or_extend(struct coordinator *coordinator)
{
    const struct block_source *source = &coordinator->setup.source;
    bool is_incomplete = task_queue_count_aside(coordinator->queue) > 0;
    struct task task;

    if (coordinator->is_stopping) {
        finish(coordinator, COORDINATOR_STOPPED);
        return;
    }
    if (task_queue_next(coordinator->queue, &task))
        return; /* until a worker has room */
    /* Since results that came in late, blocks that were skipped may count after all. */
    task_queue_rewind(coordinator->queue);
    find_unpublished(coordinator);
    if (task_queue_next(coordinator->queue, &task) || coordinator->changed_count > 0 ||
        (!is_incomplete && source->extend(source->context))) {
        set_timer(coordinator->on_advance, 0);
        return;
    }
    if (is_incomplete && coordinator->aside_rounds < ASIDE_ROUNDS) {
        try_aside(coordinator);
        return;
    }
    if (is_incomplete)
        say_missing(coordinator);
    finish(coordinator, is_incomplete ? COORDINATOR_PAUSED : COORDINATOR_FINISHED);
}

static void advance(struct coordinator *coordinator)
{
    give_out(coordinator);
    if (coordinator->has_ended || coordinator_playing(coordinator) > 0 ||
        (coordinator->is_pausing && !coordinator->is_stopping) || !write_out(coordinator))
        return;
    end_or_extend(coordinator);
}

/* What the loop calls. */

static void on_advance(evutil_socket_t fd, short what, void *context)
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
    advance(coordinator);
}

static void on_write(evutil_socket_t fd, short what, void *context)
{
    struct coordinator *coordinator = context;

    (void)fd;
    (void)what;
    /* While it waits for the disk, on_advance() tries. */
    if (!(coordinator->is_disk_full && coordinator->is_pausing) && write_out(coordinator))
        advance(coordinator);
}

static bool is_disk_error(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EIO || error == EROFS;
}

static void on_report(void *context, const struct task_report *report)
{
    struct coordinator *coordinator = context;
    bool is_disk_full = report->end == TASK_VOID && is_disk_error(report->error);

    if (report->end == TASK_PLAYED) {
        store_add_result(coordinator->setup.store, &report->result, report->log_hash,
                         report->times);
        note_changed(coordinator, report->task.block);
        write_soon(coordinator);
        coordinator->aside_rounds = 0;
        if (!coordinator->is_disk_full)
            coordinator->pause_ms = FIRST_PAUSE_MS;
    } else if (report->end == TASK_VOID && !is_disk_full) {
        store_keep_attempt(coordinator->setup.store, report->task.block, report->task.rotation);
        play_again(coordinator, &report->task, report->voids > 0 ? report->voids : 1, report->why);
    } else {
        if (is_disk_full) {
            task_queue_put_spoiled(coordinator->queue, &report->task);
            note_disk_error(coordinator, report->error);
        } else {
            task_queue_put_back(coordinator->queue, &report->task);
        }
    }
}

static void on_lost(void *context, const struct task *task, const char *why)
{
    play_again(context, task, 1, why);
}

static void on_room(void *context)
{
    advance(context);
}

static void on_idle(void *context, unsigned worker)
{
    const struct coordinator *coordinator = context;

    if (coordinator->setup.on_idle != NULL)
        coordinator->setup.on_idle(coordinator->setup.context, worker);
}

static void on_trouble(void *context, const char *message)
{
    say(context, "%s", message);
}

struct coordinator *coordinator_new(struct event_base *base, const struct coordinator_setup *setup)
{
    struct coordinator *coordinator = xcalloc(1, sizeof *coordinator);
    struct worker_pool_observer watch = {on_report, on_lost,    on_room,
                                         on_idle,   on_trouble, coordinator};
    struct worker_pool_size size = {setup->workers, setup->is_steered, setup->is_elsewhere};

    coordinator->base = base;
    coordinator->setup = *setup;
    coordinator->setup.tasks.folder = store_folder(setup->store);
    coordinator->setup.tasks.is_guessable = store_is_guessable(setup->store);
    coordinator->queue = task_queue_new(&setup->source, setup->store);
    coordinator->pause_ms = FIRST_PAUSE_MS;
    coordinator->on_write = evtimer_new(base, on_write, coordinator);
    coordinator->on_advance = evtimer_new(base, on_advance, coordinator);
    find_unpublished(coordinator);
    coordinator->pool = worker_pool_new(base, &coordinator->setup.tasks, size, &watch);
    if (setup->lane != NULL)
        setup->lane->listen(setup->lane->context, &watch);
    set_timer(coordinator->on_advance, 0);
    return coordinator;
}

void coordinator_free(struct coordinator *coordinator)
{
    if (coordinator == NULL)
        return;
    worker_pool_free(coordinator->pool);
    event_free(coordinator->on_write);
    event_free(coordinator->on_advance);
    task_queue_free(coordinator->queue);
    free(coordinator->changed);
    free(coordinator);
}

void coordinator_stop(struct coordinator *coordinator)
{
    coordinator->is_stopping = true;
    worker_pool_drain(coordinator->pool);
    if (coordinator->setup.lane != NULL)
        coordinator->setup.lane->drain(coordinator->setup.lane->context);
    set_timer(coordinator->on_advance, 0);
}

void coordinator_steer(struct coordinator *coordinator, const bool *may_play)
{
    worker_pool_steer(coordinator->pool, may_play);
    advance(coordinator);
}

unsigned coordinator_workers(const struct coordinator *coordinator)
{
    return worker_pool_count(coordinator->pool);
}

unsigned coordinator_playing(const struct coordinator *coordinator)
{
    const struct lane *lane = coordinator->setup.lane;

    return worker_pool_busy(coordinator->pool) + (lane != NULL ? lane->busy(lane->context) : 0);
}

bool coordinator_is_waiting(const struct coordinator *coordinator)
{
    return coordinator->is_disk_full;
}
