/* A remote bot whose connection has TLS. The process that plays its match gets a plain socket, as
 * from any other remote bot, and the daemon passes bytes between that socket and the connection.
 *
 * Each direction has a buffer with a limit: while it is full nothing more is read from its source.
 * The end of one side is passed on when all before it is sent. When the match has ended, the bot
 * has a moment to read the rest and to close; a bot that reads nothing is disconnected like any
 * client. The end of both sides, or an error of one, is the end of the relay. */

#include "serve/control/control_private.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)64 * 1024)

enum relay_side {
    RELAY_BOT,   /* the connection, with TLS */
    RELAY_MATCH, /* the plain socket */
    RELAY_SIDE_COUNT,
};

struct relay {
    struct relay *next, **link;
    struct control *control;
    struct bufferevent *streams[RELAY_SIDE_COUNT];
    bool has_ended[RELAY_SIDE_COUNT]; /* nothing more comes from it */
    bool is_told[RELAY_SIDE_COUNT];   /* it knows that nothing more comes for it */
    struct event *deadline;           /* for the bot to close */
};

static void relay_free(struct relay *relay)
{
    *relay->link = relay->next;
    if (relay->next != NULL)
        relay->next->link = relay->link;
    event_free(relay->deadline);
    for (unsigned i = 0; i < RELAY_SIDE_COUNT; i++)
        bufferevent_free(relay->streams[i]);
    free(relay);
}

void tls_relay_free_all(struct control *control)
{
    while (control->relays != NULL)
        relay_free(control->relays);
}

static size_t waiting_for(const struct relay *relay, enum relay_side side)
{
    return evbuffer_get_length(bufferevent_get_output(relay->streams[side]));
}

static void tell_end(struct relay *relay, enum relay_side side)
{
    struct bufferevent *stream = relay->streams[side];
    long ms = relay->control->limits.linger_ms;
    struct timeval time = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    relay->is_told[side] = true;
    if (side == RELAY_BOT) {
        tls_end_output(stream);
        (void)event_add(relay->deadline, &time);
    }
    (void)shutdown(bufferevent_getfd(stream), SHUT_WR);
}

/* Moves what has come from `from`, as far as there is room. May free the relay. */
static void pass_on(struct relay *relay, enum relay_side from)
{
    enum relay_side to = from == RELAY_BOT ? RELAY_MATCH : RELAY_BOT;
    struct evbuffer *input = bufferevent_get_input(relay->streams[from]);

    if (relay->is_told[to])
        (void)evbuffer_drain(input, evbuffer_get_length(input));
    else
        (void)evbuffer_add_buffer(bufferevent_get_output(relay->streams[to]), input);
    if (waiting_for(relay, to) >= BUFFER_BYTES)
        (void)bufferevent_disable(relay->streams[from], EV_READ);
    else if (!relay->has_ended[from])
        (void)bufferevent_enable(relay->streams[from], EV_READ);
    if (relay->has_ended[from] && waiting_for(relay, to) == 0 && !relay->is_told[to])
        tell_end(relay, to);
    if (relay->is_told[RELAY_BOT] && relay->is_told[RELAY_MATCH])
        relay_free(relay);
}

static enum relay_side side_of(const struct relay *relay, const struct bufferevent *stream)
{
    return relay->streams[RELAY_BOT] == stream ? RELAY_BOT : RELAY_MATCH;
}

static void on_readable(struct bufferevent *stream, void *context)
{
    pass_on(context, side_of(context, stream));
}

static void on_sent(struct bufferevent *stream, void *context)
{
    pass_on(context, side_of(context, stream) == RELAY_BOT ? RELAY_MATCH : RELAY_BOT);
}

static void on_stream_event(struct bufferevent *stream, short what, void *context)
{
    struct relay *relay = context;
    enum relay_side side = side_of(relay, stream);

    if ((what & BEV_EVENT_EOF) == 0) {
        relay_free(relay);
        return;
    }
    relay->has_ended[side] = true;
    pass_on(relay, side);
}

static void on_deadline(int fd, short what, void *context)
{
    (void)fd;
    (void)what;
    relay_free(context);
}

static void start_stream(struct relay *relay, enum relay_side side)
{
    struct bufferevent *stream = relay->streams[side];
    long ms = relay->control->limits.write_ms;
    struct timeval time = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    bufferevent_setcb(stream, on_readable, on_sent, on_stream_event, relay);
    bufferevent_setwatermark(stream, EV_READ, 0, BUFFER_BYTES);
    bufferevent_setwatermark(stream, EV_WRITE, 0, 0);
    (void)bufferevent_set_timeouts(stream, NULL, side == RELAY_BOT ? &time : NULL);
    (void)bufferevent_enable(stream, EV_READ | EV_WRITE);
}

int tls_relay_start(struct control *control, struct bufferevent *stream)
{
    struct relay *relay;
    int fds[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0) {
        bufferevent_free(stream);
        return -1;
    }
    relay = xcalloc(1, sizeof *relay);
    relay->control = control;
    relay->streams[RELAY_BOT] = stream;
    relay->streams[RELAY_MATCH] =
        bufferevent_socket_new(control->setup.base, fds[0], BEV_OPT_CLOSE_ON_FREE);
    relay->deadline = evtimer_new(control->setup.base, on_deadline, relay);
    relay->next = control->relays;
    relay->link = &control->relays;
    if (relay->next != NULL)
        relay->next->link = &relay->next;
    control->relays = relay;
    remote_bots_keep_alive(bufferevent_getfd(stream));
    start_stream(relay, RELAY_BOT);
    start_stream(relay, RELAY_MATCH);
    return fds[1];
}
