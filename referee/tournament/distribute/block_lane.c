/* A block is a job of the first server that is up, and goes to another one if that is lost. The
 * name of the job is that of the store, the block and the attempt, so that a coordinator that was
 * started again finds its jobs where they are.
 *
 * The server gives a job to another worker if one dies, and says nothing about it. So each worker
 * says when it starts, and goes on saying so while it plays: a second start means that the first
 * worker is dead, and silence that it hangs. A task that is given up is never accepted any more:
 * the next attempt has another name and another hash. */

#include "tournament/distribute/block_lane_private.h"

#include "base/clock.h"
#include "base/memory.h"

#include <event2/event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AHEAD 4      /* blocks at the server although nothing was heard of a worker yet */
#define PER_CORE 3   /* blocks for each core of the workers */
#define DOWN_MS 3000 /* then it is worth a message */
#define NOBODY_MS 5000
#define FILES_WAITING_MAX ((size_t)128 << 20)

void lane_say(struct block_lane *lane, const char *format, ...)
{
    char message[600];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    lane->observer.on_trouble(lane->observer.context, message);
}

/* Jobs. */

static struct lane_job *find_job(const struct block_lane *lane, unsigned link, struct span handle)
{
    struct lane_job *job = lane->jobs;

    while (job != NULL &&
           (job->link != link || job->state < LANE_QUEUED || !span_is(handle, job->handle)))
        job = job->next;
    return job;
}

static void free_job(struct lane_job *job)
{
    free(job->bytes);
    free(job->result);
    free(job);
}

void lane_end_job(struct block_lane *lane, struct lane_job *job, enum task_end end, unsigned voids,
                  const char *why)
{
    struct lane_job **link = &lane->jobs;
    struct task_report report = {.end = end, .voids = voids};
    unsigned block = job->task.tasks[0].block;

    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    ++*lane_failures_attempts(lane->failures, block);
    if (end == TASK_VOID && job->task.count > 0) {
        lane_failures_note(lane->failures, block, job->worker);
        lane_failures_explain(lane->failures, why, &report, block);
    }
    for (unsigned i = 0; i < job->task.count; i++) {
        report.task = job->task.tasks[i];
        lane->observer.on_report(lane->observer.context, &report);
    }
    free_job(job);
    lane->observer.on_room(lane->observer.context);
}

static void send_job(struct block_lane *lane, struct lane_job *job, unsigned link)
{
    char key[BLOCK_TASK_KEY_MAX];
    size_t length;
    char *bytes = block_task_write(&job->task, lane->shut_out, &length);
    char *sealed = seal_close(lane->setup.key, SEAL_TASK, (struct span){bytes, length}, &length);
    struct span arguments[3];

    block_task_key(&job->task, key);
    arguments[0] = span_of(lane->function);
    arguments[1] = span_of(key);
    arguments[2] = (struct span){sealed, length};
    gearman_link_send(lane->links[link].client, GEARMAN_SUBMIT_JOB, arguments, 3);
    job->state = LANE_SENT;
    job->link = link;
    job->order = ++lane->order;
    job->sign_us = clock_now_us();
    free(sealed);
    free(bytes);
}

/* The first server that is up; link_count if none is. */
static unsigned find_link(const struct block_lane *lane)
{
    unsigned link = 0;

    while (link < lane->link_count && !gearman_link_is_up(lane->links[link].client))
        link++;
    return link;
}

static void send_waiting(struct block_lane *lane)
{
    unsigned link = find_link(lane);

    for (struct lane_job *job = lane->jobs; job != NULL && link < lane->link_count;
         job = job->next) {
        if (job->state == LANE_WAITS)
            send_job(lane, job, link);
    }
}

/* What the server says. */

/* It answers in the order in which it was asked. */
static void take_handle(struct block_lane *lane, unsigned link, struct span handle)
{
    struct lane_job *first = NULL;
    struct text text;

    for (struct lane_job *job = lane->jobs; job != NULL; job = job->next) {
        if (job->state == LANE_SENT && job->link == link &&
            (first == NULL || job->order < first->order))
            first = job;
    }
    if (first == NULL)
        return;
    text_start(&text, first->handle, sizeof first->handle);
    text_add_bytes(&text, handle.start, handle.length);
    first->state = LANE_QUEUED;
}

static void take_sign(struct block_lane *lane, struct lane_job *job, struct span sealed)
{
    char before[BLOCK_RESULT_WORKER_MAX + 1];
    char why[200];

    snprintf(before, sizeof before, "%s", job->worker);
    if (lane_take_sign(lane, job, sealed) == NULL)
        return;
    job->sign_us = clock_now_us();
    job->state = LANE_STARTED;
    lane->observer.on_room(lane->observer.context);
    if (job->starts <= LANE_KILLS_MAX)
        return;
    snprintf(why, sizeof why, "%d workers were lost while they played it, the last one was %.60s",
             LANE_KILLS_MAX, before);
    lane_end_job(lane, job, TASK_VOID, LANE_KILLS_MAX, why);
}

/* Whether a job that nothing is heard of is with a worker. */
static void take_status(struct block_lane *lane, struct lane_job *job,
                        const struct gearman_packet *packet)
{
    int64_t silence_ms = (clock_now_us() - job->sign_us) / 1000;

    if (span_is(packet->arguments[1], "0")) {
        job->state = LANE_WAITS;
        send_waiting(lane);
    } else if (span_is(packet->arguments[2], "0")) {
        job->sign_us = clock_now_us();
    } else if (silence_ms > lane->setup.silence_ms) {
        lane_end_job(lane, job, TASK_VOID, 1, "the worker that took it says nothing");
    }
}

static void on_packet(void *context, const struct gearman_packet *packet)
{
    struct lane_link *link = context;
    struct block_lane *lane = link->lane;
    unsigned number = (unsigned)(link - lane->links);
    struct lane_job *job;

    if (packet->count == 0)
        return;
    if (packet->type == GEARMAN_JOB_CREATED) {
        take_handle(lane, number, packet->arguments[0]);
        return;
    }
    job = find_job(lane, number, packet->arguments[0]);
    if (job == NULL || job->state == LANE_ANSWERED)
        return; /* it was given up: this is late */
    if (packet->type == GEARMAN_WORK_DATA)
        take_sign(lane, job, packet->arguments[1]);
    else if (packet->type == GEARMAN_WORK_COMPLETE)
        lane_take_result(lane, job, packet->arguments[1]);
    else if (packet->type == GEARMAN_WORK_FAIL)
        lane_end_job(lane, job, TASK_VOID, 1, "a worker or the job server gave it up");
    else if (packet->type == GEARMAN_STATUS_RES)
        take_status(lane, job, packet);
}

static void on_up(void *context)
{
    struct lane_link *link = context;
    struct block_lane *lane = link->lane;

    link->down_us = 0;
    if (link->is_said)
        lane_say(lane, "job server %s is there again", gearman_link_address(link->client));
    link->is_said = false;
    send_waiting(lane);
    lane->observer.on_room(lane->observer.context);
}

/* The server forgets our jobs with the connection, or finds them again by their names. */
static void on_down(void *context, const char *why)
{
    struct lane_link *link = context;
    struct block_lane *lane = link->lane;
    unsigned number = (unsigned)(link - lane->links);

    (void)why;
    link->down_us = clock_now_us();
    for (struct lane_job *job = lane->jobs; job != NULL; job = job->next) {
        if (job->link == number && job->state != LANE_ANSWERED)
            job->state = LANE_WAITS;
    }
    send_waiting(lane);
}

/* Time. */

static void look_at_job(struct block_lane *lane, struct lane_job *job)
{
    int64_t silence_ms = (clock_now_us() - job->sign_us) / 1000;
    struct span handle = span_of(job->handle);
    char why[200];

    if (job->state == LANE_STARTED && silence_ms > lane->setup.silence_ms) {
        snprintf(why, sizeof why, "worker %.60s has said nothing for %u s", job->worker,
                 lane->setup.silence_ms / 1000);
        lane_say(lane, "block %u is given up: %s", job->task.tasks[0].block, why);
        lane_end_job(lane, job, TASK_VOID, 1, why);
    } else if (job->state == LANE_QUEUED && silence_ms > lane->setup.silence_ms / 2) {
        gearman_link_send(lane->links[job->link].client, GEARMAN_GET_STATUS, &handle, 1);
    }
}

static void look_at_links(struct block_lane *lane)
{
    int64_t now_us = clock_now_us();

    for (unsigned i = 0; i < lane->link_count; i++) {
        struct lane_link *link = &lane->links[i];

        if (link->down_us == 0 || link->is_said || now_us - link->down_us < DOWN_MS * INT64_C(1000))
            continue;
        link->is_said = true;
        lane_say(lane, "job server %s cannot be reached; trying on until it can",
                 gearman_link_address(link->client));
    }
    if (!lane->has_heard && !lane->is_waiting_said && find_link(lane) < lane->link_count &&
        now_us - lane->start_us > NOBODY_MS * INT64_C(1000)) {
        lane->is_waiting_said = true;
        lane_say(lane,
                 "no worker has taken a block yet: `referee worker` starts one, with the "
                 "same key and able to contain bots at level %s",
                 sandbox_level_name(lane->setup.level));
    }
}

/* If this process was stopped itself, it has heard nobody meanwhile. */
static void forgive_pause(struct block_lane *lane)
{
    int64_t now_us = clock_now_us();
    int64_t pause_us = now_us - lane->tick_us - (int64_t)lane->setup.silence_ms * 1000 / 4;

    lane->tick_us = now_us;
    for (struct lane_job *job = lane->jobs; job != NULL && pause_us > 0; job = job->next)
        job->sign_us = now_us;
}

static void on_tick(evutil_socket_t fd, short what, void *context)
{
    struct block_lane *lane = context;
    struct lane_job *job = lane->jobs;

    (void)fd;
    (void)what;
    forgive_pause(lane);
    look_at_links(lane);
    for (unsigned i = 0; i < lane->link_count; i++)
        job_taker_wake(lane->links[i].files);
    while (job != NULL) {
        struct lane_job *next = job->next;

        look_at_job(lane, job);
        job = next;
    }
}

static void on_verify(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    lane_verify_next(context);
}

/* For the coordinator. */

static void listen_to(void *context, const struct worker_pool_observer *observer)
{
    struct block_lane *lane = context;

    lane->observer = *observer;
}

static bool has_room(void *context)
{
    const struct block_lane *lane = context;
    unsigned count = 0;
    unsigned workers;
    long speed;

    for (const struct lane_job *job = lane->jobs; job != NULL; job = job->next)
        count++;
    return !lane->is_draining && find_link(lane) < lane->link_count &&
           count < AHEAD + PER_CORE * lane_cores(lane, &workers, &speed);
}

static void give(void *context, const struct task *tasks, unsigned count)
{
    struct block_lane *lane = context;
    struct lane_job *job = xcalloc(1, sizeof *job);
    struct lane_job **link = &lane->jobs;

    snprintf(job->task.store, sizeof job->task.store, "%s", lane->setup.store);
    snprintf(job->task.setup, sizeof job->task.setup, "%s", travel_hash(lane->setup.travel));
    job->task.attempt = *lane_failures_attempts(lane->failures, tasks[0].block);
    job->task.count = count;
    memcpy(job->task.tasks, tasks, count * sizeof *tasks);
    while (*link != NULL)
        link = &(*link)->next;
    *link = job;
    send_waiting(lane);
}

static void drain(void *context)
{
    struct block_lane *lane = context;
    struct lane_job *job = lane->jobs;

    lane->is_draining = true;
    while (job != NULL) {
        struct lane_job *next = job->next;

        if (job->state < LANE_STARTED)
            lane_end_job(lane, job, TASK_RETURNED, 0, "");
        job = next;
    }
}

static unsigned busy(void *context)
{
    const struct block_lane *lane = context;
    unsigned count = 0;

    for (const struct lane_job *job = lane->jobs; job != NULL; job = job->next)
        count += job->task.count;
    return count;
}

/* Files. */

/* Files are large: the next request is taken when the last answers are on their way. */
static bool wants_request(void *context)
{
    const struct lane_link *link = context;

    return job_taker_waiting(link->files) < FILES_WAITING_MAX;
}

static void on_request(void *context, struct job_taker *taker, const char *handle, struct span data)
{
    const struct lane_link *link = context;
    const struct block_lane *lane = link->lane;
    size_t length = 0;
    char *hash = seal_open(lane->setup.key, SEAL_REQUEST, data, &length);
    const char *found = hash != NULL ? travel_find(lane->setup.travel, hash, &length) : NULL;
    char *sealed;

    free(hash);
    if (found == NULL) {
        job_taker_send(taker, handle, GEARMAN_WORK_FAIL, (struct span){0});
        return;
    }
    sealed = seal_close(lane->setup.key, SEAL_FILES, (struct span){found, length}, &length);
    job_taker_send(taker, handle, GEARMAN_WORK_COMPLETE, (struct span){sealed, length});
    free(sealed);
}

static void on_files_up(void *context, struct job_taker *taker)
{
    (void)context;
    (void)taker;
}

static void on_files_lost(void *context, struct job_taker *taker, const char *why)
{
    (void)context;
    (void)taker;
    (void)why;
}

static void open_link(struct block_lane *lane, const char *address)
{
    struct lane_link *link = &lane->links[lane->link_count++];
    struct gearman_link_observer client = {on_up, on_down, on_packet, link, 0};
    struct job_taker_observer files = {wants_request, on_request, on_files_lost, on_files_up, link};
    char functions[1][JOB_TAKER_FUNCTION_MAX];

    block_task_files_function(lane->setup.key, lane->setup.store, functions[0]);
    link->lane = lane;
    link->down_us = clock_now_us();
    link->client = gearman_link_new(lane->base, address, &client);
    link->files = job_taker_new(lane->base, address,
                                (const char(*)[JOB_TAKER_FUNCTION_MAX])functions, 1, &files);
}

struct block_lane *block_lane_new(struct event_base *base, const struct block_lane_setup *setup)
{
    struct block_lane *lane = xcalloc(1, sizeof *lane);
    struct timeval tick = {.tv_sec = setup->silence_ms / 8000,
                           .tv_usec = setup->silence_ms / 8 % 1000 * 1000};

    lane->base = base;
    lane->setup = *setup;
    lane->port = (struct lane){listen_to, has_room, give, drain, busy, lane};
    lane->start_us = clock_now_us();
    lane->tick_us = lane->start_us;
    lane->shut_out = xcalloc(1, 1);
    lane->failures = lane_failures_new();
    block_task_function(setup->key, setup->level, lane->function);
    lane->on_verify = evtimer_new(base, on_verify, lane);
    lane->on_tick = event_new(base, -1, EV_PERSIST, on_tick, lane);
    event_add(lane->on_tick, &tick);
    for (unsigned i = 0; setup->servers[i] != NULL && i < BLOCK_LANE_SERVERS_MAX; i++)
        open_link(lane, setup->servers[i]);
    return lane;
}

void block_lane_free(struct block_lane *lane)
{
    if (lane == NULL)
        return;
    for (unsigned i = 0; i < lane->link_count; i++) {
        gearman_link_free(lane->links[i].client);
        job_taker_free(lane->links[i].files);
    }
    while (lane->jobs != NULL) {
        struct lane_job *job = lane->jobs;

        lane->jobs = job->next;
        free_job(job);
    }
    while (lane->workers != NULL) {
        struct lane_worker *worker = lane->workers;

        lane->workers = worker->next;
        free(worker);
    }
    event_free(lane->on_tick);
    event_free(lane->on_verify);
    free(lane->shut_out);
    lane_failures_free(lane->failures);
    free(lane);
}

const struct lane *block_lane_port(struct block_lane *lane)
{
    return &lane->port;
}

void block_lane_describe(const struct block_lane *lane, struct text *line)
{
    int64_t oldest_us = clock_now_us();
    unsigned workers;
    long speed;
    unsigned cores = lane_cores(lane, &workers, &speed);
    int64_t lag_us;

    for (const struct lane_job *job = lane->jobs; job != NULL; job = job->next) {
        if (job->state == LANE_ANSWERED && job->answer_us < oldest_us)
            oldest_us = job->answer_us;
    }
    lag_us = clock_now_us() - oldest_us;
    text_printf(line, "%u worker%s with %u core%s", workers, workers == 1 ? "" : "s", cores,
                cores == 1 ? "" : "s");
    if (workers > 0)
        text_printf(line, ", %.1f M decisions/s, lag %.1f s", (double)speed / 1e3,
                    (double)lag_us / 1e6);
    if (find_link(lane) == lane->link_count)
        text_add(line, "; NO JOB SERVER");
}
