#ifndef REFEREE_SERVE_HTTP_HTTP_PRIVATE_H
#define REFEREE_SERVE_HTTP_HTTP_PRIVATE_H

/* What the files of the HTTP side share: http.c (doors and requests), connections.c (connections),
 * auth.c (who may ask), route.c (what can be asked for), response.c (how it is sent),
 * page.c, api.c and sse.c (what is sent), pages.c (what is in the program). */

#include "serve/http/http.h"
#include "serve/http/route.h"
#include "serve/http/response.h"
#include "serve/http/connections.h"
#include "web/pages.h"

#include <stdbool.h>
#include <stddef.h>

struct evbuffer;
struct evconnlistener;
struct event;
struct evhttp;
struct evhttp_request;

#define HTTP_HEADERS_MAX 8192
#define HTTP_INPUT_MAX 16384         /* bytes that are read ahead of a connection */
#define HTTP_WAITING_MAX (256 << 10) /* bytes of events that wait to be sent to one watcher */
#define HTTP_LOG_MAX (8UL << 20)     /* a log that is put into the viewer */
#define HTTP_LENT_MAX (64UL << 20)   /* viewers that are being sent, all together */
#define HTTP_LISTENERS_MAX 16

struct http_limits {
    long request_ms; /* from one request to the end of the next */
    long pooled_ms;  /* without a byte being taken */
    long ping_ms;    /* between signs of life to those who watch */
    long round_ms;   /* between looks at all connections */
};

/* For tests: other limits than those of every day. */
void http_set_limits(struct http *http, const struct http_limits *limits);

/* Where people come in. */
struct http_door {
    struct http *http;
    struct evhttp *daemon;
    bool is_open; /* not only for this machine */
};

struct watcher;

struct http {
    struct http_setup setup;
    struct http_limits limits;
    struct http_door doors[2]; /* by `is_open` */
    struct evconnlistener *listeners[HTTP_LISTENERS_MAX];
    unsigned listener_count;
    struct http_connection *connections;
    unsigned connection_count;
    unsigned connection_room;
    struct event *greeting; /* somebody has come */
    struct event *round;    /* time to look at all connections */
    struct event *ping;
    struct evbuffer *buffer; /* for one event */
    struct watcher *watchers;
    unsigned watcher_count;
};

/* A request while it is being answered. */
struct http_call {
    struct http *http;
    struct evhttp_request *request;
    const struct http_route *path;
    const char *query;   /* what follows `?`, or "" */
    unsigned numbers[3]; /* of the path, in its order */
    bool is_head;
};

/* Whether a Host is this machine; whether an Authorization is right. */
bool http_is_local(const char *host);
bool http_is_known(const struct users *users, const char *authorization);

/* Whether this may be answered. If not, it has been said. */
bool http_may_enter(struct http_call *call, bool is_open);

/* Says something to everybody who watches, so that dead connections are noticed. */
void http_ping_all(struct http *http);

#endif
