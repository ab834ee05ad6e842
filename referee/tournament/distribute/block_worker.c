/* A job is a block that was taken. It waits until the settings of its tournament are here, then
 * until its bots are, and then it is played; whatever is missing is asked for, and
 * worker_advance() looks at all jobs again when something has come.
 *
 * One tournament is played at a time, with the same workers and bots for all its blocks. A block of
 * another one waits until the blocks of this one are over; no more are taken meanwhile.
 *
 * While it has a job, the worker says so every few seconds: a coordinator gives up one of which it
 * hears nothing. If a server is lost, it has given our jobs to others: they are played on, because
 * bots cannot be stopped well, and their results are thrown away. */

#include "tournament/distribute/block_worker_private.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "tournament/distribute/parcel.h"
#include "wire/json_write.h"

#include <event2/event.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PER_CORE 2 /* blocks at once, and one more */
#define FILES_PACKET_MAX (PARCEL_BYTES_MAX + ((size_t)2 << 20))
#define FIRST_PAUSE_MS 1000
#define LAST_PAUSE_MS 30000

void worker_say(const struct block_worker *worker, const char *format, ...)
{
    char message[600];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    worker->setup.on_message(worker->setup.context, message);
}

/* Jobs. */

unsigned worker_count_jobs(const struct block_worker *worker)
{
    unsigned count = 0;

    for (const struct worker_job *job = worker->jobs; job != NULL; job = job->next)
        count++;
    return count;
}

static void end_if_drained(struct block_worker *worker)
{
    if (!worker->is_draining || worker->jobs != NULL || worker->has_ended)
        return;
    worker->has_ended = true;
    worker->setup.on_end(worker->setup.context);
}

static void wake_takers(struct block_worker *worker)
{
    for (unsigned i = 0; i < worker->link_count; i++)
        job_taker_wake(worker->links[i].taker);
}

static void remove_job(struct worker_job *job)
{
    struct worker_job **link = &job->worker->jobs;

    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    free(job);
}

static void send_result(struct worker_job *job, const struct task_report *reports, unsigned count)
{
    struct block_worker *worker = job->worker;
    struct block_result_head head = {.block = job->task.tasks[0].block};
    size_t length;
    char *bytes;
    char *sealed;

    memcpy(head.store, job->task.store, sizeof head.store);
    memcpy(head.task, job->task.hash, sizeof head.task);
    snprintf(head.worker, sizeof head.worker, "%s", worker->setup.name);
    bytes = block_result_write(&head, worker->setup.folder, reports, count, &length);
    sealed = seal_close(worker->setup.key, SEAL_RESULT, (struct span){bytes, length}, &length);
    job_taker_send(job->link->taker, job->handle, GEARMAN_WORK_COMPLETE,
                   (struct span){sealed, length});
    free(sealed);
    free(bytes);
}

void worker_refuse(struct worker_job *job, const char *why)
{
    struct block_worker *worker = job->worker;
    struct task_report reports[BLOCK_RESULT_MATCHES_MAX];

    memset(reports, 0, sizeof reports);
    for (unsigned i = 0; i < job->task.count; i++) {
        reports[i].end = TASK_VOID;
        reports[i].task = job->task.tasks[i];
        snprintf(reports[i].why, sizeof reports[i].why, "%s", why);
    }
    worker_say(worker, "block %u cannot be played here: %s", job->task.tasks[0].block, why);
    if (!job->is_orphan)
        send_result(job, reports, job->task.count);
    remove_job(job);
}

/* A disk without room: what was taken goes back, and for a while nothing is taken. */
void worker_pause(struct block_worker *worker)
{
    struct timeval pause = {.tv_sec = worker->pause_ms / 1000,
                            .tv_usec = worker->pause_ms % 1000 * 1000};

    worker_say(worker, "there is no room for logs on the disk: taking no blocks for %u s",
               worker->pause_ms / 1000);
    worker->is_pausing = true;
    event_add(worker->on_pause, &pause);
    worker->pause_ms = 2 * worker->pause_ms > LAST_PAUSE_MS ? LAST_PAUSE_MS : 2 * worker->pause_ms;
}

void worker_end_block(void *context, void *tag, const struct task_report *reports, unsigned count)
{
    struct block_worker *worker = context;
    struct worker_job *job = tag;

    if (!job->is_orphan)
        send_result(job, reports, count);
    block_result_remove(worker->setup.folder, job->task.tasks[0].block);
    if (block_player_was_full(worker->player))
        worker_pause(worker);
    else
        worker->pause_ms = FIRST_PAUSE_MS;
    remove_job(job);
    worker_advance(worker);
}

/* Advancing. */

static void advance_job(struct worker_job *job)
{
    struct block_worker *worker = job->worker;

    if (job->is_playing)
        return;
    if (strcmp(worker->visit_hash, job->task.setup) != 0) {
        if (!worker_is_playing(worker) && worker->build == NULL) {
            worker_leave_visit(worker);
            worker_fetch(job, job->task.setup);
        }
        return;
    }
    if (!worker_prepare_bots(job) ||
        block_player_has_block(worker->player, job->task.tasks[0].block))
        return;
    job->is_playing = true;
    block_player_give(worker->player, job->task.tasks, job->task.count, job);
}

/* Jobs of the tournament that is played come first: others wait until none of it is left. */
static void on_advance(evutil_socket_t fd, short what, void *context)
{
    struct block_worker *worker = context;

    (void)fd;
    (void)what;
    for (int pass = 0; pass < 2; pass++) {
        struct worker_job *job = worker->jobs;

        while (job != NULL) {
            struct worker_job *next = job->next;

            if ((strcmp(worker->visit_hash, job->task.setup) == 0) == (pass == 0))
                advance_job(job);
            job = next;
        }
    }
    wake_takers(worker);
    end_if_drained(worker);
}

/* From the loop: it is called in the middle of things that it changes. */
void worker_advance(struct block_worker *worker)
{
    struct timeval at_once = {0};

    event_add(worker->on_advance, &at_once);
}

/* The servers. */

static bool wants_job(void *context)
{
    const struct block_worker *worker = context;
    unsigned cores = worker->setup.cores;

    for (const struct worker_job *job = worker->jobs; job != NULL; job = job->next) {
        if (strcmp(job->task.setup, worker->visit_hash) != 0)
            return false;
    }
    return !worker->is_draining && !worker->is_pausing &&
           worker_count_jobs(worker) < PER_CORE * cores + 1;
}

static void send_sign(const struct worker_job *job)
{
    const struct block_worker *worker = job->worker;
    struct json_writer *json = json_writer_new(false);
    size_t length;
    const char *bytes;
    char *sealed;

    json_open_map(json);
    json_put_text(json, "worker", worker->setup.name);
    json_put_text(json, "task", job->task.hash);
    json_put_text(json, "run", job->run);
    json_put_number(json, "cores", worker->setup.cores);
    json_put_number(json, "speed", worker->setup.speed);
    json_close_map(json);
    bytes = json_writer_bytes(json, &length);
    sealed = seal_close(worker->setup.key, SEAL_SIGN, (struct span){bytes, length}, &length);
    job_taker_send(job->link->taker, job->handle, GEARMAN_WORK_DATA, (struct span){sealed, length});
    free(sealed);
    json_writer_free(json);
}

static struct worker_link *link_of(struct block_worker *worker, const struct job_taker *taker)
{
    struct worker_link *link = worker->links;

    while (link->taker != taker)
        link++;
    return link;
}

static void on_job(void *context, struct job_taker *taker, const char *handle, struct span data)
{
    struct block_worker *worker = context;
    struct worker_job *job = xcalloc(1, sizeof *job);
    struct worker_job **link = &worker->jobs;
    unsigned char run[(WORKER_RUN_HEX - 1) / 2];
    char message[200];
    struct text problem;
    bool is_shut_out = false;
    size_t length;
    char *bytes = seal_open(worker->setup.key, SEAL_TASK, data, &length);
    int result = -1;

    text_start(&problem, message, sizeof message);
    if (bytes != NULL)
        result = block_task_read(&job->task, (struct span){bytes, length}, worker->setup.name,
                                 &is_shut_out, &problem);
    free(bytes);
    if (is_shut_out) {
        worker_say(worker, "a coordinator has shut this worker out, because a log of it was wrong; "
                           "check this machine before it is started again");
        free(job);
        worker->is_draining = true;
        if (!worker->has_ended)
            worker->setup.on_end(worker->setup.context);
        worker->has_ended = true;
        return;
    }
    if (result != 0) {
        worker_say(worker, "a job is not a task that was sealed with our key");
        job_taker_send(taker, handle, GEARMAN_WORK_FAIL, (struct span){0});
        free(job);
        return;
    }
    job->worker = worker;
    job->link = link_of(worker, taker);
    snprintf(job->handle, sizeof job->handle, "%s", handle);
    randombytes_buf(run, sizeof run);
    sodium_bin2hex(job->run, sizeof job->run, run, sizeof run);
    while (*link != NULL)
        link = &(*link)->next;
    *link = job;
    send_sign(job);
    worker_advance(worker);
}

/* Jobs that are not played yet are forgotten. */
static void on_lost(void *context, struct job_taker *taker, const char *why)
{
    struct block_worker *worker = context;
    struct worker_link *link = link_of(worker, taker);
    struct worker_job *job = worker->jobs;

    worker_say(worker, "job server %s is gone: %s; trying again", job_taker_address(taker), why);
    while (job != NULL) {
        struct worker_job *next = job->next;

        if (job->link == link && job->is_playing)
            job->is_orphan = true;
        else if (job->link == link)
            remove_job(job);
        job = next;
    }
    end_if_drained(worker);
}

static void on_up(void *context, struct job_taker *taker)
{
    worker_say(context, "job server %s: ready for blocks", job_taker_address(taker));
}

static void on_client_up(void *context)
{
    const struct worker_link *link = context;

    worker_advance(link->worker);
}

static void on_client_down(void *context, const char *why)
{
    (void)why;
    worker_fetch_lost(context);
}

static void on_client_packet(void *context, const struct gearman_packet *packet)
{
    worker_fetch_packet(context, packet);
}

static void on_sign(evutil_socket_t fd, short what, void *context)
{
    struct block_worker *worker = context;

    (void)fd;
    (void)what;
    for (const struct worker_job *job = worker->jobs; job != NULL; job = job->next) {
        if (!job->is_orphan)
            send_sign(job);
    }
    worker_fetch_tick(worker);
}

static void on_pause(evutil_socket_t fd, short what, void *context)
{
    struct block_worker *worker = context;

    (void)fd;
    (void)what;
    worker->is_pausing = false;
    wake_takers(worker);
}

static void open_link(struct block_worker *worker, const char *address)
{
    struct worker_link *link = &worker->links[worker->link_count++];
    struct job_taker_observer taker = {wants_job, on_job, on_lost, on_up, worker};
    struct gearman_link_observer client = {on_client_up, on_client_down, on_client_packet, link,
                                           FILES_PACKET_MAX};
    char functions[JOB_TAKER_FUNCTIONS_MAX][JOB_TAKER_FUNCTION_MAX];
    unsigned count = 0;

    for (enum sandbox_level level = SANDBOX_NONE; level < SANDBOX_AUTO; level++) {
        if (worker->setup.levels[level])
            block_task_function(worker->setup.key, level, functions[count++]);
    }
    link->worker = worker;
    link->client = gearman_link_new(worker->base, address, &client);
    link->taker = job_taker_new(worker->base, address,
                                (const char(*)[JOB_TAKER_FUNCTION_MAX])functions, count, &taker);
}

struct block_worker *block_worker_new(struct event_base *base,
                                      const struct block_worker_setup *setup)
{
    struct block_worker *worker = xcalloc(1, sizeof *worker);
    struct timeval sign = {.tv_sec = setup->sign_ms / 1000,
                           .tv_usec = setup->sign_ms % 1000 * 1000};
    int cpus[CPU_MAX];

    worker->base = base;
    worker->setup = *setup;
    worker->pause_ms = FIRST_PAUSE_MS;
    if (worker->setup.cores == 0)
        worker->setup.cores = cpu_list(cpus);
    if (worker->setup.cores == 0)
        worker->setup.cores = 1;
    worker->on_pause = evtimer_new(base, on_pause, worker);
    worker->on_advance = evtimer_new(base, on_advance, worker);
    worker->on_sign = event_new(base, -1, EV_PERSIST, on_sign, worker);
    event_add(worker->on_sign, &sign);
    for (unsigned i = 0; setup->servers[i] != NULL && i < WORKER_SERVERS_MAX; i++)
        open_link(worker, setup->servers[i]);
    return worker;
}

void block_worker_drain(struct block_worker *worker)
{
    worker->is_draining = true;
    end_if_drained(worker);
}

void block_worker_free(struct block_worker *worker)
{
    if (worker == NULL)
        return;
    worker_build_free(worker);
    worker_leave_visit(worker);
    worker_fetch_free(worker);
    for (unsigned i = 0; i < worker->link_count; i++) {
        gearman_link_free(worker->links[i].client);
        job_taker_free(worker->links[i].taker);
    }
    while (worker->jobs != NULL)
        remove_job(worker->jobs);
    event_free(worker->on_sign);
    event_free(worker->on_pause);
    event_free(worker->on_advance);
    free(worker);
}
