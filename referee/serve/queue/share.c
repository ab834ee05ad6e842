/* The books about the slots: which job has which, and how much of them each user and each job has
 * had. Time is counted by slot, so two slots for a second count as much as one for two.
 *
 * A user or job that comes later starts with what those who are there have had: nobody saves up
 * time by staying away, and nobody has to make up for it. */

#include "base/clock.h"
#include "base/memory.h"
#include "serve/queue/queue_private.h"

struct user_share *share_of(struct queue *queue, const char *user)
{
    for (unsigned i = 0; i < queue->share_count; i++) {
        if (queue->shares[i].user == user)
            return &queue->shares[i];
    }
    queue->shares = xrealloc(queue->shares, (queue->share_count + 1) * sizeof *queue->shares);
    queue->shares[queue->share_count] = (struct user_share){.user = user};
    return &queue->shares[queue->share_count++];
}

void share_count(struct queue *queue)
{
    int64_t now_us = clock_now_us();
    int64_t passed_us = now_us - queue->counted_us;

    queue->counted_us = now_us;
    for (unsigned i = 0; i < queue->share_count; i++)
        queue->shares[i].held = queue->shares[i].started = 0;
    for (struct running_job *running = queue->running; running != NULL; running = running->next) {
        struct user_share *share = share_of(queue, running->job->user);

        share->held += running->held;
        share->started++;
        share->used_us += running->held * passed_us;
        running->used_us += running->held * passed_us;
        ledger_add_slot_time(queue->ledger, running->job->number, running->held * passed_us);
        running->played_us += running->held > 0 ? passed_us : 0;
    }
}

void share_give(struct queue *queue, unsigned slot, struct running_job *running)
{
    queue->slots[slot] = (struct slot){.running = running, .since_us = queue->counted_us};
    running->uses[slot] = SLOT_HELD;
    running->held++;
    running->is_told = false;
    share_of(queue, running->job->user)->held++;
}

void share_take(struct queue *queue, unsigned slot)
{
    struct running_job *running = queue->slots[slot].running;

    queue->slots[slot].running = NULL;
    running->uses[slot] = SLOT_LEFT;
    running->held--;
    running->is_told = false;
    share_of(queue, running->job->user)->held--;
}

/* The least that others have had, or `otherwise`: of the users, or of the jobs of one user. */
static int64_t least_used(struct queue *queue, const struct running_job *except, const char *user,
                          int64_t otherwise)
{
    int64_t least = otherwise;
    bool is_first = true;

    for (const struct running_job *other = queue->running; other != NULL; other = other->next) {
        int64_t used_us =
            user != NULL ? other->used_us : share_of(queue, other->job->user)->used_us;

        if (other == except ||
            (user != NULL ? other->job->user != user : other->job->user == except->job->user))
            continue;
        if (is_first || used_us < least)
            least = used_us;
        is_first = false;
    }
    return least;
}

void share_enter(struct queue *queue, struct running_job *running)
{
    struct user_share *share = share_of(queue, running->job->user);
    int64_t least_us = least_used(queue, running, NULL, share->used_us);

    running->used_us = least_used(queue, running, share->user, 0);
    if (share->started++ == 0 && least_us > share->used_us)
        share->used_us = least_us;
}

void share_leave(struct queue *queue, const struct running_job *running)
{
    for (unsigned i = 0; i < queue->setup.slots; i++) {
        if (queue->slots[i].running == running)
            queue->slots[i].running = NULL;
    }
}
