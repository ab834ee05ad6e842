/* Clients that ask for too much, read too little, or take too long. */

#include "support/control_fixture.h"
#include "support/scratch.h"

#include "base/memory.h"
#include "support/broadcast_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

TestSuite(control_limits, .init = control_fixture_open, .fini = control_fixture_close);

static struct peer peer, other;

/* Files. */

static void make_job(void)
{
    asks(&peer, "submit far remote=yes", "ok bot=far version=1");
    asks(&peer, "match far far", "ok job=1");
}

/* Reads so many bytes, and returns the largest number that was waiting to be sent. */
static size_t hears_bytes(size_t left)
{
    size_t most = 0;

    while (left > 0) {
        size_t length = left < sizeof peer.bytes ? left : sizeof peer.bytes;
        ssize_t came;

        if (client_waiting(control_fixture.control->clients) > most)
            most = client_waiting(control_fixture.control->clients);
        control_fixture_turn();
        came = read(peer.fd, peer.bytes, length);
        left -= came > 0 ? (size_t)came : 0;
    }
    return most;
}

Test(control_limits, no_request_is_read_while_much_waits_to_be_sent)
{
    enum { LENGTH = 200000, REQUESTS = 50, REPLY = LENGTH + sizeof "block 200000" };
    char *file = xcalloc(LENGTH, 1);
    size_t most;

    peer_begin(&peer, CONTROL_LOCAL);
    make_job();
    scratch_write("jobs/1/store/standings.txt", file, LENGTH);
    for (unsigned i = 0; i < REQUESTS; i++)
        say(&peer, "result 1");
    most = hears_bytes((size_t)REPLY * REQUESTS);
    cr_expect_gt(most, control_limits.waiting_bytes);
    cr_expect_leq(most, control_limits.waiting_bytes + REPLY);
    asks(&peer, "watch", "ok");
    free(file);
    peer_hang_up(&peer);
}

Test(control_limits, a_watcher_that_does_not_read_is_dropped_and_the_others_are_not)
{
    char line[100];

    peer_begin(&peer, CONTROL_LOCAL);
    peer_begin(&other, CONTROL_LOCAL);
    asks(&peer, "watch", "ok");
    asks(&other, "watch", "ok");
    for (unsigned i = 0; i < 40000; i++) {
        (void)snprintf(line, sizeof line, "event 1 note that this is the line %u of many", i);
        broadcast_text(queue_broadcast(control_fixture.queue), line + strlen("event "));
        if (i % 500 == 499) {
            while (strcmp(next_line(&other), line) != 0)
                ;
        }
    }
    control_fixture_turn();
    cr_assert_eq(control_count(control_fixture.control), 1);
    cr_assert_eq(broadcast_count(queue_broadcast(control_fixture.queue)), 1);
    (void)close(peer.fd);
    peer_hang_up(&other);
}

/* Clients that take too long. */

Test(control_limits, each_silence_has_a_limit)
{
    static const char *const silences[] = {"", "hel", "hello 1\nqueu",
                                           "hello 1\ntournament bytes=9\nx",
                                           "hello 1\nnonsense bytes=9\nx"};

    control_fixture.control->limits.hello_ms = 1;
    control_fixture.control->limits.line_ms = 1;
    control_fixture.control->limits.block_ms = 1;
    for (size_t i = 0; i < ARRAY_LEN(silences); i++) {
        peer_connect(&peer, CONTROL_LOCAL);
        say_bytes(&peer, silences[i], strlen(silences[i]));
        while (control_count(control_fixture.control) > 0)
            control_fixture_turn();
        (void)close(peer.fd);
    }
    control_fixture.control->limits.hello_ms = control_limits.hello_ms;
    peer_begin(&peer, CONTROL_LOCAL);
    for (unsigned i = 0; i < 1000; i++)
        control_fixture_turn();
    cr_assert_eq(control_count(control_fixture.control), 1, "a client that owes nothing may stay");
    peer_hang_up(&peer);
}

Test(control_limits, a_reply_that_nobody_reads_ends_the_connection)
{
    enum { LENGTH = 2000000 };
    char *file = xcalloc(LENGTH, 1);

    peer_begin(&peer, CONTROL_LOCAL);
    make_job();
    peer_hang_up(&peer);
    control_fixture.control->limits.write_ms = 100;
    peer_begin(&peer, CONTROL_LOCAL);
    scratch_write("jobs/1/store/standings.txt", file, LENGTH);
    say(&peer, "result 1");
    while (control_count(control_fixture.control) > 0)
        control_fixture_turn();
    free(file);
    (void)close(peer.fd);
}

Test(control_limits, a_client_whose_input_is_not_read_has_no_deadline)
{
    enum { LENGTH = 2000000, REPLY = LENGTH + sizeof "block 2000000" };
    char *file = xcalloc(LENGTH, 1);

    control_fixture.control->limits.line_ms = 1;
    peer_begin(&peer, CONTROL_LOCAL);
    make_job();
    scratch_write("jobs/1/store/standings.txt", file, LENGTH);
    say_bytes(&peer, "result 1\nwat", 12);
    for (unsigned i = 0; i < 1000; i++)
        control_fixture_turn();
    cr_assert_eq(control_count(control_fixture.control), 1);
    control_fixture.control->limits.line_ms = control_limits.line_ms;
    (void)hears_bytes(REPLY);
    asks(&peer, "ch", "ok");
    free(file);
    peer_hang_up(&peer);
}

Test(control_limits, a_client_that_does_not_close_its_side_is_closed)
{
    control_fixture.control->limits.linger_ms = 1;
    peer_begin(&peer, CONTROL_LOCAL);
    say(&peer, "tournament");
    hears_beginning(&peer, "error yours value ");
    while (control_count(control_fixture.control) > 0)
        control_fixture_turn();
    (void)close(peer.fd);
}

/* Listeners. */

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static int listen_at(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    cr_assert_eq(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    cr_assert_eq(listen(fd, 64), 0);
    return fd;
}

Test(control_limits, a_client_beyond_the_limit_gets_an_error)
{
    static struct peer peers[33];

    cr_assert_eq(
        control_listen(control_fixture.control, listen_at(scratch_path("a")), CONTROL_LOOPBACK), 0);
    cr_assert_eq(
        control_listen(control_fixture.control, listen_at(scratch_path("b")), CONTROL_LOCAL), 0);
    for (unsigned i = 0; i < 33; i++) {
        peers[i].fd = connect_to(scratch_path(i < 31 ? "a" : "b"));
        peers[i].length = 0;
        control_fixture_turn();
    }
    hears(&peers[30], "error ours busy too many connections: try again later");
    hears_end(&peers[30]);
    say(&peers[29], "hello 1");
    hears_beginning(&peers[29], "ok 1 ");
    say(&peers[32], "hello 1");
    hears_beginning(&peers[32], "ok 1 ");
    cr_assert_eq(control_count(control_fixture.control), 32);
    control_close_listeners(control_fixture.control);
    say(&peers[29], "queue");
    hears_block(&peers[29], "");
    for (unsigned i = 0; i < 33; i++)
        (void)(i == 30 ? 0 : close(peers[i].fd));
}

Test(control_limits, only_the_owner_ends_the_daemon)
{
    peer_begin(&peer, CONTROL_LOOPBACK);
    asks(&peer, "shutdown", "error yours forbidden shutdown is only for the owner of the daemon");
    cr_assert_eq(control_fixture.shutdowns, 0);
    peer_begin(&other, CONTROL_LOCAL);
    asks(&other, "shutdown", "ok");
    cr_assert(control_fixture.shutdowns == 1 && !control_fixture.was_urgent);
    asks(&other, "shutdown now=yes", "ok");
    cr_assert(control_fixture.shutdowns == 2 && control_fixture.was_urgent);
    peer_hang_up(&peer);
    peer_hang_up(&other);
}

Test(control_limits, the_last_reply_is_sent_when_the_daemon_ends)
{
    peer_begin(&peer, CONTROL_LOCAL);
    cr_assert_eq(write(peer.fd, "shutdown\n", 9), 9);
    while (control_fixture.shutdowns == 0)
        (void)event_base_loop(control_fixture.base, EVLOOP_NONBLOCK | EVLOOP_ONCE);
    control_free(control_fixture.control);
    control_fixture.control = NULL;
    hears(&peer, "ok");
    hears_end(&peer);
}
