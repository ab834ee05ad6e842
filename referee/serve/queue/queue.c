/* The queue itself: its folder, the ends of jobs, and draining.
 *
 * Only jobs and their ends are on the disk, not the queue. So however the daemon dies, all jobs
 * that are not over are queued again, and the store of each knows how far it came. */

#include "serve/queue/queue.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/directory.h"
#include "base/message.h"
#include "sandbox/landlock.h"
#include "sandbox/reaper.h"
#include "serve/queue/ledger_describe.h"
#include "serve/queue/queue_private.h"

#include <dirent.h>
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define RETRY_S 2
#define DEATHS_MAX 3 /* of the process of one job */

static void on_tick(evutil_socket_t fd, short what, void *context);
static void on_retry(evutil_socket_t fd, short what, void *context);
static void on_child_end(evutil_socket_t fd, short what, void *context);

/* A tournament that has this folder would not know of our files, nor we of its. */
static int refuse_store(const struct queue *queue, struct text *problem)
{
    char *path = directory_join(queue->folder, "results.ndjson");
    struct stat status;
    bool is_store = lstat(path, &status) == 0;

    if (is_store)
        text_printf(problem,
                    "%s: this is the store of a tournament, not the folder of a daemon; choose "
                    "another one",
                    queue->folder);
    free(path);
    return is_store ? -1 : 0;
}

/* A folder with files of somebody else is not closed to its users, nor filled with ours. Each of
 * these names is enough to recognise one of ours, whatever else was lost. */
static int refuse_foreign(const struct queue *queue, struct text *problem)
{
    static const char *const own[] = {DIRECTORY_MARK, "ledger.ndjson", "users", "bots", "jobs"};
    DIR *folder = opendir(queue->folder);
    const struct dirent *entry;
    const char *foreign = NULL;
    char name[sizeof entry->d_name] = "";

    if (folder == NULL) {
        text_printf(problem, "%s: %s", queue->folder, strerror(errno));
        return -1;
    }
    for (size_t i = 0; i < ARRAY_LEN(own) && foreign == NULL; i++) {
        if (faccessat(dirfd(folder), own[i], F_OK, AT_SYMLINK_NOFOLLOW) == 0)
            foreign = "";
    }
    while (foreign == NULL && (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(name, sizeof name, "%s", entry->d_name);
        foreign = name;
    }
    closedir(folder);
    if (foreign == NULL || foreign[0] == '\0')
        return 0;
    text_printf(problem, "%s: this is not the folder of a daemon: it has other files (",
                queue->folder);
    text_add_quoted(problem, span_of(foreign));
    text_add(problem, "); name a new or an empty folder");
    return -1;
}

static int open_folder(struct queue *queue, struct text *problem)
{
    char *folder;

    if (directory_make(queue->setup.folder) != 0) {
        text_printf(problem, "%s: %s", queue->setup.folder, strerror(errno));
        return -1;
    }
    folder = realpath(queue->setup.folder, NULL);
    queue->folder = folder != NULL ? folder : xstrdup(queue->setup.folder);
    if (refuse_store(queue, problem) != 0 || refuse_foreign(queue, problem) != 0 ||
        landlock_close_folder(queue->folder, problem) != 0)
        return -1;
    queue->lock_fd = directory_lock(queue->folder, problem);
    return queue->lock_fd >= 0 ? queue_open_ledger(queue, problem) : -1;
}

/* The machine may be well again. */
static void resume_paused(struct queue *queue)
{
    for (unsigned number = 1; number <= ledger_job_count(queue->ledger); number++) {
        if (ledger_job(queue->ledger, number)->state == JOB_PAUSED &&
            ledger_resume_job(queue->ledger, number) != 0)
            message_say("job %u stays paused: cannot write the ledger: %s", number,
                        journal_error(errno));
    }
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
    queue->slots = xcalloc(queue->setup.slots, sizeof *queue->slots);
    queue->broadcast = broadcast_new();
    queue->on_tick = evtimer_new(setup->base, on_tick, queue);
    queue->on_retry = evtimer_new(setup->base, on_retry, queue);
    queue->on_child_end = evsignal_new(setup->base, SIGCHLD, on_child_end, NULL);
    if (open_folder(queue, problem) != 0 || link_socket(queue, problem) != 0) {
        queue_free(queue);
        return NULL;
    }
    resume_paused(queue);
    queue_sweep_removed(queue);
    queue_sweep_builds(queue);
    queue_clear_unpacked(queue);
    queue_clear_discarded(queue);
    (void)event_add(queue->on_child_end, NULL);
    (void)event_add(queue->on_retry, &at_once);
    return queue;
}

void queue_free(struct queue *queue)
{
    if (queue == NULL)
        return;
    queue_stop_trials(queue);
    queue_stop_pruning(queue);
    queue_stop_unpacking(queue);
    while (queue->running != NULL) {
        struct running_job *first = queue->running;

        queue->running = first->next;
        running_job_free(first);
    }
    child_free(queue->discarding);
    free(queue->slots);
    free(queue->shares);
    event_free(queue->on_tick);
    event_free(queue->on_retry);
    event_free(queue->on_child_end);
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

const char *queue_folder(const struct queue *queue)
{
    return queue->folder;
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
void queue_write_ledger(struct queue *queue)
{
    if (ledger_write(queue->ledger) == 0)
        return;
    message_say("cannot write the ledger: %s", journal_error(errno));
    queue_retry_later(queue);
}

void queue_report_state(struct queue *queue, unsigned number)
{
    struct feed_line event = ledger_describe_state(ledger_job(queue->ledger, number));

    broadcast_send(queue->broadcast, &event);
}

void queue_end_job(struct queue *queue, unsigned number, const struct job_end *end)
{
    ledger_end_job(queue->ledger, number, end);
    queue_write_ledger(queue);
    queue_report_state(queue, number);
}

/* What a process that plays a job leaves behind becomes ours when that one ends, and may itself end
 * later: the kernel sends a signal each time. */
static void on_child_end(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    (void)context;
    (void)reaper_kill_orphans(0);
}

static void on_tick(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    queue_start_jobs(context);
}

static void on_retry(evutil_socket_t fd, short what, void *context)
{
    struct queue *queue = context;

    (void)fd;
    (void)what;
    queue_write_ledger(queue);
    queue_start_trials(queue);
    queue_start_pruning(queue);
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

    if (running->job->is_cancelled)
        return JOB_CANCELLED;
    if (running->refusal[0] == '\0' && running->replays != job_config_replays(running->job))
        return JOB_QUEUED;
    if (strcmp(running->end, "finished") == 0)
        return JOB_DONE;
    if (running->refusal[0] != '\0') {
        snprintf(message, 300, "%s", running->refusal);
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
    struct job_end end = {.state = state,
                          .message = message,
                          .scores = has_scores ? running->scores : NULL,
                          .is_final = state == JOB_FAILED && running->refusal[0] != '\0'};
    struct running_job **link = &queue->running;

    share_count(queue);
    while (*link != running)
        link = &(*link)->next;
    *link = running->next;
    share_leave(queue, running);
    if (state == JOB_QUEUED)
        ledger_set_state(queue->ledger, running->job->number, JOB_QUEUED);
    else
        queue_end_job(queue, running->job->number, &end);
    running_job_free(running);
    queue_sweep_removed(queue);
    queue_start_jobs(queue);
}

void queue_drain(struct queue *queue, bool is_urgent)
{
    struct timeval at_once = {0};

    if (!queue->is_draining)
        broadcast_send(queue->broadcast, &(struct feed_line){.kind = FEED_LINE_ENDING});
    queue->is_draining = true;
    queue_stop_trials(queue);
    queue_stop_pruning(queue);
    for (struct running_job *running = queue->running; running != NULL; running = running->next)
        running_job_stop(running, is_urgent);
    (void)event_add(queue->on_retry, &at_once);
}
