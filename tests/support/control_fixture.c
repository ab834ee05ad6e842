/* Daemon and clients are in one process: a client that waits for a line runs the loop until it is
 * there. Only a test that fails waits long. */

#include "support/control_fixture.h"

#include "base/clock.h"
#include "support/patience.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct control_fixture control_fixture;

static void on_shutdown(void *context, bool is_urgent)
{
    (void)context;
    control_fixture.shutdowns++;
    control_fixture.was_urgent = is_urgent;
}

static void on_arrival(void *context)
{
    (void)context;
}

static void open_queue(void)
{
    char message[300];
    struct text problem;
    struct queue_setup setup = {.base = control_fixture.idle_base,
                                .folder = scratch_path(""),
                                .program = "/bin/false",
                                .level = SANDBOX_GUARDED,
                                .settings = &control_fixture.settings,
                                .socket = "socket"};

    text_start(&problem, message, sizeof message);
    control_fixture.queue = queue_new(&setup, &problem);
    cr_assert_not_null(control_fixture.queue, "%s", message);
    cr_assert_eq(users_add(scratch_path("users"),
                           &(struct new_user){.name = CONTROL_FIXTURE_TOKEN_USER},
                           control_fixture.token, &problem),
                 0, "%s", message);
    control_fixture.users = users_open(scratch_path("users"), &problem);
    cr_assert_not_null(control_fixture.users, "%s", message);
}

void control_fixture_open(void)
{
    struct control_setup setup = {.connections = 32, .on_shutdown = on_shutdown};

    scratch_begin();
    memset(&control_fixture, 0, sizeof control_fixture);
    control_fixture.settings = settings_default();
    control_fixture.base = event_base_new();
    control_fixture.idle_base = event_base_new();
    open_queue();
    control_fixture.remote_bots = remote_bots_new(control_fixture.base, on_arrival, NULL);
    setup.base = control_fixture.base;
    setup.queue = control_fixture.queue;
    setup.users = control_fixture.users;
    setup.remote_bots = control_fixture.remote_bots;
    control_fixture.control = control_new(&setup);
}

void control_fixture_close(void)
{
    control_free(control_fixture.control);
    remote_bots_free(control_fixture.remote_bots);
    users_free(control_fixture.users);
    queue_free(control_fixture.queue);
    event_base_free(control_fixture.base);
    event_base_free(control_fixture.idle_base);
    scratch_end();
}

void control_fixture_turn(void)
{
    for (unsigned i = 0; i < 4; i++)
        (void)event_base_loop(control_fixture.base, EVLOOP_NONBLOCK);
}

void peer_connect(struct peer *peer, enum control_address address)
{
    int ends[2];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
    peer->fd = ends[0];
    peer->length = 0;
    client_start(control_fixture.control, ends[1], address, NULL);
}

void peer_hang_up(struct peer *peer)
{
    (void)close(peer->fd);
    control_fixture_turn();
}

void peer_begin(struct peer *peer, enum control_address address)
{
    peer_connect(peer, address);
    say(peer, "hello 1");
    hears_beginning(peer, "ok 1 ");
}

void say_bytes(struct peer *peer, const char *bytes, size_t length)
{
    int64_t start_us = clock_now_us();

    while (length > 0) {
        ssize_t sent = send(peer->fd, bytes, length, MSG_NOSIGNAL);

        cr_assert(sent > 0 || errno == EAGAIN, "cannot say more: %s", strerror(errno));
        cr_assert_lt(clock_now_us() - start_us, PATIENCE_US, "nobody reads what is said");
        if (sent > 0) {
            bytes += sent;
            length -= (size_t)sent;
        }
        control_fixture_turn();
    }
}

void say(struct peer *peer, const char *line)
{
    char bytes[REQUEST_LINE_MAX];

    (void)snprintf(bytes, sizeof bytes, "%s\n", line);
    say_bytes(peer, bytes, strlen(bytes));
}

void say_no_more(struct peer *peer)
{
    cr_assert_eq(shutdown(peer->fd, SHUT_WR), 0);
}

/* Turns the loop and reads once. Returns what read() did. */
static ssize_t listen_once(struct peer *peer)
{
    ssize_t came;

    control_fixture_turn();
    came = read(peer->fd, peer->bytes + peer->length, sizeof peer->bytes - peer->length);
    if (came > 0)
        peer->length += (size_t)came;
    return came;
}

static void forget(struct peer *peer, size_t length)
{
    peer->length -= length;
    memmove(peer->bytes, peer->bytes + length, peer->length);
}

const char *next_line(struct peer *peer)
{
    static char line[1 << 14];
    int64_t start_us = clock_now_us();
    const char *end;
    size_t length;

    while ((end = memchr(peer->bytes, '\n', peer->length)) == NULL) {
        ssize_t came = listen_once(peer);

        cr_assert(came > 0 || (came < 0 && errno == EAGAIN), "the connection has ended: %s",
                  came < 0 ? strerror(errno) : "closed");
        cr_assert_lt(clock_now_us() - start_us, PATIENCE_US, "no line comes");
    }
    length = (size_t)(end - peer->bytes);
    cr_assert_lt(length, sizeof line);
    memcpy(line, peer->bytes, length);
    line[length] = '\0';
    forget(peer, length + 1);
    return line;
}

void hears(struct peer *peer, const char *line)
{
    const char *came = next_line(peer);

    cr_assert_str_eq(came, line, "\"%s\" came, not \"%s\"", came, line);
}

void hears_beginning(struct peer *peer, const char *beginning)
{
    const char *came = next_line(peer);

    cr_assert_eq(strncmp(came, beginning, strlen(beginning)), 0, "\"%s\" came, not \"%s…\"", came,
                 beginning);
}

void hears_block(struct peer *peer, const char *body)
{
    size_t length = strlen(body);
    int64_t start_us = clock_now_us();
    char head[40];

    (void)snprintf(head, sizeof head, "block %zu", length);
    hears(peer, head);
    while (peer->length < length) {
        (void)listen_once(peer);
        cr_assert_lt(clock_now_us() - start_us, PATIENCE_US, "the block does not come");
    }
    cr_assert_eq(memcmp(peer->bytes, body, length), 0, "%.*s", (int)length, peer->bytes);
    forget(peer, length);
}

void hears_end(struct peer *peer)
{
    int64_t start_us = clock_now_us();
    ssize_t came;

    do {
        came = listen_once(peer);
        cr_assert_eq(peer->length, 0, "still there: %.*s", (int)peer->length, peer->bytes);
        cr_assert_lt(clock_now_us() - start_us, PATIENCE_US, "the connection does not end");
    } while (came < 0 && errno == EAGAIN);
    (void)close(peer->fd);
    control_fixture_turn();
}

void asks(struct peer *peer, const char *line, const char *reply)
{
    say(peer, line);
    hears(peer, reply);
}
