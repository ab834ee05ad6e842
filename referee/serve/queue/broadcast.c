/* A list of watchers. Who leaves while something is being told is only marked then, and taken out of the
 * list when it has been told to all. */

#include "serve/hub.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE_BYTES 4096

struct hub_watcher {
    struct hub *hub;
    unsigned work;
    hub_fn *hear; /* NULL: it has left */
    void *context;
    struct hub_watcher *next;
};

struct hub {
    struct hub_watcher *first;
    struct hub_watcher **end;
    unsigned count;
    unsigned telling; /* how many hub_tell() are under way */
    bool has_left;    /* somebody is marked */
};

struct hub *hub_new(void)
{
    struct hub *hub = xcalloc(1, sizeof *hub);

    hub->end = &hub->first;
    return hub;
}

/* Takes those out who have left; or all. */
static void clear_out(struct hub *hub, bool is_end)
{
    struct hub_watcher **link = &hub->first;

    while (*link != NULL) {
        struct hub_watcher *watcher = *link;

        if (watcher->hear == NULL || is_end) {
            *link = watcher->next;
            free(watcher);
        } else {
            link = &watcher->next;
        }
    }
    hub->end = link;
    hub->has_left = false;
}

void hub_free(struct hub *hub)
{
    if (hub == NULL)
        return;
    clear_out(hub, true);
    free(hub);
}

struct hub_watcher *hub_join(struct hub *hub, unsigned work, hub_fn *hear, void *context)
{
    struct hub_watcher *watcher = xcalloc(1, sizeof *watcher);

    watcher->hub = hub;
    watcher->work = work;
    watcher->hear = hear;
    watcher->context = context;
    *hub->end = watcher;
    hub->end = &watcher->next;
    hub->count++;
    return watcher;
}

void hub_leave(struct hub_watcher *watcher)
{
    if (watcher == NULL)
        return;
    watcher->hear = NULL;
    watcher->hub->count--;
    watcher->hub->has_left = true;
    if (watcher->hub->telling == 0)
        clear_out(watcher->hub, false);
}

void hub_tell(struct hub *hub, unsigned work, const char *format, ...)
{
    char line[LINE_BYTES];
    int length = snprintf(line, sizeof line, "%u ", work);
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    va_end(arguments);
    hub->telling++;
    for (struct hub_watcher *watcher = hub->first; watcher != NULL; watcher = watcher->next) {
        if (watcher->hear != NULL && (watcher->work == work || watcher->work == 0))
            watcher->hear(watcher->context, work, line);
    }
    if (--hub->telling == 0 && hub->has_left)
        clear_out(hub, false);
}

unsigned hub_count(const struct hub *hub)
{
    return hub->count;
}
