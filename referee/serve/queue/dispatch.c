/* Who plays where. A slot goes to the user who has the fewest slots, among those to the one who has
 * had the least time, and among the jobs of one user in the same way. So users share the slots
 * equally, and nobody has more than half of them while somebody else has none.
 *
 * A job has a slot for a turn, which ends when it has decided a block, or after TURN_US if a block
 * lasts longer; then the slot goes to whoever is next, who may be the same. A slot that a user has
 * too many of, because others have come, is taken at once. The process of a job that has lost a
 * slot plays on there until its match is over or TASK_FINISH_MS have passed, then holds it between
 * two questions: the fair clock makes that harmless for the bots of the next job. Until it says
 * that it is ready there, it takes no other slot instead, because the match that it holds is bound
 * to the core.
 *
 * Held matches keep bots and memory, so there are only so many: a slot of a job on which it plays
 * or holds a match is a *place*. A user starts at most one job more than there are slots, and all
 * users together `jobs_at_once`, the second half of which is for users who have started none. A job
 * gets further places than its first while its user has fewer than two per slot, and all users
 * together fewer than `jobs_at_once`. */

#include "base/clock.h"
#include "base/message.h"
#include "serve/queue/queue_private.h"

#include <event2/event.h>
#include <stdio.h>

#define TURN_US 5000000
#define SHORTEST_TURN_US 50000 /* short blocks are played several in a turn */
#define TICK_S 1
#define PLACES_PER_SLOT 2

/* A job that could use a slot. */
struct candidate {
    const struct job *job;       /* NULL: nobody */
    struct running_job *running; /* NULL: it waits */
    unsigned user_held, job_held;
    int64_t user_used_us, job_used_us;
};

static bool is_remote(const struct queue *queue, const struct job *job, unsigned index)
{
    const struct ledger_bot *bot = ledger_bot(queue->ledger, job->bots[index].place);

    return bot != NULL && bot->command == NULL;
}

static bool has_its_bots(const struct queue *queue, const struct job *job)
{
    for (unsigned i = 0; i < job->bot_count; i++) {
        if (is_remote(queue, job, i) &&
            (queue->setup.is_connected == NULL ||
             !queue->setup.is_connected(queue->setup.context,
                                        ledger_bot(queue->ledger, job->bots[i].place)->name)))
            return false;
    }
    return true;
}

/* How many slots a job can use. A remote bot plays one match at a time. */
static unsigned slots_wanted(const struct queue *queue, const struct job *job)
{
    unsigned long left = job->matches > job->decided ? job->matches - job->decided : 0;

    for (unsigned i = 0; i < job->bot_count; i++) {
        if (is_remote(queue, job, i))
            return 1;
    }
    if (job->is_match || left == 1)
        return 1;
    return left > 0 && left < queue->setup.slots ? (unsigned)left : queue->setup.slots;
}

static bool is_before(const struct candidate *a, const struct candidate *b)
{
    if (a->user_held != b->user_held)
        return a->user_held < b->user_held;
    if (a->job->user != b->job->user && a->user_used_us != b->user_used_us)
        return a->user_used_us < b->user_used_us;
    if (a->job_held != b->job_held)
        return a->job_held < b->job_held;
    if (a->job_used_us != b->job_used_us)
        return a->job_used_us < b->job_used_us;
    return a->job->number < b->job->number;
}

static void consider(struct queue *queue, struct candidate *best, const struct job *job,
                     struct running_job *running)
{
    const struct user_share *share = share_of(queue, job->user);
    struct candidate candidate = {
        .job = job,
        .running = running,
        .user_held = share->held,
        .user_used_us = share->used_us,
        .job_held = running != NULL ? running->held : 0,
        .job_used_us = running != NULL ? running->used_us : 0,
    };

    if (best->job == NULL || is_before(&candidate, best))
        *best = candidate;
}

/* The places of a user; of all, if it is NULL. */
static unsigned count_places(const struct queue *queue, const char *user)
{
    unsigned count = 0;

    for (const struct running_job *running = queue->running; running != NULL;
         running = running->next) {
        for (unsigned i = 0; i < queue->setup.slots; i++)
            count +=
                (user == NULL || running->job->user == user) && running->uses[i] != SLOT_FOREIGN;
    }
    return count;
}

static bool has_room_for_places(const struct queue *queue, const char *user)
{
    return count_places(queue, user) < PLACES_PER_SLOT * queue->setup.slots &&
           count_places(queue, NULL) < (unsigned)queue->setup.settings->jobs_at_once;
}

/* Whether another job of that user may get a process. */
static bool has_room_for_job(struct queue *queue, const char *user)
{
    unsigned most = (unsigned)queue->setup.settings->jobs_at_once;
    unsigned own = share_of(queue, user)->started;
    unsigned all = 0;

    for (const struct running_job *running = queue->running; running != NULL;
         running = running->next)
        all++;
    return own <= queue->setup.slots && all < (own == 0 ? most : most / 2);
}

/* Whether it may be given that slot: as long as it has left others unfinished, only one of
 * these. */
static bool can_use(const struct running_job *running, unsigned slot)
{
    if (running->stops > 0 || running->held >= slots_wanted(running->queue, running->job))
        return false;
    if (running->uses[slot] == SLOT_LEFT)
        return true;
    for (unsigned i = 0; i < running->queue->setup.slots; i++) {
        if (running->uses[i] == SLOT_LEFT)
            return false;
    }
    return running->held == 0 || has_room_for_places(running->queue, running->job->user);
}

/* Who should have that slot. A user starts only so many jobs: each has a process. */
static struct candidate find_next(struct queue *queue, unsigned slot)
{
    unsigned left = ledger_waiting(queue->ledger, NULL);
    struct candidate best = {0};

    for (struct running_job *running = queue->running; running != NULL; running = running->next) {
        if (can_use(running, slot))
            consider(queue, &best, running->job, running);
    }
    for (unsigned number = ledger_job_count(queue->ledger); number > 0 && left > 0; number--) {
        const struct job *job = ledger_job(queue->ledger, number);

        if (job_is_over(job->state))
            continue;
        left--;
        if (job->state == JOB_QUEUED && job->pruning.rule == PRUNING_NONE &&
            has_room_for_job(queue, job->user) && has_its_bots(queue, job))
            consider(queue, &best, job, NULL);
    }
    return best;
}

/* Returns NULL if nothing can be started now, or if the job has failed. */
static struct running_job *start_job(struct queue *queue, const struct job *job, bool *can_start)
{
    struct request_error error;
    struct running_job *running = running_job_start(queue, job, &error);

    if (running == NULL && error.code == REQUEST_ERROR_DISK) {
        message_say("job %u cannot start: %s", job->number, error.message);
        queue_retry_later(queue);
        *can_start = false;
        return NULL;
    }
    if (running == NULL) {
        queue_end_job(queue, job->number,
                      &(struct job_end){.state = JOB_FAILED, .message = error.message});
        return NULL;
    }
    running->next = queue->running;
    queue->running = running;
    share_enter(queue, running);
    ledger_set_state(queue->ledger, job->number, JOB_PLAYING);
    broadcast_send(queue->broadcast,
                   &(struct feed_line){.kind = FEED_LINE_PLAYING, .job = job->number});
    return running;
}

/* Gives a free slot away. Returns false if nothing can be started now. */
static bool fill_slot(struct queue *queue, unsigned slot)
{
    bool can_start = true;

    while (can_start && queue->slots[slot].running == NULL) {
        struct candidate next = find_next(queue, slot);

        if (next.job == NULL)
            break;
        if (next.running == NULL)
            next.running = start_job(queue, next.job, &can_start);
        if (next.running != NULL)
            share_give(queue, slot, next.running);
    }
    return can_start;
}

static bool is_turn_over(const struct queue *queue, const struct slot *slot)
{
    int64_t lasted_us = queue->counted_us - slot->since_us;

    return slot->running->stops == 0 &&
           (lasted_us >= TURN_US || (slot->is_decided && lasted_us >= SHORTEST_TURN_US));
}

/* Ends the turn on a slot, unless its job is the next one too. */
static void end_turn(struct queue *queue, unsigned slot)
{
    struct running_job *running = queue->slots[slot].running;
    struct candidate next;
    bool was_told = running->is_told;

    share_take(queue, slot);
    next = find_next(queue, slot);
    if (next.job != NULL && next.running != running)
        return;
    share_give(queue, slot, running);
    running->is_told = was_told;
}

/* Whether that job has a slot which the candidate, who has fewer, should have. */
static bool has_too_many(struct queue *queue, const struct running_job *running,
                         const struct candidate *next)
{
    const struct user_share *share = share_of(queue, running->job->user);

    if (running->stops > 0 || running == next->running)
        return false;
    return running->job->user == next->job->user ? running->held >= next->job_held + 2
                                                 : share->held >= next->user_held + 2;
}

/* Takes a slot from those who have two more than somebody who waits. */
static bool balance(struct queue *queue)
{
    for (unsigned i = queue->setup.slots; i-- > 0;) {
        struct candidate next = find_next(queue, i);

        if (next.job == NULL || queue->slots[i].running == NULL ||
            !has_too_many(queue, queue->slots[i].running, &next))
            continue;
        share_take(queue, i);
        return fill_slot(queue, i);
    }
    return false;
}

static void share_slots(struct queue *queue)
{
    bool can_start = true;

    for (unsigned i = 0; i < queue->setup.slots && can_start; i++) {
        if (queue->slots[i].running != NULL && is_turn_over(queue, &queue->slots[i]))
            end_turn(queue, i);
        can_start = fill_slot(queue, i);
    }
    while (can_start && balance(queue))
        ;
}

/* One without an end would keep out others of its user, and take time from all. */
static void stop_overdue(struct queue *queue)
{
    long minutes = queue->setup.settings->job_minutes;
    char why[100];

    for (struct running_job *running = queue->running; running != NULL; running = running->next) {
        if (running->job->is_official || running->played_us <= minutes * 60000000)
            continue;
        snprintf(why, sizeof why, "it was played for %ld minutes, and this daemon allows no more",
                 minutes);
        running_job_refuse(running, why);
    }
}

void queue_start_jobs(struct queue *queue)
{
    struct timeval tick = {.tv_sec = TICK_S};

    share_count(queue);
    if (queue->is_draining) {
        if (queue->running == NULL && !queue->was_idle && queue->setup.on_idle != NULL) {
            queue->was_idle = true;
            queue->setup.on_idle(queue->setup.context);
        }
        return;
    }
    stop_overdue(queue);
    share_slots(queue);
    for (struct running_job *running = queue->running; running != NULL; running = running->next)
        running_job_tell(running);
    if (queue->running != NULL)
        (void)event_add(queue->on_tick, &tick);
}
