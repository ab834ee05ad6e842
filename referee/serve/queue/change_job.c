/* Cancelling, resuming and replaying. All are on the disk before they are done, and what cannot be
 * written is not done: whoever got `ok` can rely on it, however the daemon ends. */

#include "serve/queue/queue_private.h"

#include <string.h>

const struct job *queue_find_job(const struct queue *queue, const struct caller *caller,
                                 unsigned number, struct request_error *error)
{
    const struct job *job = ledger_job(queue->ledger, number);

    if (job == NULL)
        (void)request_error_set(error, REQUEST_ERROR_NO_JOB, "there is no job %u", number);
    else if (!caller_is_organiser(caller) && strcmp(job->user, caller->user) != 0)
        (void)request_error_set(error, REQUEST_ERROR_FORBIDDEN, "job %u belongs to %s", number,
                                job->user);
    else
        return job;
    return NULL;
}

static int refuse_over(const struct job *job, struct request_error *error)
{
    enum job_state state = job->is_cancelled ? JOB_CANCELLED : job->state;

    return request_error_set(error, REQUEST_ERROR_TOO_LATE, "job %u is over: %s", job->number,
                             job_state_name(state));
}

static struct running_job *find_running(const struct queue *queue, const struct job *job)
{
    struct running_job *running = queue->running;

    while (running != NULL && running->job != job)
        running = running->next;
    return running;
}

void queue_restart_job(struct queue *queue, const struct job *job)
{
    struct running_job *running = find_running(queue, job);

    if (running != NULL && running->stops == 0)
        running_job_stop(running, false);
}

int queue_cancel(struct queue *queue, const struct caller *caller, unsigned number,
                 struct request_error *error)
{
    const struct job *job = queue_find_job(queue, caller, number, error);
    struct running_job *running;

    if (job == NULL)
        return -1;
    if (job_is_over(job->state))
        return refuse_over(job, error);
    if (job->is_cancelled)
        return 0;
    if (ledger_cancel_job(queue->ledger, number) != 0)
        return queue_error_disk(error, "the ledger");
    running = find_running(queue, job);
    if (running != NULL)
        running_job_stop(running, true);
    else
        queue_report_state(queue, number);
    return 0;
}

/* A client that did not get the reply may ask again. */
int queue_resume(struct queue *queue, const struct caller *caller, unsigned number,
                 struct request_error *error)
{
    const struct job *job = queue_find_job(queue, caller, number, error);

    if (job == NULL || queue_error_if_ending(queue, error) != 0)
        return -1;
    if (!job_is_over(job->state) && !job->is_cancelled)
        return 0;
    if (!job_can_resume(job))
        return refuse_over(job, error);
    if (queue_check_room(queue, caller, error) != 0)
        return -1;
    if (ledger_resume_job(queue->ledger, number) != 0)
        return queue_error_disk(error, "the ledger");
    queue_report_state(queue, number);
    queue_wake(queue);
    return 0;
}

/* Replaying. */

/* Which bot of a job has that name; -1 with an error. */
static int find_player(const struct queue *queue, const struct job *job, const char *name,
                       struct request_error *error)
{
    for (unsigned i = 0; i < job->bot_count; i++) {
        if (strcmp(ledger_player(queue->ledger, job, i), name) == 0)
            return (int)i;
    }
    return request_error_set(error, REQUEST_ERROR_NO_BOT, "there is no bot %.40s in job %u", name,
                             job->number);
}

/* The newest version of the bot that plays there, and can be started. */
static unsigned find_newest(const struct queue *queue, const struct job *job, unsigned player)
{
    const struct ledger_bot *bot = ledger_bot(queue->ledger, job->bots[player].place);

    return bot != NULL ? (unsigned)ledger_choose_bot(queue->ledger, bot->name) : LEDGER_NO_BOT;
}

static unsigned count_replayed(const struct job *job)
{
    unsigned count = 0;

    for (unsigned i = 0; i < job->bot_count; i++)
        count += job->bots[i].replays > 0;
    return count;
}

/* A ladder takes the results of its tables when they are over, and only then. */
static int check_replay(const struct queue *queue, const struct job *job, unsigned player,
                        struct request_error *error)
{
    const char *name = ledger_player(queue->ledger, job, player);
    unsigned place = find_newest(queue, job, player);
    const struct ledger_bot *bot = ledger_bot(queue->ledger, place);

    if (job->is_cancelled || (job_is_over(job->state) && job->is_final))
        return refuse_over(job, error);
    if (job->is_match && strncmp(job->user, LEDGER_LADDER, strlen(LEDGER_LADDER)) == 0)
        return request_error_set(error, REQUEST_ERROR_VALUE,
                                 "job %u is a table of a ladder, where each new version starts "
                                 "without a past",
                                 job->number);
    if (job->bots[player].replays == 0 && count_replayed(job) >= QUEUE_REPLAYED_MAX)
        return request_error_set(error, REQUEST_ERROR_TOO_MANY,
                                 "%d bots of job %u were replayed, the maximum: rerun it instead",
                                 QUEUE_REPLAYED_MAX, job->number);
    if (bot != NULL && (bot->is_disqualified || bot->is_removed))
        return request_error_set(error, REQUEST_ERROR_NO_BOT, "bot %s %s", name,
                                 bot->is_removed ? "was removed" : "is disqualified");
    return 0;
}

int queue_replay(struct queue *queue, const struct caller *caller, unsigned number,
                 const char *name, struct request_error *error)
{
    const struct job *job = queue_find_job(queue, caller, number, error);
    int player = job != NULL ? find_player(queue, job, name, error) : -1;
    unsigned place;
    bool was_over;

    if (player < 0 || queue_error_if_ending(queue, error) != 0 ||
        check_replay(queue, job, (unsigned)player, error) != 0)
        return -1;
    was_over = job_is_over(job->state);
    if (was_over && queue_check_room(queue, caller, error) != 0)
        return -1;
    place = find_newest(queue, job, (unsigned)player);
    if (ledger_replay_job(queue->ledger, number, (unsigned)player, place, caller->user) != 0)
        return queue_error_disk(error, "the ledger");
    if (was_over)
        queue_report_state(queue, number);
    else
        queue_restart_job(queue, job);
    queue_wake(queue);
    return 0;
}
