#ifndef REFEREE_SERVE_HTTP_CONNECTIONS_H
#define REFEREE_SERVE_HTTP_CONNECTIONS_H

/* The connections of the HTTP side: how many there are, and how long they may take. */

#include <stdbool.h>
#include <stdint.h>

struct bufferevent;
struct evhttp_request;
struct http;

/* A connection, by its socket: a cookie is of one socket only, so a descriptor that has been closed and
 * opened again is noticed. */
struct http_connection {
    struct bufferevent *bufferevent; /* held only until it has got its socket */
    int fd;
    uint64_t cookie;
    int64_t since_us; /* it is waited for its request */
    bool is_served;   /* it waits for its reply */
};

/* Somebody comes: what he is to be read and written with, or NULL. His socket is known only later, and
 * http_connections_greet() is to be called then. */
struct bufferevent *http_connections_take(struct http *http);
void http_connections_greet(struct http *http);

/* Looks at all: forgets who has gone, ends who takes too long, opens the doors when there is room. */
void http_connections_look(struct http *http);

/* His request is complete: its answer has other limits. */
void http_connections_serve(struct http *http, struct evhttp_request *request);
void http_connections_free(struct http *http);

#endif
