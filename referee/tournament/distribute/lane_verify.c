/* A result is opened when it comes, and its matches are verified one per turn of the loop: to play
 * a log again takes milliseconds, and a block may have many. */

#include "tournament/distribute/block_lane_private.h"

#include "base/clock.h"
#include "base/memory.h"
#include "tournament/distribute/block_intake.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_job(const struct lane_job *job, const struct block_result_head *head)
{
    return strcmp(head->store, job->task.store) == 0 && head->block == job->task.tasks[0].block &&
           strcmp(head->task, job->task.hash) == 0;
}

static void take_opened(struct block_lane *lane, struct lane_job *job, struct span bytes)
{
    struct timeval at_once = {0};
    char message[200];
    struct text problem;
    const struct lane_worker *worker;

    text_start(&problem, message, sizeof message);
    job->result = xcalloc(1, sizeof *job->result);
    if (block_result_read(job->result, bytes, &problem) != 0 ||
        !is_of_job(job, &job->result->head)) {
        lane_end_job(lane, job, TASK_VOID, 1, "a worker has answered with something else");
        return;
    }
    snprintf(job->worker, sizeof job->worker, "%s", job->result->head.worker);
    worker = lane_find_worker(lane, job->worker);
    if (worker != NULL && worker->is_shut_out) {
        lane_end_job(lane, job, TASK_VOID, 1,
                     "a worker that is shut out has taken it and does not stop");
        return;
    }
    job->state = LANE_ANSWERED;
    job->answer_us = clock_now_us();
    event_add(lane->on_verify, &at_once);
}

void lane_take_result(struct block_lane *lane, struct lane_job *job, struct span sealed)
{
    size_t length = 0;

    job->bytes = seal_open(lane->setup.key, SEAL_RESULT, sealed, &length);
    if (job->bytes != NULL)
        take_opened(lane, job, (struct span){job->bytes, length});
    else
        lane_end_job(lane, job, TASK_VOID, 1,
                     "an answer was not sealed with our key: somebody else takes jobs of this "
                     "server");
}

static struct task *find_task(struct lane_job *job, unsigned rotation)
{
    for (unsigned i = 0; i < job->task.count; i++) {
        if (job->task.tasks[i].rotation == rotation)
            return &job->task.tasks[i];
    }
    return NULL;
}

/* The match has its report: it is not the job's any more. */
static void report(struct block_lane *lane, struct lane_job *job, const struct task *task,
                   struct task_report *report)
{
    unsigned index = (unsigned)(task - job->task.tasks);

    report->task = *task;
    job->task.tasks[index] = job->task.tasks[--job->task.count];
    lane->observer.on_report(lane->observer.context, report);
}

static void refuse_match(struct block_lane *lane, struct lane_job *job, const struct task *task,
                         const char *why)
{
    struct task_report refused = {.end = TASK_VOID};

    lane_say(lane, "worker %s is shut out: its match %u.%u does not count, because %s", job->worker,
             task->block, task->rotation + 1U, why);
    lane_shut_out(lane, job->worker);
    lane_failures_note(lane->failures, task->block, job->worker);
    lane_failures_explain(lane->failures, why, &refused, task->block);
    report(lane, job, task, &refused);
}

/* The worker has not played the match. */
static void take_excuse(struct block_lane *lane, const struct lane_job *job,
                        const struct block_result_match *match, struct task_report *taken)
{
    unsigned block = job->result->head.block;
    const char *why = match->why;

    taken->end = match->end;
    if (taken->end == TASK_RETURNED && lane_failures_may_return(lane->failures, block))
        return;
    if (taken->end == TASK_RETURNED)
        why = "it was given back too often";
    taken->end = TASK_VOID;
    lane_failures_note(lane->failures, block, job->worker);
    lane_failures_explain(lane->failures, why, taken, block);
}

static void verify_match(struct block_lane *lane, struct lane_job *job,
                         const struct block_result_match *match)
{
    struct task *task = find_task(job, match->rotation);
    struct task_report *taken = xcalloc(1, sizeof *taken);
    enum block_intake intake = BLOCK_INTAKE_FALSE;
    char message[400];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (task == NULL) {
        free(taken);
        return;
    }
    if (match->end == TASK_PLAYED) {
        intake = block_intake_match(&lane->setup.tasks, task, match, taken, &problem);
        if (intake == BLOCK_INTAKE_FAILED) {
            taken->end = TASK_VOID;
            taken->error = errno;
            snprintf(taken->why, sizeof taken->why, "its log cannot be written");
        }
    } else {
        take_excuse(lane, job, match, taken);
    }
    if (match->end == TASK_PLAYED && intake == BLOCK_INTAKE_FALSE)
        refuse_match(lane, job, task, message);
    else
        report(lane, job, task, taken);
    free(taken);
}

void lane_verify_next(struct block_lane *lane)
{
    struct timeval at_once = {0};
    struct lane_job *job = lane->jobs;

    while (job != NULL && job->state != LANE_ANSWERED)
        job = job->next;
    if (job == NULL)
        return;
    event_add(lane->on_verify, &at_once);
    if (job->next_match < job->result->match_count)
        verify_match(lane, job, &job->result->matches[job->next_match++]);
    else
        lane_end_job(lane, job, TASK_VOID, 1, "an answer leaves it out");
}
