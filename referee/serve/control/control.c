/* Listening sockets, and how many connections there may be: in all, from one address and of one
 * user. A client beyond that gets an error of the protocol and is disconnected. If there are too
 * many in all, the one that has been silent for longest before its hello makes room, so that
 * connections that say nothing keep nobody out. The last connections are reserved for the Unix
 * socket, so that strangers cannot keep the owner out. */

#include "serve/control/control_private.h"

#include "base/memory.h"

#include <event2/listener.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 128
#define LOCAL_SHARE 16 /* one of so many connections is reserved for the Unix socket */

const struct control_limits control_limits = {
    .block_step = (size_t)64 << 10,
    .write_ms = 30000,
    .linger_ms = 2000,
    .waiting_bytes = (size_t)256 << 10,
    .event_bytes = (size_t)1 << 20,
    .upload_bytes = (size_t)64 << 20,
    .user_bytes = REQUEST_UPLOAD_MAX,
};

static const struct timeval retry_after = {.tv_usec = 200000};

struct listener {
    struct control *control;
    enum control_address address;
    struct evconnlistener *socket;
    struct event *resume; /* accepts again after a pause */
    struct listener *next;
};

struct control *control_new(const struct control_setup *setup)
{
    struct control *control = xcalloc(1, sizeof *control);

    control->setup = *setup;
    control->limits = control_limits;
    (void)signal(SIGPIPE, SIG_IGN);
    return control;
}

static void listener_free(struct listener *listener)
{
    if (listener->socket != NULL)
        evconnlistener_free(listener->socket);
    event_free(listener->resume);
    free(listener);
}

void control_close_listeners(struct control *control)
{
    while (control->listeners != NULL) {
        struct listener *listener = control->listeners;

        control->listeners = listener->next;
        listener_free(listener);
    }
}

void control_free(struct control *control)
{
    if (control == NULL)
        return;
    control_close_listeners(control);
    while (control->clients != NULL)
        client_free(control->clients);
    tls_relay_free_all(control);
    free(control);
}

bool control_is_owner(uid_t user)
{
    return user == 0 || user == geteuid();
}

unsigned control_count(const struct control *control)
{
    return control->count;
}

static bool is_full(const struct control *control, enum control_address address)
{
    unsigned most = control->setup.connections;

    if (address != CONTROL_LOCAL)
        most -= most / LOCAL_SHARE;
    return control->count >= most;
}

unsigned control_count_user(const struct control *control, const char *user)
{
    unsigned count = 0;

    for (const struct client *client = control->clients; client != NULL; client = client->next)
        count += strcmp(client->user, user) == 0;
    return count;
}

static unsigned count_origin(const struct control *control, const struct origin *origin)
{
    unsigned count = 0;

    for (const struct client *client = control->clients; client != NULL; client = client->next)
        count += origin_is_same(&client->origin, origin);
    return count;
}

/* Makes room for another client, if it can. The newest is first in the list. */
static void drop_silent(struct control *control)
{
    struct client *oldest = NULL;

    for (struct client *client = control->clients; client != NULL; client = client->next) {
        if ((client->state == CLIENT_HELLO || client->state == CLIENT_LINGERING) &&
            client->address != CONTROL_LOCAL)
            oldest = client;
    }
    if (oldest != NULL)
        client_free(oldest);
}

/* Returns 0, or -1 with an error. The owner's own share has no limit. */
static int admit(struct control *control, int fd, enum control_address address,
                 struct request_error *error)
{
    const struct settings *settings = queue_settings(control->setup.queue);
    long most = settings->connections_per_address;
    struct origin origin = origin_of(fd);
    struct handshakes_limits limits = {settings->handshakes_per_address, settings->handshakes};

    if (!(address == CONTROL_LOCAL && control_is_owner(origin_uid(fd))) &&
        count_origin(control, &origin) >= most)
        return request_error_set(error, REQUEST_ERROR_TOO_MANY,
                                 "there are %ld connections from this address, and this daemon "
                                 "allows no more (connections_per_address)",
                                 most);
    if (is_full(control, address))
        drop_silent(control);
    if (is_full(control, address))
        return request_error_set(error, REQUEST_ERROR_BUSY,
                                 "too many connections: try again later");
    if (address != CONTROL_LOCAL && control->setup.tls != NULL &&
        !tls_admit(control->setup.tls, origin.bytes, &limits))
        return request_error_set(error, REQUEST_ERROR_BUSY, "too many handshakes: try again later");
    return 0;
}

/* With TLS an error could only be sent after the handshake, which is what costs most. Input is read
 * first: closing a socket with unread input would discard the error, too. */
static void turn_away(int fd, bool is_tls, const struct request_error *error)
{
    char bytes[REQUEST_LINE_MAX];
    struct text text;

    text_start(&text, bytes, sizeof bytes);
    request_error_write(&text, error);
    text_add_char(&text, '\n');
    if (!is_tls)
        (void)send(fd, bytes, text.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    (void)close(fd);
}

static void on_connection(struct evconnlistener *socket, evutil_socket_t fd,
                          struct sockaddr *address, int length, void *context)
{
    const struct listener *listener = context;
    const struct tls *tls =
        listener->address != CONTROL_LOCAL ? listener->control->setup.tls : NULL;
    struct request_error error;

    (void)socket;
    (void)address;
    (void)length;
    if (admit(listener->control, fd, listener->address, &error) != 0)
        turn_away(fd, tls != NULL, &error);
    else
        (void)client_start(listener->control, fd, listener->address, tls);
}

/* Accepting failed, perhaps for lack of descriptors. Trying again at once would only waste time. */
static void on_failed_connection(struct evconnlistener *socket, void *context)
{
    const struct listener *listener = context;

    (void)evconnlistener_disable(socket);
    (void)event_add(listener->resume, &retry_after);
}

static void on_resume(int fd, short what, void *context)
{
    const struct listener *listener = context;

    (void)fd;
    (void)what;
    (void)evconnlistener_enable(listener->socket);
}

int control_connect(struct control *control, const char *user, struct request_error *error)
{
    int fds[2];

    if (is_full(control, CONTROL_LOOPBACK))
        drop_silent(control);
    if (is_full(control, CONTROL_LOOPBACK) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0)
        return request_error_set(error, REQUEST_ERROR_BUSY,
                                 "too many connections: try again later");
    if (handle_greet(client_start(control, fds[0], CONTROL_LOOPBACK, NULL), user, error) == 0)
        return fds[1];
    (void)close(fds[1]);
    return -1;
}

int control_listen(struct control *control, int fd, enum control_address address)
{
    struct listener *listener = xcalloc(1, sizeof *listener);

    listener->control = control;
    listener->address = address;
    listener->resume = evtimer_new(control->setup.base, on_resume, listener);
    listener->socket =
        evconnlistener_new(control->setup.base, on_connection, listener,
                           LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, BACKLOG, fd);
    if (listener->socket == NULL) {
        listener_free(listener);
        return -1;
    }
    evconnlistener_set_error_cb(listener->socket, on_failed_connection);
    listener->next = control->listeners;
    control->listeners = listener;
    return 0;
}
