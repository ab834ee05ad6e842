/* Disqualifying, reinstating and removing bots. As with jobs, a change is on the disk before it is
 * done. Then the bot leaves the jobs that are not over: its matches are cancelled, and tournaments
 * go on without it. */

#include "base/message.h"
#include "serve/queue/queue_private.h"

#include <string.h>

/* The newest version of a bot that is not removed; else NULL with an error. */
static const struct ledger_bot *find_bot(const struct queue *queue, const char *name,
                                         struct request_error *error)
{
    int place = ledger_find_bot(queue->ledger, name);
    const struct ledger_bot *bot = place >= 0 ? ledger_bot(queue->ledger, (unsigned)place) : NULL;

    if (bot != NULL && strcmp(bot->name, name) == 0 && !bot->is_removed)
        return bot;
    (void)request_error_set(error, REQUEST_ERROR_NO_BOT, "there is no bot %.40s", name);
    return NULL;
}

static bool has_bot(const struct queue *queue, const struct job *job, const char *name)
{
    for (unsigned i = 0; i < job->bot_count; i++) {
        const struct ledger_bot *bot = ledger_bot(queue->ledger, job->bots[i].place);

        if (bot != NULL && strcmp(bot->name, name) == 0)
            return true;
    }
    return false;
}

/* What cannot be written now is not lost: a job that is started leaves out bots that are out. */
static void leave_job(struct queue *queue, const struct job *job)
{
    struct caller owner = {.user = job->user, .is_owner = true};
    struct request_error error;

    if (job->is_match && queue_cancel(queue, &owner, job->number, &error) != 0)
        message_say("job %u cannot be cancelled: %s", job->number, error.message);
    if (!job->is_match)
        queue_restart_job(queue, job);
}

static void leave_jobs(struct queue *queue, const char *name)
{
    for (unsigned number = 1; number <= ledger_job_count(queue->ledger); number++) {
        const struct job *job = ledger_job(queue->ledger, number);

        if (!job_is_over(job->state) && has_bot(queue, job, name))
            leave_job(queue, job);
    }
}

static void report_mark(struct queue *queue, const char *name, const char *state, const char *why)
{
    broadcast_send(queue->broadcast, &(struct feed_line){.kind = FEED_LINE_MARKED,
                                                         .name = span_of(name),
                                                         .state = span_of(state),
                                                         .text = span_of(why)});
    queue_wake(queue);
}

static int refuse_others(const struct caller *caller, const char *what, struct request_error *error)
{
    if (caller_is_organiser(caller))
        return 0;
    return request_error_set(error, REQUEST_ERROR_FORBIDDEN, "only organisers %s", what);
}

int queue_disqualify(struct queue *queue, const struct caller *caller, const char *name,
                     const char *why, struct request_error *error)
{
    const struct ledger_bot *bot;

    if (refuse_others(caller, "disqualify bots", error) != 0 ||
        (bot = find_bot(queue, name, error)) == NULL)
        return -1;
    if (bot->is_disqualified && strcmp(bot->why, why) == 0)
        return 0;
    if (ledger_disqualify_bot(queue->ledger, name, caller->user, why) != 0)
        return queue_error_disk(error, "the ledger");
    leave_jobs(queue, name);
    report_mark(queue, name, "disqualified", why);
    return 0;
}

int queue_reinstate(struct queue *queue, const struct caller *caller, const char *name,
                    struct request_error *error)
{
    const struct ledger_bot *bot;

    if (refuse_others(caller, "reinstate bots", error) != 0 ||
        (bot = find_bot(queue, name, error)) == NULL)
        return -1;
    if (!bot->is_disqualified)
        return 0;
    if (ledger_reinstate_bot(queue->ledger, name, caller->user) != 0)
        return queue_error_disk(error, "the ledger");
    report_mark(queue, name, "reinstated", "");
    return 0;
}

/* A bot that is disqualified cannot be taken out of sight by its author. */
int queue_remove_bot(struct queue *queue, const struct caller *caller, const char *name,
                     struct request_error *error)
{
    const struct ledger_bot *bot = find_bot(queue, name, error);

    if (bot == NULL)
        return -1;
    if (strcmp(bot->user, caller->user) != 0 || bot->is_disqualified) {
        if (refuse_others(caller,
                          bot->is_disqualified ? "remove a disqualified bot"
                                               : "remove bots of others",
                          error) != 0)
            return -1;
    }
    if (ledger_remove_bot(queue->ledger, name, caller->user) != 0)
        return queue_error_disk(error, "the ledger");
    leave_jobs(queue, name);
    queue_stop_removed_trials(queue);
    report_mark(queue, name, "removed", "");
    queue_sweep_removed(queue);
    return 0;
}
