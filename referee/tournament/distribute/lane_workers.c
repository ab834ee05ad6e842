/* A worker is known by the signs that it sends while it plays: when it takes a block, and every few
 * seconds. One that is idle sends none, and is forgotten as far as counting goes. */

#include "tournament/distribute/block_lane_private.h"

#include "base/clock.h"
#include "base/memory.h"
#include "wire/json_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORES_MAX 4096

struct lane_worker *lane_find_worker(struct block_lane *lane, const char *name)
{
    struct lane_worker *worker = lane->workers;

    while (worker != NULL && strcmp(worker->name, name) != 0)
        worker = worker->next;
    return worker;
}

static struct lane_worker *add_worker(struct block_lane *lane, const char *name)
{
    struct lane_worker *worker = xcalloc(1, sizeof *worker);

    snprintf(worker->name, sizeof worker->name, "%s", name);
    worker->next = lane->workers;
    lane->workers = worker;
    lane->has_heard = true;
    return worker;
}

static struct lane_worker *read_sign(struct block_lane *lane, struct lane_job *job,
                                     const struct json_node *root, struct text *problem)
{
    struct json_record record = json_record_start(root, problem);
    const char *name = json_record_line(&record, "worker", BLOCK_RESULT_WORKER_MAX);
    const char *task = json_record_text(&record, "task", SEAL_HASH_HEX);
    const char *run = json_record_text(&record, "run", LANE_RUN_HEX - 1);
    unsigned cores = (unsigned)json_record_number(&record, "cores", 1, CORES_MAX);
    long speed = (long)json_record_number(&record, "speed", 0, LOG_RECORD_SPEED_MAX);
    struct lane_worker *worker;

    if (record.is_refused || strcmp(task, job->task.hash) != 0)
        return NULL;
    worker = lane_find_worker(lane, name);
    if (worker == NULL)
        worker = add_worker(lane, name);
    worker->cores = cores;
    worker->speed = speed;
    worker->heard_us = clock_now_us();
    if (strcmp(run, job->run) != 0) {
        lane_failures_note(lane->failures, job->task.tasks[0].block, job->worker);
        snprintf(job->run, sizeof job->run, "%s", run);
        snprintf(job->worker, sizeof job->worker, "%s", name);
        job->starts++;
    }
    return worker;
}

struct lane_worker *lane_take_sign(struct block_lane *lane, struct lane_job *job,
                                   struct span sealed)
{
    size_t length;
    char *bytes = seal_open(lane->setup.key, SEAL_SIGN, sealed, &length);
    struct json_document *document = json_document_new();
    struct lane_worker *worker = NULL;
    const struct json_node *root;
    char message[200];
    struct text problem;

    text_start(&problem, message, sizeof message);
    root = bytes != NULL ? json_read(document, bytes, length, &problem) : NULL;
    if (root != NULL)
        worker = read_sign(lane, job, root, &problem);
    json_document_free(document);
    free(bytes);
    return worker;
}

void lane_shut_out(struct block_lane *lane, const char *name)
{
    struct lane_worker *worker = lane_find_worker(lane, name);
    size_t length = strlen(name) + 1;

    if (worker == NULL)
        worker = add_worker(lane, name);
    if (worker->is_shut_out)
        return;
    worker->is_shut_out = true;
    lane->shut_out = xrealloc(lane->shut_out, lane->shut_out_length + length + 1);
    memcpy(lane->shut_out + lane->shut_out_length, name, length);
    lane->shut_out_length += length;
    lane->shut_out[lane->shut_out_length] = '\0';
}

unsigned lane_cores(const struct block_lane *lane, unsigned *workers, long *speed)
{
    int64_t since_us = clock_now_us() - (int64_t)lane->setup.silence_ms * 1000;
    unsigned cores = 0;

    *workers = 0;
    *speed = 0;
    for (const struct lane_worker *worker = lane->workers; worker != NULL; worker = worker->next) {
        if (worker->is_shut_out || worker->heard_us < since_us)
            continue;
        ++*workers;
        cores += worker->cores;
        *speed += worker->speed * (long)worker->cores;
    }
    return cores;
}
