/* While the link is up, it asks the server for an echo whenever nothing came for a while, because a
 * network that is cut says nothing. A link that is down tries again, with pauses that grow to
 * LAST_PAUSE_MS and never end: a server may be gone for an hour.
 *
 * A server is not trusted: no packet may be longer than its reader expects, and one that sends
 * questions but does not read our answers is left before they fill the memory. */

#include "tournament/distribute/gearman_link.h"

#include "base/clock.h"
#include "base/memory.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define DEFAULT_PORT 4730
#define FIRST_PAUSE_MS 50
#define LAST_PAUSE_MS 5000
#define ECHO_MS 15000    /* of silence, before an echo is asked for */
#define SILENCE_MS 45000 /* then it is down */
#define CONNECT_S 15
#define HOST_MAX 255
#define WAITING_MAX ((size_t)1 << 30) /* bytes to be sent */

struct gearman_link {
    struct event_base *base;
    const char *address;
    char host[HOST_MAX + 1];
    int port;
    struct gearman_link_observer observer;
    struct bufferevent *stream; /* NULL while it pauses */
    struct event *on_timer;     /* the end of a pause, or time for an echo */
    bool is_up;
    bool is_overfull; /* the server asks for more than it reads */
    unsigned pause_ms;
    int64_t heard_us;
};

size_t gearman_link_waiting_max = 2 * GEARMAN_PACKET_MAX;

static void connect_now(struct gearman_link *link);

/* Cuts the address up. Returns false if it is none. */
static bool read_address(const char *address, char host[HOST_MAX + 1], int *port)
{
    struct span rest = span_of(address);
    const char *colon = strrchr(address, ':');
    long number = DEFAULT_PORT;
    bool is_bracketed = address[0] == '[';
    size_t length = rest.length;

    if (is_bracketed && strchr(address, ']') == NULL)
        return false;
    if (colon != NULL && (!is_bracketed || colon[-1] == ']')) {
        length = (size_t)(colon - address);
        if (span_read_number(span_of(colon + 1), 1, 65535, &number) != 0)
            return false;
    }
    if (is_bracketed) {
        address++;
        length -= 2;
    }
    if (length == 0 || length > HOST_MAX || (!is_bracketed && memchr(address, ':', length) != NULL))
        return false;
    memcpy(host, address, length);
    host[length] = '\0';
    *port = (int)number;
    return true;
}

bool gearman_link_is_address(const char *address)
{
    char host[HOST_MAX + 1];
    int port;

    return read_address(address, host, &port);
}

static void set_timer(struct gearman_link *link, unsigned ms)
{
    struct timeval time = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    event_add(link->on_timer, &time);
}

static void go_down(struct gearman_link *link, const char *why)
{
    bool was_up = link->is_up;

    bufferevent_free(link->stream);
    link->stream = NULL;
    link->is_up = false;
    link->is_overfull = false;
    set_timer(link, link->pause_ms);
    link->pause_ms *= 2;
    if (link->pause_ms > LAST_PAUSE_MS)
        link->pause_ms = LAST_PAUSE_MS;
    if (was_up)
        link->observer.on_down(link->observer.context, why);
}

/* Returns whether there was a whole packet; false also if the link went down. */
static bool read_packet(struct gearman_link *link)
{
    struct evbuffer *input = bufferevent_get_input(link->stream);
    char head[GEARMAN_HEAD_BYTES];
    struct gearman_packet packet;
    unsigned type;
    size_t length;
    const char *body = "";

    if (evbuffer_copyout(input, head, sizeof head) < (ev_ssize_t)sizeof head)
        return false;
    if (gearman_packet_read_head(head, &type, &length) != 0) {
        go_down(link, "it does not speak the Gearman protocol");
        return false;
    }
    if (link->observer.packet_max > 0 && length > link->observer.packet_max) {
        go_down(link, "it sends a packet that is too long");
        return false;
    }
    if (evbuffer_get_length(input) < sizeof head + length)
        return false;
    evbuffer_drain(input, sizeof head);
    if (length > 0)
        body = (const char *)evbuffer_pullup(input, (ev_ssize_t)length);
    if (gearman_packet_read(&packet, type, (struct span){body, length}) == 0)
        link->observer.on_packet(link->observer.context, &packet);
    if (link->stream == NULL)
        return false;
    evbuffer_drain(input, length);
    return true;
}

static void on_read(struct bufferevent *stream, void *context)
{
    struct gearman_link *link = context;

    (void)stream;
    link->heard_us = clock_now_us();
    while (link->stream != NULL && read_packet(link))
        ;
    if (gearman_link_waiting(link) > WAITING_MAX)
        go_down(link, "it does not read what is sent to it");
}

static void on_event(struct bufferevent *stream, short what, void *context)
{
    struct gearman_link *link = context;
    int one = 1;

    if ((what & BEV_EVENT_CONNECTED) != 0) {
        (void)setsockopt(bufferevent_getfd(stream), IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        bufferevent_set_timeouts(stream, NULL, NULL);
        link->is_up = true;
        link->pause_ms = FIRST_PAUSE_MS;
        link->heard_us = clock_now_us();
        set_timer(link, ECHO_MS);
        link->observer.on_up(link->observer.context);
    } else {
        go_down(link, (what & BEV_EVENT_EOF) != 0 ? "it closed the connection"
                                                  : evutil_socket_error_to_string(errno));
    }
}

static void connect_now(struct gearman_link *link)
{
    struct timeval limit = {.tv_sec = CONNECT_S};

    link->stream = bufferevent_socket_new(link->base, -1, BEV_OPT_CLOSE_ON_FREE);
    if (link->stream == NULL) {
        set_timer(link, LAST_PAUSE_MS);
        return;
    }
    bufferevent_setcb(link->stream, on_read, NULL, on_event, link);
    bufferevent_set_timeouts(link->stream, &limit, &limit);
    bufferevent_enable(link->stream, EV_READ | EV_WRITE);
    if (bufferevent_socket_connect_hostname(link->stream, NULL, AF_UNSPEC, link->host,
                                            link->port) != 0 &&
        link->stream != NULL)
        go_down(link, "it cannot be reached");
}

static void on_timer(evutil_socket_t fd, short what, void *context)
{
    struct gearman_link *link = context;
    struct span echo = {"referee", 7};
    int64_t silence_ms = (clock_now_us() - link->heard_us) / 1000;

    (void)fd;
    (void)what;
    if (link->stream == NULL) {
        connect_now(link);
    } else if (link->is_overfull) {
        go_down(link, "it does not read");
    } else if (link->is_up && silence_ms > SILENCE_MS) {
        go_down(link, "it does not answer");
    } else {
        if (silence_ms >= ECHO_MS)
            gearman_link_send(link, GEARMAN_ECHO_REQ, &echo, 1);
        set_timer(link, ECHO_MS);
    }
}

struct gearman_link *gearman_link_new(struct event_base *base, const char *address,
                                      const struct gearman_link_observer *observer)
{
    struct gearman_link *link = xcalloc(1, sizeof *link);

    link->base = base;
    link->address = address;
    link->observer = *observer;
    link->pause_ms = FIRST_PAUSE_MS;
    (void)read_address(address, link->host, &link->port);
    link->on_timer = evtimer_new(base, on_timer, link);
    set_timer(link, 0);
    return link;
}

void gearman_link_free(struct gearman_link *link)
{
    if (link == NULL)
        return;
    if (link->stream != NULL)
        bufferevent_free(link->stream);
    event_free(link->on_timer);
    free(link);
}

const char *gearman_link_address(const struct gearman_link *link)
{
    return link->address;
}

bool gearman_link_is_up(const struct gearman_link *link)
{
    return link->is_up;
}

void gearman_link_send(struct gearman_link *link, enum gearman_type type,
                       const struct span *arguments, unsigned count)
{
    char head[GEARMAN_HEAD_BYTES];
    size_t length = count > 0 ? count - 1 : 0;

    if (!link->is_up || link->is_overfull)
        return;
    for (unsigned i = 0; i < count; i++)
        length += arguments[i].length;
    /* From the loop: callers are in the middle of things that change when the link goes down. */
    if (gearman_link_waiting(link) + length > gearman_link_waiting_max) {
        link->is_overfull = true;
        set_timer(link, 0);
        return;
    }
    gearman_packet_write_head(head, type, length);
    bufferevent_write(link->stream, head, sizeof head);
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            bufferevent_write(link->stream, "", 1);
        if (arguments[i].length > 0)
            bufferevent_write(link->stream, arguments[i].start, arguments[i].length);
    }
}

size_t gearman_link_waiting(const struct gearman_link *link)
{
    return link->stream != NULL ? evbuffer_get_length(bufferevent_get_output(link->stream)) : 0;
}
