/* The director is told of ended matches by the crew and of passing time by two timers. Results are
 * collected and written together, at most GROUP_MS after the first of them; only then does a block
 * count as played, and only then may anybody see its logs.
 *
 * Trouble has three kinds. A match that is void, or that its worker took into death, is given out again,
 * and after VOIDS_MAX times set aside. A disk that takes nothing stops everything but the matches that
 * run, and is tried again until it does; no match is counted as void for it. Both leave a pause before
 * the next match is begun, which grows while nothing succeeds. Everything else is ours. */

#include "tournament/director.h"

#include "base/memory.h"
#include "tournament/crew.h"

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
    struct job job;
    unsigned voids;
    bool is_waiting; /* to be given out */
    bool is_aside;
};

struct director {
    struct event_base *base;
    struct director_setup setup;
    struct crew *crew;
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
    enum director_end end;
};

static void after(struct event *event, unsigned ms)
{
    struct timeval time = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    event_add(event, &time);
}

static void say(struct director *director, const char *words)
{
    director->setup.on_message(director->setup.context, words);
}

static unsigned rotations_of(const struct director *director, unsigned block)
{
    return director->setup.programme.rotations(director->setup.programme.context, block);
}

static uint32_t mask_of(unsigned rotations)
{
    return rotations >= 32 ? UINT32_MAX : (UINT32_C(1) << rotations) - 1;
}

/* Begins nothing for a while, which grows until something succeeds. Whatever else goes wrong meanwhile
 * is of the same trouble. */
static void pause_giving(struct director *director)
{
    if (director->is_pausing)
        return;
    director->is_pausing = true;
    after(director->on_go, director->pause_ms);
    director->pause_ms *= 2;
    if (director->pause_ms > LAST_PAUSE_MS)
        director->pause_ms = LAST_PAUSE_MS;
}

static void note_success(struct director *director)
{
    director->pause_ms = FIRST_PAUSE_MS;
    if (director->is_disk_full)
        say(director, "the disk takes data again: the tournament goes on");
    director->is_disk_full = false;
}

static void note_disk(struct director *director, int error)
{
    char words[300];

    if (!director->is_disk_full) {
        snprintf(words, sizeof words,
                 "the store cannot be written: %s; waiting, and trying again until it can",
                 strerror(error));
        say(director, words);
    }
    director->is_disk_full = true;
    pause_giving(director);
}

/* It is over. Whoever finds that out may have been called by the crew, which is still needed then. */
static void finish(struct director *director, enum director_end end)
{
    director->has_ended = true;
    director->end = end;
    after(director->on_go, 0);
}

static bool is_of_disk(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EIO || error == EROFS;
}

static void write_soon(struct director *director)
{
    if (!event_pending(director->on_group, EV_TIMEOUT, NULL))
        after(director->on_group, GROUP_MS);
}

/* Matches that are played again. */

static struct again *find_again(struct director *director, const struct job *job)
{
    struct again *again;

    for (unsigned i = 0; i < director->again_count; i++) {
        again = &director->agains[i];
        if (again->job.block == job->block && again->job.rotation == job->rotation)
            return again;
    }
    director->agains = xrealloc(director->agains, (director->again_count + 1) * sizeof *again);
    again = &director->agains[director->again_count++];
    *again = (struct again){.job = *job};
    return again;
}

static void set_aside(struct director *director, struct again *again, const char *why)
{
    char words[400];

    again->is_aside = true;
    snprintf(words, sizeof words,
             "match %u.%u was void %d times and is set aside, the last time because %s",
             again->job.block, again->job.rotation + 1, VOIDS_MAX, why);
    say(director, words);
}

static void play_again(struct director *director, const struct job *job, const char *why)
{
    struct again *again = find_again(director, job);

    store_add_void(director->setup.store, job->block, job->rotation, why);
    write_soon(director);
    if (++again->voids >= VOIDS_MAX)
        set_aside(director, again, why);
    else
        again->is_waiting = true;
    pause_giving(director);
}

static void give_back(struct director *director, const struct job *job)
{
    find_again(director, job)->is_waiting = true;
}

/* Giving matches out. */

static void make_room(struct director *director, unsigned block)
{
    unsigned before = director->out_capacity;

    if (block < before)
        return;
    director->out_capacity = 2 * block + 64;
    director->out = xrealloc(director->out, director->out_capacity * sizeof *director->out);
    memset(director->out + before, 0, (director->out_capacity - before) * sizeof *director->out);
}

/* The next match of the programme, if there is one. */
static bool find_next(struct director *director, struct job *job)
{
    const struct programme *programme = &director->setup.programme;
    unsigned blocks = programme->blocks(programme->context);

    for (; director->cursor <= blocks; director->cursor++) {
        unsigned block = director->cursor;
        uint32_t missing;

        make_room(director, block);
        missing = mask_of(rotations_of(director, block)) & ~director->out[block] &
                  ~store_done(director->setup.store, block);
        if (missing == 0)
            continue;
        *job = (struct job){.block = block, .rotation = (uint16_t)__builtin_ctz(missing)};
        programme->seat(programme->context, block, job->rotation, job);
        return true;
    }
    return false;
}

/* One that was given out before, if its block still counts. */
static struct again *find_waiting(struct director *director)
{
    for (unsigned i = 0; i < director->again_count; i++) {
        struct again *again = &director->agains[i];

        if (again->is_waiting && rotations_of(director, again->job.block) > 0)
            return again;
    }
    return NULL;
}

/* Gives out one match. Returns false if there is none, or nobody to take it, or no room on the disk. */
static bool give_one(struct director *director)
{
    struct again *again = find_waiting(director);
    struct job job;

    if (again != NULL)
        job = again->job;
    else if (!find_next(director, &job))
        return false;
    if (store_open_block(director->setup.store, job.block) != 0) {
        note_disk(director, errno);
        return false;
    }
    if (!crew_give(director->crew, &job))
        return false;
    make_room(director, job.block);
    director->out[job.block] |= UINT32_C(1) << job.rotation;
    if (again != NULL)
        again->is_waiting = false;
    return true;
}

/* The deals of all blocks that are there must be committed to before one of them is played. */
static int commit(struct director *director)
{
    const struct programme *programme = &director->setup.programme;

    if (store_commit(director->setup.store, programme->blocks(programme->context)) == 0)
        return 0;
    if (errno == ENOTRECOVERABLE) {
        say(director, "the commitments in the store do not belong to its master seed");
        finish(director, DIRECTOR_FAILED);
    } else {
        note_disk(director, errno);
    }
    return -1;
}

static void give_out(struct director *director)
{
    if (director->is_pausing || director->is_stopping || director->has_ended ||
        commit(director) != 0)
        return;
    while (!director->is_pausing && give_one(director))
        ;
}

/* Writing. */

static void touch(struct director *director, unsigned block)
{
    for (unsigned i = 0; i < director->touched_count; i++) {
        if (director->touched[i] == block)
            return;
    }
    director->touched =
        xrealloc(director->touched, (director->touched_count + 1) * sizeof *director->touched);
    director->touched[director->touched_count++] = block;
}

static bool is_decided(const struct director *director, unsigned block)
{
    uint32_t all = mask_of(rotations_of(director, block));

    return all != 0 && (store_done(director->setup.store, block) & all) == all;
}

/* In the order in which they were touched. Returns 0, or -1 with errno if a block could not be moved; it
 * is tried again. */
static int publish(struct director *director)
{
    const struct programme *programme = &director->setup.programme;
    unsigned done = 0;
    int result = 0;

    while (done < director->touched_count && result == 0) {
        unsigned block = director->touched[done];

        if (is_decided(director, block))
            result = store_publish(director->setup.store, block);
        if (result == 0 && is_decided(director, block))
            programme->on_block(programme->context, block);
        if (result == 0)
            done++;
    }
    director->touched_count -= done;
    if (director->touched_count > 0)
        memmove(director->touched, director->touched + done,
                director->touched_count * sizeof *director->touched);
    return result;
}

/* Returns whether everything that has happened is on the disk. That nothing was to be written is no sign
 * that it could be. */
static bool write_out(struct director *director)
{
    bool has_something = store_is_waiting(director->setup.store) || director->touched_count > 0;

    if (store_write(director->setup.store) != 0 || publish(director) != 0) {
        note_disk(director, errno);
        return false;
    }
    if (director->is_disk_full && has_something)
        note_success(director);
    return true;
}

/* Ending. */

static bool has_something_waiting(struct director *director)
{
    struct job job;

    return find_waiting(director) != NULL || find_next(director, &job);
}

static bool has_something_aside(const struct director *director)
{
    for (unsigned i = 0; i < director->again_count; i++) {
        if (director->agains[i].is_aside && rotations_of(director, director->agains[i].job.block))
            return true;
    }
    return false;
}

/* Blocks that are decided but not published: because we were killed, or because they did not count
 * when their last match ended. */
static void find_unpublished(struct director *director)
{
    const struct programme *programme = &director->setup.programme;
    unsigned blocks = programme->blocks(programme->context);

    for (unsigned block = 1; block <= blocks; block++) {
        if (is_decided(director, block) && store_is_open(director->setup.store, block))
            touch(director, block);
    }
}

/* Goes through the programme again: with the results that came in late, blocks that were passed over
 * may count after all. Returns whether there are any. */
static bool look_again(struct director *director)
{
    struct job job;

    director->cursor = 1;
    find_unpublished(director);
    return find_next(director, &job) || director->touched_count > 0;
}

/* Nobody plays and everything is written: ends it, or goes on if there are more blocks now. */
static void end_or_extend(struct director *director)
{
    const struct programme *programme = &director->setup.programme;

    if (director->is_stopping)
        finish(director, DIRECTOR_STOPPED);
    else if (has_something_waiting(director))
        return; /* as soon as a worker has room */
    else if (look_again(director) ||
             (!has_something_aside(director) && programme->extend(programme->context)))
        after(director->on_go, 0);
    else
        finish(director, has_something_aside(director) ? DIRECTOR_PAUSED : DIRECTOR_FINISHED);
}

static void go_on(struct director *director)
{
    give_out(director);
    if (director->has_ended || crew_busy(director->crew) > 0 ||
        (director->is_pausing && !director->is_stopping) || !write_out(director))
        return;
    end_or_extend(director);
}

/* What the loop calls. */

static void on_go(evutil_socket_t fd, short what, void *context)
{
    struct director *director = context;

    (void)fd;
    (void)what;
    if (director->has_ended) {
        director->setup.on_end(director->setup.context, director->end);
        return;
    }
    director->is_pausing = false;
    if (director->is_disk_full && !write_out(director))
        return;
    go_on(director);
}

static void on_group(evutil_socket_t fd, short what, void *context)
{
    struct director *director = context;

    (void)fd;
    (void)what;
    /* While it waits for the disk, on_go tries. */
    if (!(director->is_disk_full && director->is_pausing) && write_out(director))
        go_on(director);
}

static void on_report(void *context, const struct job_report *report)
{
    struct director *director = context;

    if (report->end == JOB_PLAYED) {
        store_add_result(director->setup.store, &report->result, report->log_hash, report->times);
        touch(director, report->job.block);
        write_soon(director);
        if (!director->is_disk_full)
            director->pause_ms = FIRST_PAUSE_MS;
    } else if (report->end == JOB_VOID && is_of_disk(report->error)) {
        give_back(director, &report->job);
        note_disk(director, report->error);
    } else if (report->end == JOB_VOID) {
        store_keep_attempt(director->setup.store, report->job.block, report->job.rotation);
        play_again(director, &report->job, report->why);
    } else {
        give_back(director, &report->job);
    }
}

static void on_lost(void *context, const struct job *job, const char *why)
{
    play_again(context, job, why);
}

static void on_room(void *context)
{
    go_on(context);
}

static void on_trouble(void *context, const char *words)
{
    say(context, words);
}

struct director *director_new(struct event_base *base, const struct director_setup *setup)
{
    struct director *director = xcalloc(1, sizeof *director);
    struct crew_watch watch = {on_report, on_lost, on_room, on_trouble, director};

    director->base = base;
    director->setup = *setup;
    director->cursor = 1;
    director->pause_ms = FIRST_PAUSE_MS;
    director->on_group = evtimer_new(base, on_group, director);
    director->on_go = evtimer_new(base, on_go, director);
    find_unpublished(director);
    director->crew = crew_new(base, &director->setup.jobs, setup->workers, &watch);
    after(director->on_go, 0);
    return director;
}

void director_free(struct director *director)
{
    if (director == NULL)
        return;
    crew_free(director->crew);
    event_free(director->on_group);
    event_free(director->on_go);
    free(director->out);
    free(director->agains);
    free(director->touched);
    free(director);
}

void director_stop(struct director *director)
{
    director->is_stopping = true;
    crew_drain(director->crew);
    after(director->on_go, 0);
}

unsigned director_playing(const struct director *director)
{
    return crew_busy(director->crew);
}

bool director_is_waiting(const struct director *director)
{
    return director->is_disk_full;
}
