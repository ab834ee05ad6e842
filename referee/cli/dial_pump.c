/* Two flows with a buffer each. In every turn each flow is filled and emptied as far as possible
 * without waiting; the process waits only if nothing moved. A read may need the connection to be
 * writable and a write may need it to be readable, so both are waited for as TLS says.
 *
 * The process is nobody's child, so that nobody has to wait for its end; it ends by itself when
 * either side has. Ctrl-C is for its client, which may still want to say something. */

#include "cli/dial_pump.h"

#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define BUFFER_BYTES 16384
#define FAREWELL_S 30 /* to send the rest when the client is gone */

struct flow {
    size_t length;
    bool has_ended; /* its source */
    bool is_told;   /* its destination knows that */
    char bytes[BUFFER_BYTES];
};

struct pump {
    SSL *session;
    int far, near;
    short far_events;    /* what TLS waits for */
    struct flow out, in; /* to the daemon; from it */
    bool is_broken;
};

static void drop_front(struct flow *flow, size_t count)
{
    flow->length -= count;
    memmove(flow->bytes, flow->bytes + count, flow->length);
}

/* Notes what TLS waits for. Returns false at an end or an error. */
static bool is_waiting(struct pump *pump, int result)
{
    int error = SSL_get_error(pump->session, result);

    if (error == SSL_ERROR_WANT_READ)
        pump->far_events |= POLLIN;
    else if (error == SSL_ERROR_WANT_WRITE)
        pump->far_events |= POLLOUT;
    else
        return false;
    return true;
}

static bool read_far(struct pump *pump)
{
    struct flow *in = &pump->in;
    int count;

    if (in->has_ended || in->length == BUFFER_BYTES)
        return false;
    count = SSL_read(pump->session, in->bytes + in->length, (int)(BUFFER_BYTES - in->length));
    if (count > 0)
        in->length += (size_t)count;
    else if (!is_waiting(pump, count))
        in->has_ended = true;
    return count > 0;
}

static bool write_far(struct pump *pump)
{
    struct flow *out = &pump->out;
    int count;

    if (out->length == 0)
        return false;
    count = SSL_write(pump->session, out->bytes, (int)out->length);
    if (count > 0)
        drop_front(out, (size_t)count);
    else if (!is_waiting(pump, count))
        pump->is_broken = true;
    return count > 0;
}

static bool read_near(struct pump *pump)
{
    struct flow *out = &pump->out;
    ssize_t count;

    if (out->has_ended || out->length == BUFFER_BYTES)
        return false;
    count = read(pump->near, out->bytes + out->length, BUFFER_BYTES - out->length);
    if (count > 0)
        out->length += (size_t)count;
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        out->has_ended = true;
    return count > 0;
}

static bool write_near(struct pump *pump)
{
    struct flow *in = &pump->in;
    ssize_t count;

    if (in->length == 0)
        return false;
    count = send(pump->near, in->bytes, in->length, MSG_NOSIGNAL);
    if (count > 0)
        drop_front(in, (size_t)count);
    else if (count < 0 && errno != EAGAIN && errno != EINTR)
        in->length = 0; /* nobody reads it any more */
    return count > 0;
}

/* An end is passed on when all before it is. */
static void pass_ends(struct pump *pump)
{
    if (pump->out.has_ended && pump->out.length == 0 && !pump->out.is_told) {
        pump->out.is_told = true;
        (void)SSL_shutdown(pump->session);
        (void)shutdown(pump->far, SHUT_WR);
    }
    if (pump->in.has_ended && pump->in.length == 0 && !pump->in.is_told) {
        pump->in.is_told = true;
        (void)shutdown(pump->near, SHUT_WR);
    }
}

static void wait_for_more(const struct pump *pump)
{
    bool has_room = !pump->out.has_ended && pump->out.length < BUFFER_BYTES;
    struct pollfd polled[2] = {
        {.fd = pump->far_events != 0 ? pump->far : -1, .events = pump->far_events},
        {.fd = pump->near,
         .events = (short)((has_room ? POLLIN : 0) | (pump->in.length > 0 ? POLLOUT : 0))},
    };

    (void)poll(polled, 2, -1);
    /* The client is gone altogether: what is left is sent, but not for ever. */
    if ((polled[1].revents & (POLLHUP | POLLERR)) != 0)
        (void)alarm(FAREWELL_S);
    if ((polled[1].revents & (POLLHUP | POLLERR)) != 0 && pump->out.is_told)
        _exit(0);
}

static void run(struct pump *pump)
{
    while (!pump->is_broken && !(pump->in.is_told && pump->out.is_told)) {
        bool is_moving;

        pump->far_events = 0;
        is_moving = read_far(pump);
        is_moving |= write_near(pump);
        is_moving |= read_near(pump);
        is_moving |= write_far(pump);
        pass_ends(pump);
        if (!is_moving && !(pump->in.is_told && pump->out.is_told))
            wait_for_more(pump);
    }
}

/* It keeps nothing of its client open but the two sockets: whoever reads the client's output must
 * see its end. */
static void close_others(int one, int other)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int low = one < other ? one : other;
    int high = one < other ? other : one;

    for (int fd = 0; fd <= 2; fd++)
        (void)dup2(null, fd);
    if (low > 3)
        (void)close_range(3, (unsigned)low - 1, 0);
    if (high > low + 1)
        (void)close_range((unsigned)low + 1, (unsigned)high - 1, 0);
    (void)close_range((unsigned)high + 1, ~0U, 0);
}

static void become_pump(SSL *session, int near)
{
    static struct pump pump;

    pump.session = session;
    pump.far = SSL_get_fd(session);
    pump.near = near;
    close_others(pump.far, near);
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)fcntl(pump.far, F_SETFL, fcntl(pump.far, F_GETFL) | O_NONBLOCK);
    (void)fcntl(near, F_SETFL, fcntl(near, F_GETFL) | O_NONBLOCK);
    run(&pump);
    _exit(0);
}

int dial_pump_start(SSL *session, struct text *problem)
{
    int fds[2];
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) {
        text_printf(problem, "no socket for TLS: %s", strerror(errno));
        return -1;
    }
    pid = fork();
    if (pid == 0) {
        if (fork() == 0) {
            close(fds[0]);
            become_pump(session, fds[1]);
        }
        _exit(0);
    }
    close(fds[1]);
    if (pid > 0) {
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        return fds[0];
    }
    text_printf(problem, "no process for TLS: %s", strerror(errno));
    close(fds[0]);
    return -1;
}
