/* One connection, from hello to its end. A client has one state (control_private.h); client_read.c
 * handles its input, client_write.c its output.
 *
 * A connection ends in steps, because closing a socket with unread input discards the last reply:
 * LEAVING sends the rest; LINGERING has closed our side and drops input, until the client closes
 * its side or its time is over. A LOST client is freed by the loop, not where the loss was noticed:
 * that may be in the middle of its own request, or of sending an event to all watchers. */

#include "serve/control/control_private.h"

#include "base/memory.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define INPUT_BYTES ((size_t)16 * 1024) /* more than any line has */

size_t client_waiting(const struct client *client)
{
    return evbuffer_get_length(bufferevent_get_output(client->stream));
}

struct caller client_caller(const struct client *client)
{
    return (struct caller){
        .user = client->user,
        .is_owner = client->is_owner,
        .is_organiser = users_is_organiser(client->control->setup.users, client->user),
    };
}

static long time_for(const struct client *client, enum client_debt debt)
{
    const struct settings *settings = queue_settings(client->control->setup.queue);

    switch (debt) {
    case CLIENT_OWES_NOTHING:
        break;
    case CLIENT_OWES_HELLO:
        return settings->hello_ms;
    case CLIENT_OWES_LINE:
    case CLIENT_OWES_BLOCK:
        return settings->request_ms;
    case CLIENT_OWES_REQUEST:
        return settings->idle_ms;
    case CLIENT_OWES_END:
        return client->control->limits.linger_ms;
    }
    return 0;
}

void client_set_debt(struct client *client, enum client_debt debt)
{
    long ms = time_for(client, debt);
    struct timeval time = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    if (client->debt == debt)
        return;
    client->debt = debt;
    (void)event_del(client->deadline);
    if (debt != CLIENT_OWES_NOTHING)
        (void)event_add(client->deadline, &time);
}

/* A client that is about to close gets no more events. */
static void stop_watching(struct client *client)
{
    broadcast_leave(client->watcher);
    client->watcher = NULL;
    (void)evbuffer_drain(client->events, evbuffer_get_length(client->events));
}

static void stop_waiting_for_bot(struct client *client)
{
    remote_bots_cancel(client->order);
    client->order = NULL;
    if (client->fetched_fd >= 0)
        (void)close(client->fetched_fd);
    client->fetched_fd = -1;
}

static void stop_waiting_for_process(struct client *client)
{
    pruning_wait_free(client->pruning);
    client->pruning = NULL;
    trial_wait_free(client->trial);
    client->trial = NULL;
    unpacking_free(client->unpacking);
    client->unpacking = NULL;
}

void client_enter(struct client *client, enum client_state state)
{
    stop_waiting_for_process(client);
    client->state = state;
    client_set_debt(client, CLIENT_OWES_NOTHING);
    if (state >= CLIENT_PLAYING)
        stop_watching(client);
    if (state > CLIENT_FETCHING) {
        stop_waiting_for_bot(client);
        client_drop_block(client);
    }
    if (state == CLIENT_PLAYING || state == CLIENT_LEAVING || state == CLIENT_LOST)
        (void)bufferevent_disable(client->stream, EV_READ);
}

void client_lose(struct client *client)
{
    if (client->state == CLIENT_LOST)
        return;
    client_enter(client, CLIENT_LOST);
    (void)bufferevent_disable(client->stream, EV_READ | EV_WRITE);
    event_active(client->deadline, EV_TIMEOUT, 0);
}

/* All is sent: closes our side. */
static void linger(struct client *client)
{
    struct evbuffer *input = bufferevent_get_input(client->stream);

    if (client->is_tls)
        tls_end_output(client->stream);
    (void)shutdown(bufferevent_getfd(client->stream), SHUT_WR);
    if (client->is_input_over) {
        client_lose(client);
        return;
    }
    client_enter(client, CLIENT_LINGERING);
    (void)evbuffer_drain(input, evbuffer_get_length(input));
    (void)bufferevent_enable(client->stream, EV_READ);
    client_set_debt(client, CLIENT_OWES_END);
}

void client_leave(struct client *client)
{
    if (client->state >= CLIENT_LEAVING)
        return;
    client_enter(client, CLIENT_LEAVING);
    if (client_waiting(client) == 0)
        linger(client);
}

int client_take_fd(struct client *client)
{
    struct bufferevent *stream = client->stream;
    int fd = bufferevent_getfd(stream);

    client_lose(client);
    if (client->is_tls) {
        client->stream = bufferevent_socket_new(client->control->setup.base, -1, 0);
        return tls_relay_start(client->control, stream);
    }
    (void)bufferevent_setfd(stream, -1);
    return fd;
}

/* Callbacks of the loop. */

static void on_readable(struct bufferevent *stream, void *context)
{
    (void)stream;
    client_read(context);
}

static void on_sent(struct bufferevent *stream, void *context)
{
    struct client *client = context;

    (void)stream;
    client_flush_events(client);
    if (client_waiting(client) == 0) {
        if (client->state == CLIENT_LEAVING)
            linger(client);
        else if (client->state == CLIENT_PLAYING || client->state == CLIENT_FETCHING)
            handle_remote_continue(client);
    }
    client_read(client);
}

static void on_stream_event(struct bufferevent *stream, short what, void *context)
{
    struct client *client = context;

    (void)stream;
    if ((what & BEV_EVENT_CONNECTED) != 0)
        return; /* the handshake is over */
    if ((what & BEV_EVENT_EOF) == 0 || client->state >= CLIENT_PLAYING) {
        client_lose(client);
        return;
    }
    client->is_input_over = true;
    client_read(client);
}

static void on_deadline(int fd, short what, void *context)
{
    struct client *client = context;

    (void)fd;
    (void)what;
    client_free(client);
}

/* Start and end. */

static void set_options(int fd, enum control_address address)
{
    static const int on = 1;

    if (address == CONTROL_LOCAL)
        return;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

static void add_to_list(struct client *client)
{
    struct control *control = client->control;

    client->next = control->clients;
    client->link = &control->clients;
    if (client->next != NULL)
        client->next->link = &client->next;
    control->clients = client;
    control->count++;
}

static void start_stream(struct client *client)
{
    const struct control_limits *limits = &client->control->limits;
    struct timeval time = {.tv_sec = limits->write_ms / 1000,
                           .tv_usec = limits->write_ms % 1000 * 1000};

    bufferevent_setcb(client->stream, on_readable, on_sent, on_stream_event, client);
    bufferevent_setwatermark(client->stream, EV_READ, 0, INPUT_BYTES);
    bufferevent_setwatermark(client->stream, EV_WRITE, limits->waiting_bytes, 0);
    (void)bufferevent_set_timeouts(client->stream, NULL, &time);
    (void)bufferevent_enable(client->stream, EV_READ | EV_WRITE);
}

struct client *client_start(struct control *control, int fd, enum control_address address,
                            const struct tls *tls)
{
    struct client *client;
    struct bufferevent *stream =
        tls != NULL ? tls_accept(tls, control->setup.base, fd)
                    : bufferevent_socket_new(control->setup.base, fd, BEV_OPT_CLOSE_ON_FREE);

    if (stream == NULL)
        return NULL;
    client = xcalloc(1, sizeof *client);
    client->control = control;
    client->stream = stream;
    client->is_tls = tls != NULL;
    client->address = address;
    client->origin = origin_of(fd);
    client->uid = address == CONTROL_LOCAL ? origin_uid(fd) : (uid_t)-1;
    client->fetched_fd = -1;
    client->deadline = evtimer_new(control->setup.base, on_deadline, client);
    client->events = evbuffer_new();
    set_options(fd, address);
    add_to_list(client);
    start_stream(client);
    client_set_debt(client, CLIENT_OWES_HELLO);
    return client;
}

/* Sends what the socket takes at once: the daemon may be about to end, and clients that watch
 * should learn how the last match ended. */
static void send_rest(struct client *client)
{
    struct evbuffer *output = bufferevent_get_output(client->stream);

    client_flush_events(client);
    if (client->is_tls) {
        tls_send_now(client->stream);
        return;
    }
    (void)evbuffer_unfreeze(output, 1);
    (void)evbuffer_write(output, bufferevent_getfd(client->stream));
}

void client_free(struct client *client)
{
    if (client->state < CLIENT_LINGERING)
        send_rest(client);
    stop_watching(client);
    stop_waiting_for_bot(client);
    stop_waiting_for_process(client);
    client_drop_block(client);
    *client->link = client->next;
    if (client->next != NULL)
        client->next->link = client->link;
    client->control->count--;
    event_free(client->deadline);
    bufferevent_free(client->stream);
    evbuffer_free(client->events);
    free(client);
}
