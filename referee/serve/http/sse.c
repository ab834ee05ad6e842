/* Those who watch: Server-Sent Events, one line of the broadcast each. Nobody waits for a slow reader: when too
 * much waits for him already he is cut off, and his browser comes again and asks for everything anew. A
 * watcher lives as long as its connection; the request belongs to the connection as long as there is one,
 * and to us when the connection has gone first. */

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
    struct broadcast_watcher *place; /* NULL: it has been cut off */
    size_t waiting_bytes;            /* at the last ping */
    struct watcher *next;
};

static size_t waiting(const struct watcher *watcher)
{
    return evbuffer_get_length(bufferevent_get_output(watcher->bufferevent));
}

/* The library sees the end of the connection soon, and on_close() comes then. */
static void cut_off(struct watcher *watcher)
{
    broadcast_leave(watcher->place);
    watcher->place = NULL;
    shutdown(bufferevent_getfd(watcher->bufferevent), SHUT_RDWR);
}

static void hear(void *context, unsigned job, const char *line)
{
    struct watcher *watcher = context;
    struct evbuffer *buffer = watcher->http->buffer;

    (void)job;
    if (waiting(watcher) > HTTP_WAITING_MAX) {
        cut_off(watcher);
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

static void start(struct http_call *call, unsigned job)
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
    watcher->place = broadcast_join(queue_broadcast(http->setup.queue), job, hear, watcher);
}

/* Some room is left for those who do not watch. */
static bool is_full(const struct http *http)
{
    return http->watcher_count >= http->setup.connections - http->setup.connections / 4;
}

void http_answer_events(struct http_call *call)
{
    long job = 0;
    const struct ledger *ledger = queue_ledger(call->http->setup.queue);

    if (http_read_number(call->query, "work", 1, UINT_MAX, &job) != 0 ||
        (job != 0 && ledger_job(ledger, (unsigned)job) == NULL)) {
        http_reply_words(call, 404, "There is no such work.");
    } else if (call->is_head) {
        http_reply(call, 200, HTTP_EVENTS, evbuffer_new());
    } else if (is_full(call->http)) {
        http_add_header(call, "Retry-After", "10");
        http_reply_words(call, 503, "Too many watch already.");
    } else {
        start(call, (unsigned)job);
    }
}

/* Who has taken nothing between two pings is gone, or as good as gone. */
void http_ping_all(struct http *http)
{
    for (struct watcher *watcher = http->watchers; watcher != NULL; watcher = watcher->next) {
        size_t bytes = waiting(watcher);

        if (watcher->place == NULL)
            continue;
        if (bytes > 0 && watcher->waiting_bytes > 0 && bytes >= watcher->waiting_bytes) {
            cut_off(watcher);
        } else if (bytes == 0) {
            evbuffer_add_printf(http->buffer, ":\n\n");
            evhttp_send_reply_chunk(watcher->request, http->buffer);
        }
        watcher->waiting_bytes = bytes;
    }
}
