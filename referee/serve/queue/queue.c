/* The queue itself: its folder, the ends of works, and what its owner wants of it.
 *
 * Nothing about the queue is on the disk but the works themselves and their ends. So after whatever
 * death of ours, all that is not over is queued again, and its own store knows how far it came. */

#include "serve/queue/queue.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/message.h"
#include "serve/queue/queue_private.h"
#include "base/directory.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RETRY_S 2
#define DEATHS_MAX 3 /* of the process of one work */

static void on_retry(evutil_socket_t fd, short what, void *context);

/* Opening and closing. */

static int open_folder(struct queue *queue, struct text *problem)
{
    char *folder;

    if (directory_make(queue->setup.folder) != 0) {
        text_add(problem, queue->setup.folder);
        text_add(problem, ": ");
        text_add(problem, strerror(errno));
        return -1;
    }
    folder = realpath(queue->setup.folder, NULL);
    queue->folder = folder != NULL ? folder : xstrdup(queue->setup.folder);
    queue->lock_fd = directory_lock(queue->folder, problem);
    return queue->lock_fd >= 0 ? 0 : -1;
}

static int open_ledger(struct queue *queue, struct text *problem)
{
    char *path = directory_join(queue->folder, "ledger.ndjson");

    queue->ledger = ledger_open(path, problem);
    free(path);
    return queue->ledger != NULL ? 0 : -1;
}

struct queue *queue_new(const struct queue_setup *setup, struct text *problem)
{
    struct queue *queue = xcalloc(1, sizeof *queue);
    struct timeval at_once = {0};
    int cpus[CPU_MAX];

    queue->setup = *setup;
    queue->lock_fd = -1;
    if (queue->setup.slots == 0)
        queue->setup.slots = cpu_list(cpus);
    if (queue->setup.slots == 0)
        queue->setup.slots = 1;
    queue->broadcast = broadcast_new();
    queue->on_retry = evtimer_new(setup->base, on_retry, queue);
    if (open_folder(queue, problem) != 0 || open_ledger(queue, problem) != 0) {
        queue_free(queue);
        return NULL;
    }
    (void)event_add(queue->on_retry, &at_once);
    return queue;
}

void queue_free(struct queue *queue)
{
    if (queue == NULL)
        return;
    while (queue->running != NULL) {
        struct running_job *first = queue->running;

        queue->running = first->next;
        running_job_free(first);
    }
    for (unsigned i = 0; i < queue->turn_count; i++)
        free(queue->turns[i].user);
    free(queue->turns);
    event_free(queue->on_retry);
    ledger_free(queue->ledger);
    broadcast_free(queue->broadcast);
    if (queue->lock_fd >= 0)
        close(queue->lock_fd);
    free(queue->folder);
    free(queue);
}

const struct ledger *queue_ledger(const struct queue *queue)
{
    return queue->ledger;
}

struct broadcast *queue_broadcast(const struct queue *queue)
{
    return queue->broadcast;
}

bool queue_is_draining(const struct queue *queue)
{
    return queue->is_draining;
}

bool queue_has_remote(const struct queue *queue)
{
    return queue->setup.socket != NULL;
}

char *queue_job_path(const struct queue *queue, unsigned number, const char *name)
{
    size_t size = strlen(queue->folder) + strlen(name) + 24;
    char *path = xcalloc(size, 1);

    snprintf(path, size, "%s/works/%u/%s", queue->folder, number, name);
    return path;
}

/* Ends. */

void queue_retry_later(struct queue *queue)
{
    struct timeval pause = {.tv_sec = RETRY_S};

    if (!evtimer_pending(queue->on_retry, NULL))
        (void)event_add(queue->on_retry, &pause);
}

/* What cannot be written now is tried again: until then it is only in our memory and in the stores. */
static void write_ledger(struct queue *queue)
{
    if (ledger_write(queue->ledger) == 0)
        return;
    message_say("the ledger could not be written: %s", strerror(errno));
    queue_retry_later(queue);
}

void queue_end_job(struct queue *queue, unsigned number, enum job_state state, const char *words,
                   const struct ledger_score *scores)
{
    ledger_end_job(queue->ledger, number, state, words, scores);
    write_ledger(queue);
    broadcast_send(queue->broadcast, number, "over %s%s%s", job_state_name(state),
                   words[0] != '\0' ? " " : "", words);
}

static void on_retry(evutil_socket_t fd, short what, void *context)
{
    struct queue *queue = context;

    (void)fd;
    (void)what;
    write_ledger(queue);
    queue_start_jobs(queue);
}

void queue_look(struct queue *queue)
{
    struct timeval at_once = {0};

    (void)event_add(queue->on_retry, &at_once);
}

/* The last line that the process wrote to stderr. */
static void read_last_words(const struct queue *queue, unsigned number, char words[300])
{
    char *path = queue_job_path(queue, number, "words");
    FILE *file = fopen(path, "re");
    char line[300];

    words[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0')
            memcpy(words, line, sizeof line);
    }
    if (file != NULL)
        fclose(file);
    free(path);
}

/* How a work stands after its process has ended. JOB_QUEUED: it is to go on. */
static enum job_state judge(struct running_job *running, int status, char words[300])
{
    struct queue *queue = running->queue;
    bool is_stopped = strcmp(running->end, "stopped") == 0;

    words[0] = '\0';
    if (running->is_cancelled)
        return JOB_CANCELLED;
    if (strcmp(running->end, "finished") == 0)
        return JOB_DONE;
    if (running->stops > 0)
        return JOB_QUEUED;
    if (strcmp(running->end, "paused") == 0) {
        snprintf(words, 300, "some matches were void time and again and are missing");
        return JOB_PAUSED;
    }
    if (is_stopped || WIFSIGNALED(status)) {
        ledger_count_death(queue->ledger, running->number);
        snprintf(words, 300, "its process was ended by somebody %d times", DEATHS_MAX);
        return ledger_job(queue->ledger, running->number)->deaths < DEATHS_MAX ? JOB_QUEUED
                                                                               : JOB_FAILED;
    }
    read_last_words(queue, running->number, words);
    return JOB_FAILED;
}

static void cut_out(struct queue *queue, const struct running_job *running)
{
    struct running_job **link = &queue->running;

    while (*link != running)
        link = &(*link)->next;
    *link = running->next;
}

void queue_end_running(struct queue *queue, struct running_job *running, int status)
{
    char words[300];
    enum job_state state = judge(running, status, words);
    bool has_scores = running->scored == running->config->bot_count;

    cut_out(queue, running);
    if (state == JOB_QUEUED)
        ledger_set_state(queue->ledger, running->number, JOB_QUEUED);
    else
        queue_end_job(queue, running->number, state, words, has_scores ? running->scores : NULL);
    running_job_free(running);
    queue_start_jobs(queue);
}

/* What the owner wants. */

static struct running_job *find_running(const struct queue *queue, unsigned number)
{
    struct running_job *running = queue->running;

    while (running != NULL && running->number != number)
        running = running->next;
    return running;
}

int queue_cancel(struct queue *queue, const struct caller *caller, unsigned number,
                 struct serve_error *error)
{
    const struct job *job = ledger_job(queue->ledger, number);
    struct running_job *running = find_running(queue, number);

    if (job == NULL)
        return serve_error_set(error, SERVE_ERROR_NO_JOB, "there is no work %u", number);
    if (!caller->is_owner && strcmp(job->user, caller->user) != 0)
        return serve_error_set(error, SERVE_ERROR_FORBIDDEN, "work %u is of %s", number, job->user);
    if (job_is_over(job->state))
        return serve_error_set(error, SERVE_ERROR_TOO_LATE, "work %u is over: %s", number,
                               job_state_name(job->state));
    if (running == NULL) {
        queue_end_job(queue, number, JOB_CANCELLED, "", NULL);
    } else if (!running->is_cancelled) {
        running->is_cancelled = true;
        running_job_stop(running, true);
    }
    return 0;
}

void queue_drain(struct queue *queue, bool is_urgent)
{
    struct timeval at_once = {0};

    if (!queue->is_draining)
        broadcast_send(queue->broadcast, 0, "ending");
    queue->is_draining = true;
    for (struct running_job *running = queue->running; running != NULL; running = running->next)
        running_job_stop(running, is_urgent);
    (void)event_add(queue->on_retry, &at_once);
}
