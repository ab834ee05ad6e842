/* A tournament of another machine, as long as its blocks are played here: its settings, the
 * processes that play, and the bots that its jobs need, which are got and built when the first job
 * needs them. */

#include "tournament/distribute/block_worker_private.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void worker_leave_visit(struct block_worker *worker)
{
    block_player_free(worker->player);
    worker->player = NULL;
    visit_free(worker->visit);
    worker->visit = NULL;
    worker->visit_hash[0] = '\0';
}

bool worker_is_playing(const struct block_worker *worker)
{
    return worker->player != NULL && block_player_busy(worker->player) > 0;
}

static void refuse_waiting(struct block_worker *worker, const char *hash, const char *why)
{
    struct worker_job *job = worker->jobs;

    while (job != NULL) {
        struct worker_job *next = job->next;

        if (!job->is_playing && strcmp(job->task.setup, hash) == 0)
            worker_refuse(job, why);
        job = next;
    }
}

static void on_trouble(void *context, const char *message)
{
    worker_say(context, "%s", message);
}

static void begin_visit(struct block_worker *worker, const char *hash, struct span settings)
{
    struct block_player_observer observer = {worker_end_block, on_trouble, worker};
    struct visit_place place = {.cache = worker->setup.cache,
                                .folder = worker->setup.folder,
                                .machine = worker->setup.machine,
                                .levels = worker->setup.levels,
                                .speed = worker->setup.speed,
                                .silence_ms = worker->setup.silence_ms};
    char message[400];
    struct text problem;

    text_start(&problem, message, sizeof message);
    worker->visit = visit_new(settings, &place, &problem);
    if (worker->visit == NULL) {
        refuse_waiting(worker, hash, message);
        return;
    }
    snprintf(worker->visit_hash, sizeof worker->visit_hash, "%s", hash);
    worker->player =
        block_player_new(worker->base, visit_tasks(worker->visit), worker->setup.cores, &observer);
}

/* Bots. */

/* Whether a bot can be started; asks for what is missing. */
static bool prepare_bot(struct worker_job *job, unsigned number)
{
    struct block_worker *worker = job->worker;
    struct visit_bot bot = visit_bot(worker->visit, number);

    if (bot.parcel[0] == '\0')
        return true;
    if (!bot_cache_has(worker->setup.cache, bot.parcel, NULL)) {
        worker_fetch(job, bot.parcel);
        return false;
    }
    if (bot.build == NULL || bot_cache_has(worker->setup.cache, bot.parcel, bot.build))
        return true;
    (void)worker_build_start(worker, bot.parcel, bot.build, visit_bot_setup(worker->visit, number));
    return false;
}

bool worker_prepare_bots(struct worker_job *job)
{
    unsigned bots = visit_bot_count(job->worker->visit);
    bool is_ready = true;

    for (unsigned i = 0; i < job->task.count; i++) {
        const struct task *task = &job->task.tasks[i];

        for (unsigned seat = 0; seat < task->seats; seat++) {
            if (task->bots[seat] >= bots) {
                worker_refuse(job, "it seats a bot that is not in the settings");
                return false;
            }
            is_ready = prepare_bot(job, task->bots[seat]) && is_ready;
        }
    }
    return is_ready;
}

/* Whether a job needs what has that hash. */
static bool needs(const struct worker_job *job, const char *hash)
{
    const struct visit *visit = job->worker->visit;

    if (strcmp(job->task.setup, hash) == 0)
        return true;
    for (unsigned i = 0; i < job->task.count && visit != NULL; i++) {
        const struct task *task = &job->task.tasks[i];

        for (unsigned seat = 0; seat < task->seats; seat++) {
            if (task->bots[seat] < visit_bot_count(visit) &&
                strcmp(visit_bot(visit, task->bots[seat]).parcel, hash) == 0)
                return true;
        }
    }
    return false;
}

static size_t pin_bots(const struct worker_job *job, const char **pinned)
{
    const struct visit *visit = job->worker->visit;
    size_t count = 0;

    for (unsigned i = 0; i < job->task.count; i++) {
        const struct task *task = &job->task.tasks[i];

        for (unsigned seat = 0; seat < task->seats; seat++) {
            if (task->bots[seat] < visit_bot_count(visit))
                pinned[count++] = visit_bot(visit, task->bots[seat]).parcel;
        }
    }
    return count;
}

/* Hashes of bots that are not thrown away to make room for this one: those that play, and those of
 * the first block that waits for it. NULL ends them. Free it. */
static const char **find_pinned(const struct block_worker *worker, const char *hash)
{
    const char **pinned = xcalloc(
        (size_t)worker_count_jobs(worker) * BLOCK_RESULT_MATCHES_MAX * ALLEGRA_SEATS_MAX + 1,
        sizeof *pinned);
    bool has_first = false;
    size_t count = 0;

    for (const struct worker_job *job = worker->jobs; job != NULL && worker->visit != NULL;
         job = job->next) {
        bool is_first = !has_first && !job->is_playing && needs(job, hash);

        if (strcmp(job->task.setup, worker->visit_hash) == 0 && (job->is_playing || is_first))
            count += pin_bots(job, pinned + count);
        has_first = has_first || is_first;
    }
    return pinned;
}

/* Keeps the files of a bot. If there is no room because of those that play, it is asked for again
 * when a block is over. */
static void keep_bot(struct block_worker *worker, const char *hash, struct span bytes)
{
    const char **pinned = find_pinned(worker, hash);
    int result = bot_cache_add(worker->setup.cache, hash, bytes, pinned);
    int error = errno;
    char why[200];

    free(pinned);
    if (result == 0) {
        worker_advance(worker);
    } else if (error != ENOSPC || !worker_is_playing(worker)) {
        snprintf(why, sizeof why, "the files of a bot cannot be kept: %s", strerror(error));
        worker_pause(worker);
        worker_miss(worker, hash, why);
    }
}

void worker_take(struct block_worker *worker, const char *hash, struct span bytes)
{
    bool is_settings = false;

    for (const struct worker_job *job = worker->jobs; job != NULL; job = job->next)
        is_settings = is_settings || strcmp(job->task.setup, hash) == 0;
    if (!is_settings) {
        keep_bot(worker, hash, bytes);
        return;
    }
    if (worker->visit == NULL)
        begin_visit(worker, hash, bytes);
    worker_advance(worker);
}

void worker_miss(struct block_worker *worker, const char *hash, const char *why)
{
    struct worker_job *job = worker->jobs;

    while (job != NULL) {
        struct worker_job *next = job->next;

        if (!job->is_playing && needs(job, hash))
            worker_refuse(job, why);
        job = next;
    }
    worker_advance(worker);
}

void worker_built(struct block_worker *worker, const char *hash, const char *build, const char *why)
{
    char message[500];

    (void)build;
    if (why == NULL) {
        worker_advance(worker);
        return;
    }
    snprintf(message, sizeof message, "a bot cannot be built: %s", why);
    worker_miss(worker, hash, message);
}
