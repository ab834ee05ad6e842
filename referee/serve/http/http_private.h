#ifndef REFEREE_SERVE_HTTP_HTTP_PRIVATE_H
#define REFEREE_SERVE_HTTP_HTTP_PRIVATE_H

/* What the files of the HTTP side share: http.c (servers and requests), connections.c, auth.c (who
 * makes requests), sessions.c, route.c (paths), response.c (sending), page.c, api.c, sse.c,
 * sign_in.c and exchange.c (the replies). */

#include "serve/http/http.h"
#include "serve/http/route.h"
#include "serve/http/response.h"
#include "serve/http/connections.h"
#include "serve/http/sessions.h"
#include "web/pages.h"

#include <stdbool.h>
#include <stddef.h>

struct evbuffer;
struct evconnlistener;
struct event;
struct evhttp;
struct evhttp_request;

#define HTTP_HEADERS_MAX 8192
#define HTTP_WAITING_MAX (256 << 10)  /* bytes of events that wait for one watcher */
#define HTTP_LOG_MAX (8UL << 20)      /* a log in the viewer */
#define HTTP_VIEWERS_MAX (64UL << 20) /* all viewers that are being sent */
#define HTTP_LISTENERS_MAX 16
#define HTTP_BODY_MAX (64 << 10) /* bytes of one request; an upload has several */
/* Bytes that are read ahead from a connection. The library takes a body only when all of it is
 * there, and until then no more would be read. */
#define HTTP_INPUT_MAX (HTTP_BODY_MAX + HTTP_HEADERS_MAX + 4096)
#define HTTP_GUEST "guest"
#define HTTP_IDENTITY_BYTES (SESSIONS_ID_BYTES + 16)

/* Besides those of the settings. */
struct http_limits {
    long write_ms;   /* without a byte of a reply being read */
    long ping_ms;    /* between pings to watchers */
    long round_ms;   /* between checks of all connections */
    long absence_ms; /* without the page of a person who plays */
};

/* For tests. */
void http_set_limits(struct http *http, const struct http_limits *limits);

/* The library's server for one kind of address. */
struct http_server {
    struct http *http;
    struct evhttp *evhttp;
    bool is_open; /* other machines can reach it */
};

struct watcher;
struct exchange;
struct seat;

struct http {
    struct http_setup setup;
    struct http_limits limits;
    struct http_server servers[2]; /* by `is_open` */
    struct evconnlistener *listeners[HTTP_LISTENERS_MAX];
    unsigned listener_count;
    struct http_connection *connections;
    unsigned connection_count;
    unsigned connection_capacity;
    struct event *socket_known; /* a new connection has its socket */
    struct event *round;        /* time to check all connections */
    struct event *ping;
    struct evbuffer *buffer; /* for one event */
    struct watcher *watchers;
    unsigned watcher_count;
    struct sessions *sessions;
    struct exchange *exchanges;
    struct seat *seats;
};

/* A request while it is being answered. */
struct http_call {
    struct http *http;
    struct evhttp_request *request;
    const struct http_route *route;
    const char *query;                  /* what follows `?`, or "" */
    unsigned numbers[3];                /* of the path, in order */
    char name[HTTP_NAME_MAX + 1];       /* the same */
    char user[USERS_NAME_MAX + 1];      /* who asks; HTTP_GUEST if nobody has signed in */
    char identity[HTTP_IDENTITY_BYTES]; /* what the secret of its changes belongs to */
    bool is_signed_in;
    bool is_head;
    bool is_open; /* other machines can reach this address, or a proxy in front of it */
    bool is_tls;  /* between the browser and us, or a proxy in front of us */
};

/* Whether a Host is this machine; the user of an Authorization, lent, or NULL if it is wrong. */
bool http_is_local(const char *host);
const char *http_find_user(const struct users *users, const char *authorization);

/* Finds out who asks, and whether the request, whose route is known, may be answered. If not, the
 * refusal has been sent. */
bool http_is_allowed(struct http_call *call);

/* Whether whoever asks may change something: users, and the guest where there are none. */
bool http_may_change(const struct http_call *call);

/* Who asks, for the queue (auth.c). */
struct caller http_caller(const struct http_call *call);

/* The name of the cookie; its value in this request, or an empty span. */
const char *http_cookie_name(const struct http_call *call);
struct span http_cookie(const struct http_call *call);

/* Ends all exchanges, before their connections are closed. */
void http_exchanges_free(struct http *http);

/* Leaves all seats of people, in the same way. */
void http_seats_free(struct http *http);
void http_seats_ping(struct http *http);

/* Sends something to all watchers, so that dead connections are noticed. */
void http_ping_all(struct http *http);

#endif
