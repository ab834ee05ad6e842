/* Deleting logs of jobs that are over. The ledger says so first; then a process does it, one at a
 * time, and says what it has deleted and what is left:
 *
 *   pruned LOGS BYTES
 *
 * If it dies, or the daemon does, it is started again: what is gone by then is not counted twice,
 * because the bytes are those of what is left. A job that is resumed meanwhile waits for it. */

#include "base/memory.h"
#include "base/message.h"
#include "serve/queue/queue_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define DEATHS_MAX 3

struct pruner {
    struct queue *queue;
    unsigned number; /* of the job */
    struct child *child;
    unsigned deaths;
    unsigned long logs;
    int64_t bytes; /* that are left; -1 before it has said so */
};

struct pruning_wait {
    struct queue *queue;
    unsigned number;
    struct queue_pruned then;
    struct pruning_wait *next;
    bool is_over;
};

/* What came of it. */
struct pruned {
    unsigned long logs;
    int64_t freed;
    const struct request_error *error; /* or NULL */
};

/* Those who wait. */

static struct pruning_wait *add_wait(struct queue *queue, unsigned number,
                                     const struct queue_pruned *then)
{
    struct pruning_wait *wait = xcalloc(1, sizeof *wait);

    *wait = (struct pruning_wait){queue, number, *then, queue->pruning_waits, false};
    queue->pruning_waits = wait;
    return wait;
}

void pruning_wait_free(struct pruning_wait *wait)
{
    struct pruning_wait **link;

    if (wait == NULL)
        return;
    link = &wait->queue->pruning_waits;
    while (*link != wait)
        link = &(*link)->next;
    *link = wait->next;
    free(wait);
}

/* Takes one whose turn it is out of the list. */
static struct pruning_wait *take_over(struct queue *queue)
{
    struct pruning_wait **link = &queue->pruning_waits;
    struct pruning_wait *wait;

    while (*link != NULL && !(*link)->is_over)
        link = &(*link)->next;
    wait = *link;
    if (wait != NULL)
        *link = wait->next;
    return wait;
}

static void end_wait(struct pruning_wait *wait, const struct pruned *pruned)
{
    struct queue_pruned then = wait->then;

    free(wait);
    then.on_pruned(then.context, pruned->logs, pruned->freed, pruned->error);
}

/* Tells those who wait for one job, or for all (0). A callback may ask for the same once more, or
 * end other waits: so it is settled first whose turn it is, and the list is searched from its start
 * each time. */
static void end_waits(struct queue *queue, unsigned number, const struct pruned *pruned)
{
    struct pruning_wait *wait;

    for (wait = queue->pruning_waits; wait != NULL; wait = wait->next)
        wait->is_over = wait->is_over || number == 0 || wait->number == number;
    while ((wait = take_over(queue)) != NULL)
        end_wait(wait, pruned);
}

/* The process. */

static void free_pruner(struct pruner *pruner)
{
    if (pruner == NULL)
        return;
    child_free(pruner->child);
    pruner->queue->pruner = NULL;
    free(pruner);
}

static void on_line(void *context, const char *line)
{
    struct pruner *pruner = context;
    struct span rest = span_of(line);
    struct span word = span_cut(&rest, ' ');
    struct span count = span_cut(&rest, ' ');
    long logs, bytes;

    if (!span_is(word, "pruned") || rest.start == NULL ||
        span_read_number(count, 0, LONG_MAX, &logs) != 0 ||
        span_read_number(rest, 0, LONG_MAX, &bytes) != 0)
        return;
    pruner->logs = (unsigned long)logs;
    pruner->bytes = bytes;
}

/* Why nothing was deleted, or not all; NULL if it went as it should. */
static const struct request_error *find_error(const struct pruner *pruner, int status,
                                              int64_t freed, struct request_error *error)
{
    if (status != 0 || pruner->bytes < 0) {
        message_say("logs of job %u could not be deleted: see jobs/%u/pruning", pruner->number,
                    pruner->number);
        (void)request_error_set(error, REQUEST_ERROR_DISK,
                                "not all logs of job %u could be deleted", pruner->number);
        return error;
    }
    if (pruner->logs > 0 || freed > 0)
        return NULL;
    (void)request_error_set(error, REQUEST_ERROR_NO_LOG,
                            "there is nothing to prune: job %u has no such logs", pruner->number);
    return error;
}

/* Writes down what is left, and says how it went. */
static void settle(struct pruner *pruner, int status)
{
    struct queue *queue = pruner->queue;
    const struct job *job = ledger_job(queue->ledger, pruner->number);
    int64_t before = job->bytes;
    struct request_error error;
    struct pruned pruned;

    ledger_end_pruning(queue->ledger, job->number,
                       pruner->bytes >= 0 ? pruner->bytes : before - job->config_bytes);
    queue_write_ledger(queue);
    pruned.logs = pruner->logs;
    pruned.freed = before > job->bytes ? before - job->bytes : 0;
    pruned.error = find_error(pruner, status, pruned.freed, &error);
    end_waits(queue, job->number, &pruned);
}

static int start_child(struct pruner *pruner);

static void on_end(void *context, int status)
{
    struct pruner *pruner = context;
    struct queue *queue = pruner->queue;
    bool is_killed = WIFSIGNALED(status) && ++pruner->deaths < DEATHS_MAX;

    child_free(pruner->child);
    pruner->child = NULL;
    if (is_killed && start_child(pruner) == 0)
        return;
    settle(pruner, status);
    free_pruner(pruner);
    queue_start_pruning(queue);
    queue_wake(queue);
}

static int start_child(struct pruner *pruner)
{
    struct queue *queue = pruner->queue;
    const struct job_pruning *pruning = &ledger_job(queue->ledger, pruner->number)->pruning;
    char *store = queue_job_path(queue, pruner->number, "store");
    char *messages = queue_job_path(queue, pruner->number, "pruning");
    char rule[24];
    const char *argv[] = {
        queue->setup.program, "standings", "--prune", rule, "--feed", store, NULL};
    struct child_setup setup = {.argv = argv,
                                .stderr_path = messages,
                                .on_line = on_line,
                                .on_end = on_end,
                                .context = pruner};

    snprintf(rule, sizeof rule, "%s=%u", pruning->rule == PRUNING_DAYS ? "days" : "best",
             pruning->number);
    pruner->bytes = -1;
    pruner->child = child_start(queue->setup.base, &setup);
    free(messages);
    free(store);
    return pruner->child != NULL ? 0 : -1;
}

void queue_start_pruning(struct queue *queue)
{
    unsigned next =
        queue->pruner == NULL && !queue->is_draining ? ledger_next_pruning(queue->ledger) : 0;

    if (next == 0)
        return;
    queue->pruner = xcalloc(1, sizeof *queue->pruner);
    *queue->pruner = (struct pruner){.queue = queue, .number = next};
    if (start_child(queue->pruner) == 0)
        return;
    message_say("no process could be started for the logs of job %u: %s", next, strerror(errno));
    free_pruner(queue->pruner);
    queue_retry_later(queue);
}

void queue_stop_pruning(struct queue *queue)
{
    struct request_error error;

    free_pruner(queue->pruner);
    (void)request_error_set(&error, REQUEST_ERROR_ENDING,
                            "the daemon is about to end: the logs are deleted when it is started "
                            "again");
    end_waits(queue, 0, &(struct pruned){.error = &error});
}

/* What is asked for. */

/* The folder of the store: nothing is deleted through a link. */
static bool has_store(const struct queue *queue, unsigned number)
{
    char *path = queue_job_path(queue, number, "store");
    struct stat status;
    bool is_folder = lstat(path, &status) == 0 && S_ISDIR(status.st_mode);

    free(path);
    return is_folder;
}

static int check(const struct queue *queue, const struct job *job,
                 const struct job_pruning *pruning, struct request_error *error)
{
    if (!job_is_over(job->state))
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "job %u is not over: it is %s, and only logs of a job that is "
                                 "over are deleted",
                                 job->number, job_state_name(job->state));
    if (job->is_match && strncmp(job->user, LEDGER_LADDER, strlen(LEDGER_LADDER)) == 0)
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "job %u is a table of a ladder, which deletes its old logs itself",
                                 job->number);
    if (job->pruning.rule != PRUNING_NONE &&
        (job->pruning.rule != pruning->rule || job->pruning.number != pruning->number))
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "logs of job %u are being deleted by another rule", job->number);
    if (!has_store(queue, job->number))
        return request_error_set(error, REQUEST_ERROR_NO_LOG,
                                 "there is nothing to prune: job %u has no logs", job->number);
    return 0;
}

/* A client that did not get the reply may ask again. */
struct pruning_wait *queue_prune(struct queue *queue, const struct caller *caller, unsigned number,
                                 const struct job_pruning *pruning, const struct queue_pruned *then,
                                 struct request_error *error)
{
    const struct job *job = queue_find_job(queue, caller, number, error);
    struct pruning_wait *wait;

    if (job == NULL || queue_error_if_ending(queue, error) != 0 ||
        check(queue, job, pruning, error) != 0)
        return NULL;
    if (job->pruning.rule == PRUNING_NONE &&
        ledger_begin_pruning(queue->ledger, number, pruning, caller->user) != 0) {
        (void)queue_error_disk(error, "the ledger");
        return NULL;
    }
    wait = add_wait(queue, number, then);
    queue_start_pruning(queue);
    return wait;
}
