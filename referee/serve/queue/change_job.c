/* Cancelling and resuming. Both are on the disk before they are done, and what cannot be written is
 * not done: whoever got `ok` can rely on it, however the daemon ends. */

#include "serve/queue/queue_private.h"

#include <string.h>

/* The job, if the caller may change it; else NULL with an error. */
static const struct job *find_job(const struct queue *queue, const struct caller *caller,
                                  unsigned number, struct request_error *error)
{
    const struct job *job = ledger_job(queue->ledger, number);

    if (job == NULL)
        (void)request_error_set(error, REQUEST_ERROR_NO_JOB, "there is no job %u", number);
    else if (!caller->is_owner && strcmp(job->user, caller->user) != 0)
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

int queue_cancel(struct queue *queue, const struct caller *caller, unsigned number,
                 struct request_error *error)
{
    const struct job *job = find_job(queue, caller, number, error);
    struct running_job *running = queue->running;

    if (job == NULL)
        return -1;
    if (job_is_over(job->state))
        return refuse_over(job, error);
    if (job->is_cancelled)
        return 0;
    if (ledger_cancel_job(queue->ledger, number) != 0)
        return queue_error_disk(error, "the ledger");
    while (running != NULL && running->job != job)
        running = running->next;
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
    const struct job *job = find_job(queue, caller, number, error);

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
