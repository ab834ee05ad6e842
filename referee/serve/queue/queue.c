/* The queue itself: its folder, the ends of jobs, cancelling and draining.
 *
 * Only jobs and their ends are on the disk, not the queue. So however the daemon dies, all jobs
 * that are not over are queued again, and the store of each knows how far it came. */

#include "serve/queue/queue.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/directory.h"
#include "base/message.h"
#include "sandbox/landlock.h"
#include "serve/queue/ledger_describe.h"
#include "serve/queue/queue_private.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define RETRY_S 2
#define DEATHS_MAX 3 /* of the process of one job */

static void on_retry(evutil_socket_t fd, short what, void *context);

static int open_folder(struct queue *queue, struct text *problem)
{
    char *folder;
    char *path;

    if (directory_make(queue->setup.folder) != 0) {
        text_printf(problem, "%s: %s", queue->setup.folder, strerror(errno));
        return -1;
    }
    folder = realpath(queue->setup.folder, NULL);
    queue->folder = folder != NULL ? folder : xstrdup(queue->setup.folder);
    if (landlock_close_folder(queue->folder, problem) != 0)
        return -1;
    queue->lock_fd = directory_lock(queue->folder, problem);
    if (queue->lock_fd < 0)
        return -1;
    path = directory_join(queue->folder, "ledger.ndjson");
    queue->ledger = ledger_open(path, problem);
    free(path);
    return queue->ledger != NULL ? 0 : -1;
}

/* Jobs find the socket through this link, wherever it is today. */
static int link_socket(const struct queue *queue, struct text *problem)
{
    static const char longest[] = "/jobs/4294967295/" QUEUE_FROM_JOB QUEUE_REMOTE_SOCKET;
    char *path;
    int result;

    if (queue->setup.socket == NULL)
        return 0;
    if (strlen(queue->folder) + sizeof longest > sizeof((struct sockaddr_un *)NULL)->sun_path) {
        text_printf(problem, "%s: the path is too long for remote bots", queue->folder);
        return -1;
    }
    path = directory_join(queue->folder, QUEUE_REMOTE_SOCKET);
    (void)unlink(path);
    result = symlink(queue->setup.socket, path);
    if (result != 0)
        text_printf(problem, "%s: %s", path, strerror(errno));
    free(path);
    return result;
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
    if (open_folder(queue, problem) != 0 || link_socket(queue, problem) != 0) {
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

const struct settings *queue_settings(const struct queue *queue)
{
    return queue->setup.settings;
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

    snprintf(path, size, "%s/jobs/%u/%s", queue->folder, number, name);
    return path;
}

void queue_retry_later(struct queue *queue)
{
    struct timeval pause = {.tv_sec = RETRY_S};

    if (!evtimer_pending(queue->on_retry, NULL))
        (void)event_add(queue->on_retry, &pause);
}

/* What cannot be written now is tried again; until then it is only in memory and in the stores. */
static void write_ledger(struct queue *queue)
{
    if (ledger_write(queue->ledger) == 0)
        return;
    message_say("cannot write the ledger: %s", strerror(errno));
    queue_retry_later(queue);
}

void queue_end_job(struct queue *queue, unsigned number, enum job_state state, const char *message,
                   const struct ledger_score *scores)
{
    struct feed_line event;

    ledger_end_job(queue->ledger, number, state, message, scores);
    write_ledger(queue);
    event = ledger_describe_state(ledger_job(queue->ledger, number));
    broadcast_send(queue->broadcast, &event);
}

static void on_retry(evutil_socket_t fd, short what, void *context)
{
    struct queue *queue = context;

    (void)fd;
    (void)what;
    write_ledger(queue);
    queue_start_jobs(queue);
}

void queue_wake(struct queue *queue)
{
    struct timeval at_once = {0};

    (void)event_add(queue->on_retry, &at_once);
}

/* Reads the end of a file. */
static void read_end(const char *path, char *bytes, size_t size)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    off_t length = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
    off_t start = length > (off_t)size - 1 ? length - (off_t)size + 1 : 0;
    ssize_t got = fd >= 0 ? pread(fd, bytes, size - 1, start) : 0;

    bytes[got > 0 ? got : 0] = '\0';
    if (fd >= 0)
        close(fd);
}

/* The last line that the process wrote to stderr. Where the store is does not concern the user. */
static void read_last_message(const struct queue *queue, unsigned number, char message[300])
{
    char *path = queue_job_path(queue, number, "messages");
    char *folder = queue_job_path(queue, number, "");
    char end[4096];
    struct span rest;

    read_end(path, end, sizeof end);
    rest = span_of(end);
    while (rest.start != NULL) {
        struct span line = span_cut(&rest, '\n');
        size_t skipped = line.length > 0 && strncmp(line.start, folder, strlen(folder)) == 0
                             ? strlen(folder)
                             : 0;

        if (line.length > 0)
            snprintf(message, 300, "%.*s", (int)(line.length - skipped), line.start + skipped);
    }
    free(folder);
    free(path);
}

/* The state of a job after its process has ended. JOB_QUEUED: it is to be resumed. */
static enum job_state state_after(struct running_job *running, int status, char message[300])
{
    struct queue *queue = running->queue;

    if (running->is_cancelled)
        return JOB_CANCELLED;
    if (strcmp(running->end, "finished") == 0)
        return JOB_DONE;
    if (running->is_overdue) {
        snprintf(message, 300, "it was played for %ld minutes, and this daemon allows no more",
                 queue->setup.settings->job_minutes);
        return JOB_FAILED;
    }
    if (running->stops > 0)
        return JOB_QUEUED;
    if (strcmp(running->end, "paused") == 0) {
        snprintf(message, 300, "some matches are missing: they were void repeatedly");
        return JOB_PAUSED;
    }
    if (strcmp(running->end, "stopped") == 0 || WIFSIGNALED(status)) {
        ledger_count_death(queue->ledger, running->job->number);
        snprintf(message, 300, "its process was killed %d times", DEATHS_MAX);
        return running->job->deaths < DEATHS_MAX ? JOB_QUEUED : JOB_FAILED;
    }
    read_last_message(queue, running->job->number, message);
    return JOB_FAILED;
}

void queue_end_running(struct queue *queue, struct running_job *running, int status)
{
    char message[300] = "";
    enum job_state state = state_after(running, status, message);
    bool has_scores = running->scored == running->job->bot_count;
    struct running_job **link = &queue->running;

    while (*link != running)
        link = &(*link)->next;
    *link = running->next;
    if (state == JOB_QUEUED)
        ledger_set_state(queue->ledger, running->job->number, JOB_QUEUED);
    else
        queue_end_job(queue, running->job->number, state, message,
                      has_scores ? running->scores : NULL);
    running_job_free(running);
    queue_start_jobs(queue);
}

int queue_cancel(struct queue *queue, const struct caller *caller, unsigned number,
                 struct request_error *error)
{
    const struct job *job = ledger_job(queue->ledger, number);
    struct running_job *running = queue->running;

    while (running != NULL && running->job != job)
        running = running->next;
    if (job == NULL)
        return request_error_set(error, REQUEST_ERROR_NO_JOB, "there is no job %u", number);
    if (!caller->is_owner && strcmp(job->user, caller->user) != 0)
        return request_error_set(error, REQUEST_ERROR_FORBIDDEN, "job %u belongs to %s", number,
                                 job->user);
    if (job_is_over(job->state))
        return request_error_set(error, REQUEST_ERROR_TOO_LATE, "job %u is over: %s", number,
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
        broadcast_send(queue->broadcast, &(struct feed_line){.kind = FEED_LINE_ENDING});
    queue->is_draining = true;
    for (struct running_job *running = queue->running; running != NULL; running = running->next)
        running_job_stop(running, is_urgent);
    (void)event_add(queue->on_retry, &at_once);
}
