/* Connections. The library neither counts its connections nor says when one has ended, and it waits
 * for a request as long as a byte arrives now and then. So each socket is noted with its cookie,
 * and checked when there are too many and in every round: if its cookie is gone, it has ended; if
 * it has not made a request in time, it is shut down, which the library notices like any other end.
 *
 * One address has only a share of all connections. If there are too many in all, the one that has
 * waited longest without a request makes room: so half a request keeps nobody out. Only while all
 * are being answered are the listeners disabled, and the kernel keeps new connections waiting.
 *
 * A connection that is being answered has other limits: it must read its reply (`write_ms`), and
 * only so much of its further input is read. */

#include "serve/http/http_private.h"

#include "base/clock.h"
#include "base/memory.h"

#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static uint64_t cookie_of(int fd)
{
    uint64_t cookie = 0;
    socklen_t length = sizeof cookie;

    return getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &length) == 0 ? cookie : 0;
}

static bool has_ended(const struct http_connection *connection)
{
    return connection->bufferevent == NULL &&
           (connection->fd < 0 || cookie_of(connection->fd) != connection->cookie);
}

static void forget_ended(struct http *http)
{
    unsigned left = 0;

    for (unsigned i = 0; i < http->connection_count; i++) {
        if (!has_ended(&http->connections[i]))
            http->connections[left++] = http->connections[i];
    }
    http->connection_count = left;
}

static void drop(struct http_connection *connection)
{
    connection->is_dropped = true;
    shutdown(connection->fd, SHUT_RDWR);
}

static unsigned count_live(const struct http *http)
{
    unsigned count = 0;

    for (unsigned i = 0; i < http->connection_count; i++)
        count += !http->connections[i].is_dropped;
    return count;
}

/* The connection that has waited longest for a request; NULL if there is none. */
static struct http_connection *find_waiting(struct http *http)
{
    struct http_connection *found = NULL;

    for (unsigned i = 0; i < http->connection_count; i++) {
        struct http_connection *connection = &http->connections[i];

        if (connection->fd >= 0 && !connection->is_served && !connection->is_dropped &&
            (found == NULL || connection->since_us < found->since_us))
            found = connection;
    }
    return found;
}

/* Accepts connections as long as there is room, or can be. */
static void set_listeners(struct http *http)
{
    bool has_room = count_live(http) < http->setup.connections || find_waiting(http) != NULL;

    for (unsigned i = 0; i < http->listener_count; i++) {
        if (has_room)
            evconnlistener_enable(http->listeners[i]);
        else
            evconnlistener_disable(http->listeners[i]);
    }
}

/* The library asks for a bufferevent first, and sets its socket later. */
struct bufferevent *http_connections_take(struct http *http)
{
    struct bufferevent *bufferevent = http->setup.tls != NULL
                                          ? tls_accept(http->setup.tls, http->setup.base, -1)
                                          : bufferevent_socket_new(http->setup.base, -1, 0);
    struct timeval time = {http->limits.write_ms / 1000, http->limits.write_ms % 1000 * 1000};

    if (bufferevent == NULL)
        return NULL;
    bufferevent_setwatermark(bufferevent, EV_READ, 0, HTTP_INPUT_MAX);
    bufferevent_set_timeouts(bufferevent, NULL, &time);
    bufferevent_incref(bufferevent);
    if (http->connection_count == http->connection_capacity) {
        http->connection_capacity = http->connection_capacity * 2 + 16;
        http->connections =
            xrealloc(http->connections, http->connection_capacity * sizeof http->connections[0]);
    }
    http->connections[http->connection_count++] =
        (struct http_connection){.bufferevent = bufferevent, .fd = -1, .since_us = clock_now_us()};
    event_active(http->socket_known, EV_TIMEOUT, 0);
    return bufferevent;
}

static bool is_share_used(const struct http *http, const struct origin *origin)
{
    long count = 0;

    for (unsigned i = 0; i < http->connection_count; i++)
        count += !http->connections[i].is_dropped && http->connections[i].fd >= 0 &&
                 origin_is_same(&http->connections[i].origin, origin);
    return count > queue_settings(http->setup.queue)->connections_per_address;
}

/* A handshake is what costs most: it must not begin, not even with what has come already. So the
 * socket forgets its connection. */
static void drop_new(const struct http *http, struct http_connection *connection)
{
    static const struct sockaddr nowhere = {.sa_family = AF_UNSPEC};

    if (http->setup.tls != NULL)
        (void)connect(connection->fd, &nowhere, sizeof nowhere);
    drop(connection);
}

static bool may_begin(const struct http *http, const struct origin *origin)
{
    const struct settings *settings = queue_settings(http->setup.queue);
    struct handshakes_limits limits = {settings->handshakes_per_address, settings->handshakes};

    return http->setup.tls == NULL || tls_admit(http->setup.tls, origin->bytes, &limits);
}

static void note_socket(struct http *http, struct http_connection *connection)
{
    struct bufferevent *bufferevent = connection->bufferevent;

    connection->fd = bufferevent_getfd(bufferevent);
    connection->cookie = connection->fd >= 0 ? cookie_of(connection->fd) : 0;
    connection->bufferevent = NULL;
    bufferevent_decref(bufferevent);
    if (connection->fd < 0)
        return;
    connection->origin = origin_of(connection->fd);
    if (is_share_used(http, &connection->origin) || !may_begin(http, &connection->origin))
        drop_new(http, connection);
}

static void make_room(struct http *http)
{
    struct http_connection *connection;

    while (count_live(http) > http->setup.connections && (connection = find_waiting(http)) != NULL)
        drop(connection);
}

void http_connections_note_sockets(struct http *http)
{
    forget_ended(http);
    for (unsigned i = 0; i < http->connection_count; i++) {
        if (http->connections[i].bufferevent != NULL)
            note_socket(http, &http->connections[i]);
    }
    make_room(http);
    set_listeners(http);
}

void http_connections_check(struct http *http)
{
    int64_t limit_us = clock_now_us() - queue_settings(http->setup.queue)->request_ms * 1000;

    forget_ended(http);
    for (unsigned i = 0; i < http->connection_count; i++) {
        struct http_connection *connection = &http->connections[i];

        if (!connection->is_served && connection->fd >= 0 && connection->since_us < limit_us)
            drop(connection);
    }
    set_listeners(http);
}

static struct http_connection *find_connection(struct http *http, struct evhttp_request *request)
{
    struct evhttp_connection *connection = evhttp_request_get_connection(request);
    int fd = bufferevent_getfd(evhttp_connection_get_bufferevent(connection));
    uint64_t cookie = cookie_of(fd);

    for (unsigned i = 0; i < http->connection_count; i++) {
        if (http->connections[i].fd == fd && http->connections[i].cookie == cookie)
            return &http->connections[i];
    }
    return NULL;
}

/* The reply was read: now the time for the next request runs. */
static void on_complete(struct evhttp_request *request, void *context)
{
    struct http *http = context;
    struct http_connection *connection = find_connection(http, request);

    if (connection == NULL)
        return;
    connection->is_served = false;
    connection->since_us = clock_now_us();
    set_listeners(http);
}

void http_connections_serve(struct http *http, struct evhttp_request *request)
{
    struct http_connection *connection = find_connection(http, request);

    if (connection != NULL)
        connection->is_served = true;
    set_listeners(http);
    evhttp_request_set_on_complete_cb(request, on_complete, http);
}

bool http_connections_admit(struct http *http, struct evhttp_request *request, const char *user)
{
    struct http_connection *connection = find_connection(http, request);
    long count = 0;

    if (connection != NULL)
        snprintf(connection->user, sizeof connection->user, "%s", user);
    for (unsigned i = 0; i < http->connection_count; i++)
        count += strcmp(http->connections[i].user, user) == 0;
    return count <= queue_settings(http->setup.queue)->connections_per_user;
}

void http_connections_free(struct http *http)
{
    for (unsigned i = 0; i < http->connection_count; i++) {
        if (http->connections[i].bufferevent != NULL)
            bufferevent_decref(http->connections[i].bufferevent);
    }
    free(http->connections);
}
