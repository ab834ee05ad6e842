/* What a worker lacks is a job that the coordinator does for it, at the same server that the block
 * came from. A coordinator that is gone does not answer: then the block is given back. */

#include "tournament/distribute/block_worker_private.h"

#include "base/clock.h"
#include "base/memory.h"
#include "match/log_zstd.h"
#include "tournament/distribute/parcel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE_MS 60000

/* Something that was asked for. */
struct fetch {
    struct worker_link *link;
    char hash[SEAL_HASH_HEX];
    char handle[JOB_TAKER_HANDLE_MAX + 1]; /* "": not known yet */
    int64_t start_us;
    struct fetch *next;
};

void worker_fetch(struct worker_job *job, const char *hash)
{
    struct block_worker *worker = job->worker;
    char function[BLOCK_TASK_FUNCTION_MAX];
    struct fetch *fetch = worker->fetches;
    struct fetch **link = &worker->fetches;
    struct span arguments[3];
    size_t length;
    char *sealed;

    while (fetch != NULL && (strcmp(fetch->hash, hash) != 0 || fetch->link != job->link))
        fetch = fetch->next;
    if (fetch != NULL || !gearman_link_is_up(job->link->client))
        return;
    fetch = xcalloc(1, sizeof *fetch);
    fetch->link = job->link;
    snprintf(fetch->hash, sizeof fetch->hash, "%s", hash);
    fetch->start_us = clock_now_us();
    while (*link != NULL)
        link = &(*link)->next;
    *link = fetch;
    block_task_files_function(worker->setup.key, job->task.store, function);
    sealed = seal_close(worker->setup.key, SEAL_REQUEST, span_of(hash), &length);
    arguments[0] = span_of(function);
    arguments[1] = (struct span){"", 0};
    arguments[2] = (struct span){sealed, length};
    gearman_link_send(job->link->client, GEARMAN_SUBMIT_JOB, arguments, 3);
    free(sealed);
}

static void end_fetch(struct block_worker *worker, struct fetch *fetch)
{
    struct fetch **link = &worker->fetches;

    while (*link != fetch)
        link = &(*link)->next;
    *link = fetch->next;
    free(fetch);
}

/* The first of a link whose handle is this one; "" finds the first without any. */
static struct fetch *find_fetch(const struct worker_link *link, struct span handle)
{
    struct fetch *fetch = link->worker->fetches;

    while (fetch != NULL && (fetch->link != link || !span_is(handle, fetch->handle)))
        fetch = fetch->next;
    return fetch;
}

/* Returns the bytes if they are what was asked for; NULL with why not. */
static char *open_answer(const struct block_worker *worker, const struct fetch *fetch,
                         struct span sealed, size_t *length, struct text *problem)
{
    char found[SEAL_HASH_HEX] = "";
    size_t packed_length = 0;
    char *packed = seal_open(worker->setup.key, SEAL_FILES, sealed, &packed_length);
    char *bytes = NULL;

    if (packed != NULL)
        bytes = log_zstd_unpack((struct span){packed, packed_length}, PARCEL_BYTES_MAX + 1, length,
                                problem);
    free(packed);
    if (bytes != NULL)
        seal_hash((struct span){bytes, *length}, found);
    if (strcmp(found, fetch->hash) == 0)
        return bytes;
    text_add(problem, "what the coordinator sent is not what was asked for");
    free(bytes);
    return NULL;
}

static void take_answer(struct block_worker *worker, struct fetch *fetch, struct span sealed)
{
    char hash[SEAL_HASH_HEX];
    char message[300];
    struct text problem;
    size_t length = 0;
    char *bytes;

    text_start(&problem, message, sizeof message);
    bytes = open_answer(worker, fetch, sealed, &length, &problem);
    memcpy(hash, fetch->hash, sizeof hash);
    end_fetch(worker, fetch);
    if (bytes != NULL)
        worker_take(worker, hash, (struct span){bytes, length});
    else
        worker_miss(worker, hash, message);
    free(bytes);
}

static void miss(struct block_worker *worker, struct fetch *fetch, const char *why)
{
    char hash[SEAL_HASH_HEX];

    memcpy(hash, fetch->hash, sizeof hash);
    end_fetch(worker, fetch);
    worker_miss(worker, hash, why);
}

void worker_fetch_packet(struct worker_link *link, const struct gearman_packet *packet)
{
    bool is_new = packet->type == GEARMAN_JOB_CREATED;
    struct fetch *fetch;
    struct text text;

    if (packet->count == 0)
        return;
    fetch = find_fetch(link, is_new ? (struct span){"", 0} : packet->arguments[0]);
    if (fetch == NULL)
        return;
    if (is_new) {
        text_start(&text, fetch->handle, sizeof fetch->handle);
        text_add_bytes(&text, packet->arguments[0].start, packet->arguments[0].length);
    } else if (packet->type == GEARMAN_WORK_COMPLETE) {
        take_answer(link->worker, fetch, packet->arguments[1]);
    } else if (packet->type == GEARMAN_WORK_FAIL) {
        miss(link->worker, fetch, "the coordinator does not have it");
    }
}

void worker_fetch_lost(struct worker_link *link)
{
    for (struct fetch **at = &link->worker->fetches; *at != NULL;) {
        struct fetch *fetch = *at;

        if (fetch->link != link) {
            at = &fetch->next;
            continue;
        }
        *at = fetch->next;
        free(fetch);
    }
}

/* One per tick: the list changes with it. */
void worker_fetch_tick(struct block_worker *worker)
{
    int64_t now_us = clock_now_us();

    for (struct fetch *fetch = worker->fetches; fetch != NULL; fetch = fetch->next) {
        if (now_us - fetch->start_us < PATIENCE_MS * INT64_C(1000))
            continue;
        miss(worker, fetch, "the coordinator does not answer");
        return;
    }
}

void worker_fetch_free(struct block_worker *worker)
{
    while (worker->fetches != NULL)
        end_fetch(worker, worker->fetches);
}
