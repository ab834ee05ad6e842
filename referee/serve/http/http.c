/* HTTP with the server of the library, one for each kind of address. Every request arrives at one
 * function: its path is looked up in the table (route.c), it is allowed or not (auth.c), and the
 * function of that path sends the reply. Whatever changes something is a POST, and a request of the
 * control protocol (exchange.c). */

#include "serve/http/http_private.h"

#include "base/memory.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <event2/util.h>
#include <signal.h>
#include <string.h>
#include <stdlib.h>

static bool has_method(const struct http_call *call, enum evhttp_cmd_type method)
{
    return call->route->is_post ? method == EVHTTP_REQ_POST
                                : method == EVHTTP_REQ_GET || method == EVHTTP_REQ_HEAD;
}

/* A proxy says how it was reached. What comes through one comes from elsewhere, whatever address we
 * have. Whoever claims it without a proxy gets less than before: only the form to sign in. */
static void note_proxy(struct http_call *call)
{
    const char *scheme =
        evhttp_find_header(evhttp_request_get_input_headers(call->request), "X-Forwarded-Proto");

    call->is_open = call->is_open || scheme != NULL;
    call->is_tls = scheme != NULL ? strcmp(scheme, "https") == 0 : call->http->setup.tls != NULL;
}

static void on_request(struct evhttp_request *request, void *context)
{
    const struct http_server *server = context;
    struct http_call call = {.http = server->http, .request = request, .is_open = server->is_open};
    enum evhttp_cmd_type method = evhttp_request_get_command(request);

    http_connections_serve(server->http, request);
    call.is_head = method == EVHTTP_REQ_HEAD;
    note_proxy(&call);
    http_find_route(evhttp_request_get_uri(request), method == EVHTTP_REQ_POST, &call);
    if (!has_method(&call, method)) {
        http_add_header(&call, "Allow", call.route->is_post ? "POST" : "GET, HEAD");
        http_reply_text(&call, 405, "This path takes another method.");
    } else if (http_is_allowed(&call)) {
        call.route->answer(&call);
    }
}

static struct bufferevent *on_connection(struct event_base *base, void *context)
{
    (void)base;
    return http_connections_take(((struct http_server *)context)->http);
}

static void on_socket_known(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    http_connections_note_sockets(context);
}

static void on_round(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    http_connections_check(context);
}

static void on_ping(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    http_ping_all(context);
    http_seats_ping(context);
}

/* Accepting failed, most likely for lack of descriptors: try again in the next round. */
static void on_failed_connection(struct evconnlistener *listener, void *context)
{
    (void)context;
    evconnlistener_disable(listener);
}

static int open_server(struct http *http, bool is_open)
{
    struct http_server *server = &http->servers[is_open];

    *server = (struct http_server){http, evhttp_new(http->setup.base), is_open};
    if (server->evhttp == NULL)
        return -1;
    evhttp_set_max_headers_size(server->evhttp, HTTP_HEADERS_MAX);
    evhttp_set_max_body_size(server->evhttp, HTTP_BODY_MAX);
    evhttp_set_default_content_type(server->evhttp, NULL);
    /* All that it knows, so that those that are not allowed get our own answer. */
    evhttp_set_allowed_methods(server->evhttp, UINT16_MAX);
    evhttp_set_bevcb(server->evhttp, on_connection, server);
    evhttp_set_gencb(server->evhttp, on_request, server);
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
        .write_ms = 30000, .ping_ms = 15000, .round_ms = 1000, .absence_ms = 60000};
    struct http *http = xcalloc(1, sizeof *http);

    /* A client that disconnects while it is written to must not end the daemon. */
    (void)signal(SIGPIPE, SIG_IGN);
    http->setup = *setup;
    http->sessions = sessions_new(setup->users);
    http->buffer = evbuffer_new();
    http->socket_known = event_new(setup->base, -1, 0, on_socket_known, http);
    http_set_limits(http, &limits);
    if (http->buffer == NULL || http->socket_known == NULL || http->round == NULL ||
        http->ping == NULL || open_server(http, false) != 0 || open_server(http, true) != 0) {
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
    http_exchanges_free(http);
    http_seats_free(http);
    for (size_t i = 0; i < ARRAY_LEN(http->servers); i++) {
        if (http->servers[i].evhttp != NULL)
            evhttp_free(http->servers[i].evhttp);
    }
    http_connections_free(http);
    events[0] = http->socket_known;
    events[1] = http->round;
    events[2] = http->ping;
    for (size_t i = 0; i < ARRAY_LEN(events); i++) {
        if (events[i] != NULL)
            event_free(events[i]);
    }
    if (http->buffer != NULL)
        evbuffer_free(http->buffer);
    sessions_free(http->sessions);
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
    bound = evhttp_accept_socket_with_handle(http->servers[is_open].evhttp, fd);
    if (bound == NULL)
        return -1;
    http->listeners[http->listener_count] = evhttp_bound_socket_get_listener(bound);
    evconnlistener_set_error_cb(http->listeners[http->listener_count], on_failed_connection);
    http->listener_count++;
    return 0;
}

unsigned http_watchers(const struct http *http)
{
    return http->watcher_count;
}
