/* Server-Sent Events: one line of the broadcast each. Nobody waits for a slow reader: when too much
 * waits for one already it is disconnected, and its browser connects again and loads everything. A
 * watcher lives as long as its connection. The request belongs to the connection while there is
 * one, and to us if the connection ended first. */

#include "serve/http/http_private.h"

#include "base/memory.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/socket.h>

struct watcher {
    struct http *http;
    struct evhttp_request *request;
    struct bufferevent *bufferevent;
    struct broadcast_watcher *place; /* NULL: it has been disconnected */
    size_t waiting_bytes;            /* at the last ping */
    struct watcher *next;
};

static size_t waiting_bytes(const struct watcher *watcher)
{
    return evbuffer_get_length(bufferevent_get_output(watcher->bufferevent));
}

/* The library notices soon, and calls on_close(). */
static void disconnect(struct watcher *watcher)
{
    broadcast_leave(watcher->place);
    watcher->place = NULL;
    shutdown(bufferevent_getfd(watcher->bufferevent), SHUT_RDWR);
}

static void on_event(void *context, const char *line)
{
    struct watcher *watcher = context;
    struct evbuffer *buffer = watcher->http->buffer;

    if (waiting_bytes(watcher) > HTTP_WAITING_MAX) {
        disconnect(watcher);
        return;
    }
    evbuffer_add_printf(buffer, "data: %s\n\n", line);
    evhttp_send_reply_chunk(watcher->request, buffer);
    evbuffer_drain(buffer, evbuffer_get_length(buffer));
}

static void on_close(struct evhttp_connection *connection, void *context)
{
    struct watcher *watcher = context;
    struct watcher **link = &watcher->http->watchers;

    (void)connection;
    broadcast_leave(watcher->place);
    while (*link != watcher)
        link = &(*link)->next;
    *link = watcher->next;
    watcher->http->watcher_count--;
    if (evhttp_request_get_connection(watcher->request) == NULL)
        evhttp_send_reply_end(watcher->request);
    free(watcher);
}

static void start_watching(struct http_call *call, unsigned job)
{
    struct http *http = call->http;
    struct watcher *watcher = xcalloc(1, sizeof *watcher);
    struct evhttp_connection *connection = evhttp_request_get_connection(call->request);

    watcher->http = http;
    watcher->request = call->request;
    watcher->bufferevent = evhttp_connection_get_bufferevent(connection);
    watcher->next = http->watchers;
    http->watchers = watcher;
    http->watcher_count++;
    evhttp_connection_set_closecb(connection, on_close, watcher);
    http_add_headers(call, HTTP_EVENTS);
    evhttp_send_reply_start(call->request, 200, "OK");
    evbuffer_add_printf(http->buffer, "retry: 2000\n\n");
    evhttp_send_reply_chunk(call->request, http->buffer);
    watcher->place = broadcast_join(queue_broadcast(http->setup.queue), job, on_event, watcher);
}

/* A quarter of the connections is for other requests. */
static bool is_full(const struct http *http)
{
    return http->watcher_count >= http->setup.connections - http->setup.connections / 4;
}

void http_answer_events(struct http_call *call)
{
    long job = 0;
    const struct ledger *ledger = queue_ledger(call->http->setup.queue);

    if (http_read_number(call->query, "job", 1, UINT_MAX, &job) != 0 ||
        (job != 0 && ledger_job(ledger, (unsigned)job) == NULL)) {
        http_reply_text(call, 404, "There is no such job.");
    } else if (call->is_head) {
        http_reply(call, 200, HTTP_EVENTS, evbuffer_new());
    } else if (is_full(call->http)) {
        http_add_header(call, "Retry-After", "10");
        http_reply_text(call, 503, "Too many watchers.");
    } else {
        start_watching(call, (unsigned)job);
    }
}

/* A watcher that has read nothing between two pings is gone, or as good as gone. */
void http_ping_all(struct http *http)
{
    for (struct watcher *watcher = http->watchers; watcher != NULL; watcher = watcher->next) {
        size_t bytes = waiting_bytes(watcher);

        if (watcher->place == NULL)
            continue;
        if (bytes > 0 && watcher->waiting_bytes > 0 && bytes >= watcher->waiting_bytes) {
            disconnect(watcher);
        } else if (bytes == 0) {
            evbuffer_add_printf(http->buffer, ":\n\n");
            evhttp_send_reply_chunk(watcher->request, http->buffer);
        }
        watcher->waiting_bytes = bytes;
    }
}
