#ifndef REFEREE_SERVE_HTTP_HTTP_H
#define REFEREE_SERVE_HTTP_HTTP_H

/* The pages: what the queue knows, to be looked at in a browser. Nothing can be changed here. Every path
 * is in one table; every page is in the program and asks nobody else for anything. */

#include "serve/queue/queue.h"
#include "serve/queue/users.h"

#include <stdbool.h>

struct event_base;
struct http;

struct http_setup {
    struct event_base *base;
    const struct queue *queue;
    const struct users *users;
    unsigned connections; /* at once, at most; those that watch are counted */
};

/* `setup` is copied; what it points to is lent. NULL with errno. */
struct http *http_new(const struct http_setup *setup);
void http_free(struct http *http);

/* Takes connections from a listening socket, which it takes. `is_open`: it is not only for this machine,
 * so everybody has to name himself and his token (HTTP Basic). Otherwise only requests are answered whose
 * Host is this machine, so that no page from elsewhere can read what is here. Returns 0, or -1 with
 * errno. */
int http_listen(struct http *http, int fd, bool is_open);

/* How many watch. */
unsigned http_watchers(const struct http *http);

#endif
