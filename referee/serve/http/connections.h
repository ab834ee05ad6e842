#ifndef REFEREE_SERVE_HTTP_CONNECTIONS_H
#define REFEREE_SERVE_HTTP_CONNECTIONS_H

/* The connections of the HTTP side: how many there are, and how long they may take. */

#include "serve/queue/origin.h"
#include "serve/queue/users.h"

#include <stdbool.h>
#include <stdint.h>

struct bufferevent;
struct evhttp_request;
struct http;

/* A connection, by its socket. A cookie belongs to one socket only, so a descriptor that was closed
 * and opened again is noticed. */
struct http_connection {
    struct bufferevent *bufferevent; /* held only until it has got its socket */
    int fd;
    uint64_t cookie;
    struct origin origin;
    char user[USERS_NAME_MAX + 1]; /* of its last request; "" if no token is needed */
    int64_t since_us;              /* when the wait for its request began */
    bool is_served;                /* its request is being answered */
    bool is_dropped;               /* it was shut down, and will be forgotten */
};

/* A new connection: its bufferevent, or NULL. Its socket is only known later; then
 * http_connections_note_sockets() is to be called. */
struct bufferevent *http_connections_take(struct http *http);
void http_connections_note_sockets(struct http *http);

/* Checks all: forgets those that have ended, ends those that take too long, accepts new ones if
 * there is room. */
void http_connections_check(struct http *http);

/* A request is complete: its answer has other limits. */
void http_connections_serve(struct http *http, struct evhttp_request *request);

/* Whether a user may have this connection, too: returns false if the user has too many. */
bool http_connections_admit(struct http *http, struct evhttp_request *request, const char *user);
void http_connections_free(struct http *http);

#endif
