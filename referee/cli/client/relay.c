/* Two flows, each with a buffer that is filled at one side and emptied at the other. A flow has
 * ended when its source has ended and its buffer is empty; then the other side gets an end of file.
 * A side that cannot be written to is still read: so the end of the other direction is noticed. */

#include "cli/client/relay.h"

#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER_BYTES 65536

struct flow {
    int from, to; /* -1: ended */
    size_t length;
    char bytes[BUFFER_BYTES];
};

static void set_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    if (flags >= 0)
        (void)fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

static bool is_temporary(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

static void fill(struct flow *flow)
{
    ssize_t count = read(flow->from, flow->bytes + flow->length, sizeof flow->bytes - flow->length);

    if (count > 0)
        flow->length += (size_t)count;
    else if (count == 0 || !is_temporary(errno))
        flow->from = -1;
}

static void empty(struct flow *flow)
{
    ssize_t count = 0;

    if (flow->to >= 0)
        count = write(flow->to, flow->bytes, flow->length);
    if (count < 0 && !is_temporary(errno))
        flow->to = -1;
    if (flow->to < 0) {
        flow->length = 0;
    } else if (count > 0) {
        flow->length -= (size_t)count;
        memmove(flow->bytes, flow->bytes + count, flow->length);
    }
}

static bool is_over(const struct flow *flow)
{
    return flow->from < 0 && flow->length == 0;
}

/* Polls only what is needed: others would return at once with an error that was seen already. */
static void await_flows(const struct flow *flows, struct pollfd polled[4])
{
    for (unsigned i = 0; i < 2; i++) {
        bool has_room = flows[i].length < sizeof flows[i].bytes;

        polled[2 * i] = (struct pollfd){has_room ? flows[i].from : -1, POLLIN, 0};
        polled[2 * i + 1] = (struct pollfd){flows[i].length > 0 ? flows[i].to : -1, POLLOUT, 0};
    }
    if (poll(polled, 4, -1) < 0) {
        for (unsigned i = 0; i < 4; i++)
            polled[i].revents = 0;
    }
}

static void move(struct flow *flow, const struct pollfd polled[2])
{
    if (polled[0].revents != 0)
        fill(flow);
    if (flow->length > 0 && (polled[0].revents != 0 || polled[1].revents != 0))
        empty(flow);
}

enum relay_end relay_run(const struct relay_ends *ends, struct span unread, bool is_near_enough)
{
    static struct flow flows[2]; /* out: to the far side; in: to the near one */
    struct flow *out = &flows[0], *in = &flows[1];
    struct pollfd polled[4];
    bool has_near_ended = false;

    *out = (struct flow){.from = ends->from_near, .to = ends->far};
    *in = (struct flow){.from = ends->far, .to = ends->to_near, .length = unread.length};
    if (unread.length > sizeof in->bytes)
        fatal("%zu bytes were read before they are passed on", unread.length);
    memcpy(in->bytes, unread.start, unread.length);
    signal(SIGPIPE, SIG_IGN);
    set_nonblocking(ends->from_near);
    set_nonblocking(ends->to_near);
    set_nonblocking(ends->far);
    while (!is_over(in) && !(has_near_ended && is_near_enough)) {
        await_flows(flows, polled);
        move(in, &polled[2]);
        move(out, &polled[0]);
        if (is_over(out) && !has_near_ended) {
            has_near_ended = true;
            (void)shutdown(ends->far, SHUT_WR);
        }
    }
    close(ends->to_near);
    close(ends->from_near);
    close(ends->far);
    return has_near_ended ? RELAY_NEAR_ENDED : RELAY_FAR_ENDED;
}
