#ifndef REFEREE_SERVE_HTTP_PRIVATE_H
#define REFEREE_SERVE_HTTP_PRIVATE_H

/* What the files of the HTTP side share: http.c (doors and requests), http_visitors.c (connections),
 * http_guard.c (who may ask), http_path.c (what can be asked for), http_reply.c (how it is sent),
 * http_pages.c, http_api.c and http_events.c (what is sent), pages.c (what is in the program). */

#include "serve/http.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct bufferevent;
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
    long stall_ms;   /* without a byte being taken */
    long ping_ms;    /* between signs of life to those who watch */
    long round_ms;   /* between looks at all connections */
};

/* For tests: other limits than those of every day. */
void http_set_limits(struct http *http, const struct http_limits *limits);

/* Where people come in. */
struct http_door {
    struct http *http;
    struct evhttp *server;
    bool is_open; /* not only for this machine */
};

/* A connection, by its socket: a cookie is of one socket only, so a descriptor that has been closed and
 * opened again is noticed. */
struct visitor {
    struct bufferevent *bufferevent; /* held only until it has got its socket */
    int fd;
    uint64_t cookie;
    int64_t since_us; /* it is waited for its request */
    bool is_served;   /* it waits for its reply */
};

struct watcher;

struct http {
    struct http_setup setup;
    struct http_limits limits;
    struct http_door doors[2]; /* by `is_open` */
    struct evconnlistener *listeners[HTTP_LISTENERS_MAX];
    unsigned listener_count;
    struct visitor *visitors;
    unsigned visitor_count;
    unsigned visitor_room;
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
    const struct http_path *path;
    const char *query;   /* what follows `?`, or "" */
    unsigned numbers[3]; /* of the path, in its order */
    bool is_head;
};

enum http_kind {
    HTTP_PAGE,
    HTTP_STYLE,
    HTTP_SCRIPT,
    HTTP_ICON,
    HTTP_JSON,
    HTTP_CSV,
    HTTP_TEXT,
    HTTP_LOG,
    HTTP_REPORT,
    HTTP_VIEWER,
    HTTP_EVENTS,
    HTTP_KIND_COUNT,
};

/* A file that is in the program. */
struct page {
    enum http_kind kind;
    const char *bytes;
};

enum page_name {
    PAGE_OVERVIEW,
    PAGE_WORK,
    PAGE_BOTS,
    PAGE_MISSING,
    PAGE_STYLE,
    PAGE_WORDS,
    PAGE_COMMON,
    PAGE_OVERVIEW_SCRIPT,
    PAGE_WORK_SCRIPT,
    PAGE_MATCHES_SCRIPT,
    PAGE_BOTS_SCRIPT,
    PAGE_MISSING_SCRIPT,
    PAGE_ICON,
    PAGE_COUNT,
};

extern const struct page pages[PAGE_COUNT];

/* One path of the table. `#` in it is a number without leading zeros. */
struct http_path {
    const char *pattern;
    void (*answer)(struct http_call *call);
    enum page_name page;     /* for http_answer_page() */
    enum http_kind kind;     /* for http_answer_paper() */
    enum office_paper paper; /* the same */
    const char *file;        /* what a browser calls it on the disk, before its number; or NULL */
};

/* Finds the path of a request's target and fills in the call. Returns 0, or -1 if there is none. */
int http_find_path(const char *target, struct http_call *call);

/* Reads `name` of a query, a number from `least` to `most`; leaves `value` alone if it is not there.
 * Returns 0, or -1 if it is there and no such number. */
int http_read_number(const char *query, const char *name, long least, long most, long *value);

/* Reads `name` of a query: a span, empty if it is not there. */
struct span http_read_word(const char *query, const char *name);

/* Whether a Host is this machine; whether an Authorization is right. */
bool http_is_local(const char *host);
bool http_is_known(const struct users *users, const char *authorization);

/* Whether this may be answered. If not, it has been said. */
bool http_may_enter(struct http_call *call, bool is_open);

/* Sending. Each of these ends a call. */

/* Takes what is in `body`. */
void http_reply(struct http_call *call, int status, enum http_kind kind, struct evbuffer *body);
void http_reply_page(struct http_call *call, int status, enum page_name page);

/* Takes the descriptor. */
void http_reply_file(struct http_call *call, enum http_kind kind, int fd, size_t length);
void http_reply_words(struct http_call *call, int status, const char *words);

/* What was asked for is to come, but is not there yet. */
void http_reply_nothing(struct http_call *call);
void http_reply_denial(struct http_call *call, const struct denial *denial);

/* Adds a header to the reply; the headers that every reply has. */
void http_add_header(struct http_call *call, const char *name, const char *value);
void http_add_headers(struct http_call *call, enum http_kind kind);

/* The answers, for the table. */
void http_answer_page(struct http_call *call);
void http_answer_work(struct http_call *call);
void http_answer_paper(struct http_call *call);
void http_answer_log(struct http_call *call);
void http_answer_viewer(struct http_call *call);
void http_answer_status(struct http_call *call);
void http_answer_works(struct http_call *call);
void http_answer_work_facts(struct http_call *call);
void http_answer_bots(struct http_call *call);
void http_answer_events(struct http_call *call);

/* Says something to everybody who watches, so that dead connections are noticed. */
void http_ping_all(struct http *http);

/* Connections. */
struct bufferevent *visitors_take(struct http *http);
void visitors_greet(struct http *http);
void visitors_look(struct http *http);
void visitors_serve(struct http *http, struct evhttp_request *request);
void visitors_free(struct http *http);

#endif
