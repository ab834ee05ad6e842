/* HTTP by the library's own server, one for each kind of door. Every request comes to one function: it is
 * let in or not (auth.c), its path is found in the table (route.c), and the answer of that path
 * sends the reply. Nothing here changes anything. */

#include "serve/http/http_private.h"

#include "base/memory.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <event2/util.h>
#include <signal.h>
#include <stdlib.h>

static void answer(struct http_call *call, const char *target)
{
    enum evhttp_cmd_type method = evhttp_request_get_command(call->request);

    if (method != EVHTTP_REQ_GET && method != EVHTTP_REQ_HEAD) {
        http_add_header(call, "Allow", "GET, HEAD");
        http_reply_words(call, 405, "There is nothing to change here: only GET and HEAD.");
    } else if (http_find_route(target, call) != 0) {
        http_reply_page(call, 404, PAGE_MISSING);
    } else {
        call->path->answer(call);
    }
}

static void on_request(struct evhttp_request *request, void *context)
{
    const struct http_door *door = context;
    struct http_call call = {.http = door->http, .request = request};

    http_connections_serve(door->http, request);
    call.is_head = evhttp_request_get_command(request) == EVHTTP_REQ_HEAD;
    if (http_may_enter(&call, door->is_open))
        answer(&call, evhttp_request_get_uri(request));
}

static struct bufferevent *on_connection(struct event_base *base, void *context)
{
    (void)base;
    return http_connections_take(((struct http_door *)context)->http);
}

static void on_greeting(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    http_connections_greet(context);
}

static void on_round(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    http_connections_look(context);
}

static void on_ping(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    http_ping_all(context);
}

/* Nothing can be accepted, most likely because there is no descriptor left: better in the next round. */
static void on_trouble(struct evconnlistener *listener, void *context)
{
    (void)context;
    evconnlistener_disable(listener);
}

static int open_door(struct http *http, bool is_open)
{
    struct http_door *door = &http->doors[is_open];

    *door = (struct http_door){http, evhttp_new(http->setup.base), is_open};
    if (door->daemon == NULL)
        return -1;
    evhttp_set_max_headers_size(door->daemon, HTTP_HEADERS_MAX);
    evhttp_set_max_body_size(door->daemon, 0);
    evhttp_set_default_content_type(door->daemon, NULL);
    /* All that it knows, so that those that are not wanted get our own answer. */
    evhttp_set_allowed_methods(door->daemon, UINT16_MAX);
    evhttp_set_bevcb(door->daemon, on_connection, door);
    evhttp_set_gencb(door->daemon, on_request, door);
    return 0;
}

static struct event *start_timer(struct http *http, event_callback_fn call, long ms)
{
    struct event *event = event_new(http->setup.base, -1, EV_PERSIST, call, http);
    struct timeval time = {ms / 1000, ms % 1000 * 1000};

    if (event != NULL)
        event_add(event, &time);
    return event;
}

void http_set_limits(struct http *http, const struct http_limits *limits)
{
    struct event *old[] = {http->round, http->ping};

    http->limits = *limits;
    http->round = start_timer(http, on_round, limits->round_ms);
    http->ping = start_timer(http, on_ping, limits->ping_ms);
    for (size_t i = 0; i < ARRAY_LEN(old); i++) {
        if (old[i] != NULL)
            event_free(old[i]);
    }
}

struct http *http_new(const struct http_setup *setup)
{
    static const struct http_limits limits = {
        .request_ms = 30000, .pooled_ms = 30000, .ping_ms = 15000, .round_ms = 1000};
    struct http *http = xcalloc(1, sizeof *http);

    /* Whoever leaves while he is being written to is no reason to end. */
    (void)signal(SIGPIPE, SIG_IGN);
    http->setup = *setup;
    http->buffer = evbuffer_new();
    http->greeting = event_new(setup->base, -1, 0, on_greeting, http);
    http_set_limits(http, &limits);
    if (http->buffer == NULL || http->greeting == NULL || http->round == NULL ||
        http->ping == NULL || open_door(http, false) != 0 || open_door(http, true) != 0) {
        http_free(http);
        errno = ENOMEM;
        return NULL;
    }
    return http;
}

void http_free(struct http *http)
{
    struct event *events[3];

    if (http == NULL)
        return;
    for (size_t i = 0; i < ARRAY_LEN(http->doors); i++) {
        if (http->doors[i].daemon != NULL)
            evhttp_free(http->doors[i].daemon);
    }
    http_connections_free(http);
    events[0] = http->greeting;
    events[1] = http->round;
    events[2] = http->ping;
    for (size_t i = 0; i < ARRAY_LEN(events); i++) {
        if (events[i] != NULL)
            event_free(events[i]);
    }
    if (http->buffer != NULL)
        evbuffer_free(http->buffer);
    free(http);
}

int http_listen(struct http *http, int fd, bool is_open)
{
    struct evhttp_bound_socket *bound;

    if (http->listener_count == HTTP_LISTENERS_MAX) {
        errno = EMFILE;
        return -1;
    }
    if (evutil_make_socket_nonblocking(fd) != 0)
        return -1;
    bound = evhttp_accept_socket_with_handle(http->doors[is_open].daemon, fd);
    if (bound == NULL)
        return -1;
    http->listeners[http->listener_count] = evhttp_bound_socket_get_listener(bound);
    evconnlistener_set_error_cb(http->listeners[http->listener_count], on_trouble);
    http->listener_count++;
    return 0;
}

unsigned http_watchers(const struct http *http)
{
    return http->watcher_count;
}
