/* Those who wait for the trial of a version: until it is over, or as long as a reply may take. */

#include "base/memory.h"
#include "serve/queue/queue_private.h"

#include <event2/event.h>
#include <stdlib.h>

struct trial_wait {
    struct queue *queue;
    unsigned place;
    queue_tried_fn *on_tried;
    void *context;
    struct event *on_late;
    struct trial_wait *next;
};

void trial_wait_free(struct trial_wait *wait)
{
    struct trial_wait **link;

    if (wait == NULL)
        return;
    link = &wait->queue->waits;
    while (*link != wait)
        link = &(*link)->next;
    *link = wait->next;
    event_free(wait->on_late);
    free(wait);
}

static void end_wait(struct trial_wait *wait)
{
    queue_tried_fn *on_tried = wait->on_tried;
    void *context = wait->context;

    trial_wait_free(wait);
    on_tried(context);
}

static void on_late(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    end_wait(context);
}

/* A callback may end other waits, so each time the list is searched from its start. */
void queue_end_waits(struct queue *queue, unsigned place, bool is_for_all)
{
    struct trial_wait *wait = queue->waits;

    while (wait != NULL) {
        if (is_for_all || wait->place == place) {
            end_wait(wait);
            wait = queue->waits;
        } else {
            wait = wait->next;
        }
    }
}

struct trial_wait *queue_await_trial(struct queue *queue, unsigned place, queue_tried_fn *on_tried,
                                     void *context)
{
    long ms = queue->setup.settings->submit_ms;
    struct timeval time = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    struct trial_wait *wait;

    if (!queue->setup.tries_bots || trial_is_over(ledger_bot(queue->ledger, place)))
        return NULL;
    wait = xcalloc(1, sizeof *wait);
    *wait = (struct trial_wait){queue, place, on_tried, context, NULL, queue->waits};
    wait->on_late = evtimer_new(queue->setup.base, on_late, wait);
    (void)event_add(wait->on_late, &time);
    queue->waits = wait;
    return wait;
}
