/* Which job is next. At most one tournament is played at a time, on all slots, because it is long
 * and keeps all of them busy. Matches are played beside it, on half as many slots, so that nobody
 * waits a night for a match; without a tournament they have all slots. The fair clock makes that
 * harmless for bots. The next user is the one whose last turn is longest ago; among the jobs of one
 * user the first is next. */

#include "base/cpu.h"
#include "base/memory.h"
#include "base/message.h"
#include "serve/queue/queue_private.h"

#include <string.h>

static struct user_turn *turn_of(struct queue *queue, const char *user)
{
    for (unsigned i = 0; i < queue->turn_count; i++) {
        if (strcmp(queue->turns[i].user, user) == 0)
            return &queue->turns[i];
    }
    queue->turns = xrealloc(queue->turns, (queue->turn_count + 1) * sizeof *queue->turns);
    queue->turns[queue->turn_count] = (struct user_turn){.user = xstrdup(user)};
    return &queue->turns[queue->turn_count++];
}

static bool has_its_bots(const struct queue *queue, const struct job *job)
{
    for (unsigned i = 0; i < job->bot_count; i++) {
        const struct ledger_bot *bot = ledger_bot(queue->ledger, job->bots[i].place);

        if (bot != NULL && bot->command == NULL &&
            (queue->setup.is_connected == NULL ||
             !queue->setup.is_connected(queue->setup.context, bot->name)))
            return false;
    }
    return true;
}

/* The next match or tournament, or NULL. */
static const struct job *next_job(struct queue *queue, bool is_match)
{
    unsigned left = ledger_waiting(queue->ledger, NULL);
    const struct job *best = NULL;
    unsigned long best_served = 0;

    for (unsigned number = ledger_job_count(queue->ledger); number > 0 && left > 0; number--) {
        const struct job *job = ledger_job(queue->ledger, number);
        unsigned long served;

        if (job_is_over(job->state))
            continue;
        left--;
        if (job->state != JOB_QUEUED || job->is_match != is_match || !has_its_bots(queue, job))
            continue;
        served = turn_of(queue, job->user)->served;
        if (best == NULL || served <= best_served) {
            best = job;
            best_served = served;
        }
    }
    return best;
}

static unsigned count_running(const struct queue *queue, bool is_match)
{
    unsigned count = 0;

    for (const struct running_job *running = queue->running; running != NULL;
         running = running->next) {
        if (running->job->is_match == is_match)
            count++;
    }
    return count;
}

static bool is_cpu_taken(const struct queue *queue, int cpu)
{
    const struct running_job *running = queue->running;

    while (running != NULL && running->cpu != cpu)
        running = running->next;
    return running != NULL;
}

/* A core that no match is pinned to; -1 if there is none. */
static int free_cpu(const struct queue *queue)
{
    int cpus[CPU_MAX];
    unsigned count = cpu_list(cpus);

    while (count > 0 && is_cpu_taken(queue, cpus[count - 1]))
        count--;
    return count > 0 ? cpus[count - 1] : -1;
}

/* Returns false if nothing can be started now. */
static bool start_job(struct queue *queue, const struct job *job)
{
    struct request_error error;
    struct running_job *running =
        running_job_start(queue, job, job->is_match ? 1 : queue->setup.slots,
                          job->is_match ? free_cpu(queue) : -1, &error);

    if (running == NULL && error.code == REQUEST_ERROR_DISK) {
        message_say("job %u cannot start: %s", job->number, error.message);
        queue_retry_later(queue);
        return false;
    }
    turn_of(queue, job->user)->served = ++queue->served;
    if (running == NULL) {
        queue_end_job(queue, job->number,
                      &(struct job_end){.state = JOB_FAILED, .message = error.message});
        return true;
    }
    running->next = queue->running;
    queue->running = running;
    ledger_set_state(queue->ledger, job->number, JOB_PLAYING);
    broadcast_send(queue->broadcast,
                   &(struct feed_line){.kind = FEED_LINE_PLAYING, .job = job->number});
    return true;
}

static bool start_next(struct queue *queue, bool is_match, unsigned most)
{
    const struct job *job =
        count_running(queue, is_match) < most ? next_job(queue, is_match) : NULL;

    return job != NULL && start_job(queue, job);
}

void queue_start_jobs(struct queue *queue)
{
    unsigned slots = queue->setup.slots;

    if (queue->is_draining) {
        if (queue->running == NULL && !queue->was_idle && queue->setup.on_idle != NULL) {
            queue->was_idle = true;
            queue->setup.on_idle(queue->setup.context);
        }
        return;
    }
    while (start_next(queue, false, 1))
        ;
    if (count_running(queue, false) > 0)
        slots = slots > 1 ? slots / 2 : 1;
    while (start_next(queue, true, slots))
        ;
}
