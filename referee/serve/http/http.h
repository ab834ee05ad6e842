#ifndef REFEREE_SERVE_HTTP_HTTP_H
#define REFEREE_SERVE_HTTP_HTTP_H

/* The pages: the queue in a browser. Every path is in one table; every page is part of the program
 * and loads nothing from elsewhere. What changes something is passed on to the control protocol, so
 * nothing can be done here that cannot be done there. */

#include "serve/ladder/ladder.h"
#include "serve/queue/queue.h"
#include "serve/queue/users.h"
#include "serve/tls/tls.h"

#include <stdbool.h>

struct event_base;
struct http;

struct http_setup {
    struct event_base *base;
    const struct queue *queue;
    const struct users *users;
    unsigned connections; /* at most, at once, watchers included */
    /* Connects to the control protocol for a user, who has been greeted there. Returns a
     * descriptor, non-blocking, which is then the pages'; -1 with an error. */
    int (*connect)(void *context, const char *user, struct request_error *error);
    void *context;
    const struct ladders *ladders; /* NULL: there are none */
    struct tls *tls;               /* for all listeners; NULL: none */
};

/* `setup` is copied; what it points to is lent. NULL with errno. */
struct http *http_new(const struct http_setup *setup);
void http_free(struct http *http);

/* Accepts connections from a listening socket, which it owns then. `is_open`: other machines can
 * reach it, so every request needs a session, or a name and a token (HTTP Basic). Otherwise only
 * requests whose Host is this machine are answered, so that no page of another site can read
 * anything. Returns 0, or -1 with errno. */
int http_listen(struct http *http, int fd, bool is_open);

/* How many watchers there are. */
unsigned http_watchers(const struct http *http);

#endif
