/* A list of watchers. Who leaves while something is being told is only marked then, and taken out of the
 * list when it has been told to all. */

#include "serve/queue/broadcast.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE_BYTES 4096

struct broadcast_watcher {
    struct broadcast *broadcast;
    unsigned job;
    broadcast_fn *hear; /* NULL: it has left */
    void *context;
    struct broadcast_watcher *next;
};

struct broadcast {
    struct broadcast_watcher *first;
    struct broadcast_watcher **end;
    unsigned count;
    unsigned telling; /* how many broadcast_send() are under way */
    bool has_left;    /* somebody is marked */
};

struct broadcast *broadcast_new(void)
{
    struct broadcast *broadcast = xcalloc(1, sizeof *broadcast);

    broadcast->end = &broadcast->first;
    return broadcast;
}

/* Takes those out who have left; or all. */
static void clear_out(struct broadcast *broadcast, bool is_end)
{
    struct broadcast_watcher **link = &broadcast->first;

    while (*link != NULL) {
        struct broadcast_watcher *watcher = *link;

        if (watcher->hear == NULL || is_end) {
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
    clear_out(broadcast, true);
    free(broadcast);
}

struct broadcast_watcher *broadcast_join(struct broadcast *broadcast, unsigned job,
                                         broadcast_fn *hear, void *context)
{
    struct broadcast_watcher *watcher = xcalloc(1, sizeof *watcher);

    watcher->broadcast = broadcast;
    watcher->job = job;
    watcher->hear = hear;
    watcher->context = context;
    *broadcast->end = watcher;
    broadcast->end = &watcher->next;
    broadcast->count++;
    return watcher;
}

void broadcast_leave(struct broadcast_watcher *watcher)
{
    if (watcher == NULL)
        return;
    watcher->hear = NULL;
    watcher->broadcast->count--;
    watcher->broadcast->has_left = true;
    if (watcher->broadcast->telling == 0)
        clear_out(watcher->broadcast, false);
}

void broadcast_send(struct broadcast *broadcast, unsigned job, const char *format, ...)
{
    char line[LINE_BYTES];
    int length = snprintf(line, sizeof line, "%u ", job);
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    va_end(arguments);
    broadcast->telling++;
    for (struct broadcast_watcher *watcher = broadcast->first; watcher != NULL;
         watcher = watcher->next) {
        if (watcher->hear != NULL && (watcher->job == job || watcher->job == 0))
            watcher->hear(watcher->context, job, line);
    }
    if (--broadcast->telling == 0 && broadcast->has_left)
        clear_out(broadcast, false);
}

unsigned broadcast_count(const struct broadcast *broadcast)
{
    return broadcast->count;
}
