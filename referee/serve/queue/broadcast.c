/* A list of watchers. A watcher that leaves while an event is being sent is only marked, and
 * removed from the list when the event has been sent to all. */

#include "serve/queue/broadcast.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

#define EVENT_BYTES (FEED_LINE_MAX + 24)

struct broadcast_watcher {
    struct broadcast *broadcast;
    unsigned job;
    broadcast_fn *send; /* NULL: it has left */
    void *context;
    bool is_ours; /* a part of the daemon */
    struct broadcast_watcher *next;
};

struct broadcast {
    struct broadcast_watcher *first;
    struct broadcast_watcher **end;
    unsigned count;
    unsigned sending; /* calls of broadcast_send() under way */
    bool has_left;    /* a watcher is marked */
};

struct broadcast *broadcast_new(void)
{
    struct broadcast *broadcast = xcalloc(1, sizeof *broadcast);

    broadcast->end = &broadcast->first;
    return broadcast;
}

/* Removes watchers that have left, or all. */
static void remove_watchers(struct broadcast *broadcast, bool is_end)
{
    struct broadcast_watcher **link = &broadcast->first;

    while (*link != NULL) {
        struct broadcast_watcher *watcher = *link;

        if (watcher->send == NULL || is_end) {
            *link = watcher->next;
            free(watcher);
        } else {
            link = &watcher->next;
        }
    }
    broadcast->end = link;
    broadcast->has_left = false;
}

void broadcast_free(struct broadcast *broadcast)
{
    if (broadcast == NULL)
        return;
    remove_watchers(broadcast, true);
    free(broadcast);
}

struct broadcast_watcher *broadcast_join(struct broadcast *broadcast, unsigned job,
                                         broadcast_fn *send, void *context)
{
    struct broadcast_watcher *watcher = xcalloc(1, sizeof *watcher);

    watcher->broadcast = broadcast;
    watcher->job = job;
    watcher->send = send;
    watcher->context = context;
    *broadcast->end = watcher;
    broadcast->end = &watcher->next;
    broadcast->count++;
    return watcher;
}

struct broadcast_watcher *broadcast_listen(struct broadcast *broadcast, broadcast_fn *send,
                                           void *context)
{
    struct broadcast_watcher *watcher = broadcast_join(broadcast, 0, send, context);

    watcher->is_ours = true;
    broadcast->count--;
    return watcher;
}

void broadcast_leave(struct broadcast_watcher *watcher)
{
    if (watcher == NULL)
        return;
    watcher->send = NULL;
    watcher->broadcast->count -= watcher->is_ours ? 0 : 1;
    watcher->broadcast->has_left = true;
    if (watcher->broadcast->sending == 0)
        remove_watchers(watcher->broadcast, false);
}

void broadcast_send(struct broadcast *broadcast, const struct feed_line *event)
{
    char line[EVENT_BYTES];
    struct text text;

    text_start(&text, line, sizeof line);
    feed_line_write_event(&text, event);
    broadcast->sending++;
    for (struct broadcast_watcher *watcher = broadcast->first; watcher != NULL;
         watcher = watcher->next) {
        if (watcher->send != NULL && (watcher->job == event->job || watcher->job == 0))
            watcher->send(watcher->context, line);
    }
    if (--broadcast->sending == 0 && broadcast->has_left)
        remove_watchers(broadcast, false);
}

unsigned broadcast_count(const struct broadcast *broadcast)
{
    return broadcast->count;
}
