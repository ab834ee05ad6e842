/* The doors: listening sockets, and how many may be inside. Who comes when all places are taken is told so
 * in the words of the protocol and sent away, without a place. The last places are for the Unix socket, so
 * that strangers cannot keep the owner out. */

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
#define LOCAL_SHARE 16 /* one of so many places is for the Unix socket alone */

const struct control_limits control_limits = {
    .hello_ms = 10000,
    .line_ms = 30000,
    .block_ms = 30000,
    .block_step = (size_t)64 << 10,
    .write_ms = 30000,
    .linger_ms = 2000,
    .waiting_bytes = (size_t)256 << 10,
    .event_bytes = (size_t)1 << 20,
    .upload_bytes = (size_t)64 << 20,
};

static const struct timeval rest = {.tv_usec = 200000};

struct listener {
    struct control *control;
    enum control_door door;
    struct evconnlistener *socket;
    struct event *again; /* opens the door after a rest */
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
    event_free(listener->again);
    free(listener);
}

void control_close_doors(struct control *control)
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
    control_close_doors(control);
    while (control->clients != NULL)
        client_free(control->clients);
    free(control);
}

unsigned control_count(const struct control *control)
{
    return control->count;
}

static bool is_full(const struct control *control, enum control_door door)
{
    unsigned places = control->setup.connections;

    if (door != CONTROL_LOCAL)
        places -= places / LOCAL_SHARE;
    return control->count >= places;
}

/* What has come is read first: otherwise closing would take the words back. */
static void send_away(int fd)
{
    char bytes[REQUEST_LINE_MAX];
    struct serve_error error;

    (void)serve_error_set(&error, SERVE_ERROR_BUSY, "too many connections: try again later");
    (void)snprintf(bytes, sizeof bytes, "error %s %s %s\n",
                   serve_error_class_name(serve_error_class(error.code)),
                   serve_error_name(error.code), error.words);
    (void)send(fd, bytes, strlen(bytes), MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    (void)close(fd);
}

static void on_connection(struct evconnlistener *socket, evutil_socket_t fd,
                          struct sockaddr *address, int length, void *context)
{
    const struct listener *listener = context;

    (void)socket;
    (void)address;
    (void)length;
    if (is_full(listener->control, listener->door))
        send_away(fd);
    else
        client_start(listener->control, fd, listener->door);
}

/* Nobody can be let in, for want of descriptors perhaps. Trying again at once would only burn time. */
static void on_failed_connection(struct evconnlistener *socket, void *context)
{
    const struct listener *listener = context;

    (void)evconnlistener_disable(socket);
    (void)event_add(listener->again, &rest);
}

static void on_rested(int fd, short what, void *context)
{
    const struct listener *listener = context;

    (void)fd;
    (void)what;
    (void)evconnlistener_enable(listener->socket);
}

int control_listen(struct control *control, int fd, enum control_door door)
{
    struct listener *listener = xcalloc(1, sizeof *listener);

    listener->control = control;
    listener->door = door;
    listener->again = evtimer_new(control->setup.base, on_rested, listener);
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
