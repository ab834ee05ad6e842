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

    control_fixture.settings.hello_ms = 1;
    control_fixture.settings.request_ms = 1;
    for (size_t i = 0; i < ARRAY_LEN(silences); i++) {
        peer_connect(&peer, CONTROL_LOCAL);
        say_bytes(&peer, silences[i], strlen(silences[i]));
        while (control_count(control_fixture.control) > 0)
            control_fixture_turn();
        (void)close(peer.fd);
    }
}

Test(control_limits, a_client_that_neither_asks_nor_watches_is_disconnected)
{
    control_fixture.settings.idle_ms = 1;
    peer_begin(&other, CONTROL_LOCAL);
    peer_connect(&peer, CONTROL_LOOPBACK);
    say(&peer, "hello 1\nwatch");
    hears_beginning(&peer, "ok 1 ");
    hears(&peer, "ok");
    for (unsigned i = 0; i < 1000; i++)
        control_fixture_turn();
    cr_assert_eq(control_count(control_fixture.control), 2, "the owner and a watcher may stay");
    say(&peer, "watch off");
    while (control_count(control_fixture.control) > 1)
        control_fixture_turn();
    hears(&peer, "ok");
    hears_end(&peer);
    asks(&other, "watch", "ok");
    peer_hang_up(&other);
}

Test(control_limits, a_line_that_begins_after_a_pause_has_its_own_time)
{
    control_fixture.settings.request_ms = 1;
    peer_begin(&peer, CONTROL_LOOPBACK);
    say_bytes(&peer, "stat", 4);
    while (control_count(control_fixture.control) > 0)
        control_fixture_turn();
    (void)close(peer.fd);
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

    control_fixture.settings.request_ms = 1;
    peer_begin(&peer, CONTROL_LOCAL);
    make_job();
    scratch_write("jobs/1/store/standings.txt", file, LENGTH);
    say_bytes(&peer, "result 1\nwat", 12);
    for (unsigned i = 0; i < 1000; i++)
        control_fixture_turn();
    cr_assert_eq(control_count(control_fixture.control), 1);
    control_fixture.settings.request_ms = settings_default().request_ms;
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

static void listen_at_both(void)
{
    cr_assert_eq(
        control_listen(control_fixture.control, listen_at(scratch_path("a")), CONTROL_LOOPBACK), 0);
    cr_assert_eq(
        control_listen(control_fixture.control, listen_at(scratch_path("b")), CONTROL_LOCAL), 0);
}

static void connect_peer(struct peer *new, const char *path)
{
    new->fd = connect_to(scratch_path(path));
    new->length = 0;
    control_fixture_turn();
}

static void connect_and_begin(struct peer *new, const char *path)
{
    connect_peer(new, path);
    say(new, "hello 1");
    hears_beginning(new, "ok 1 ");
}

Test(control_limits, a_client_beyond_the_limit_gets_an_error)
{
    static struct peer peers[33];

    listen_at_both();
    for (unsigned i = 0; i < 30; i++)
        connect_and_begin(&peers[i], "a");
    connect_peer(&peers[30], "a");
    hears(&peers[30], "error ours busy too many connections: try again later");
    hears_end(&peers[30]);
    connect_and_begin(&peers[31], "b");
    connect_and_begin(&peers[32], "b");
    cr_assert_eq(control_count(control_fixture.control), 32);
    control_close_listeners(control_fixture.control);
    say(&peers[29], "queue");
    hears_block(&peers[29], "");
    for (unsigned i = 0; i < 33; i++)
        (void)(i == 30 ? 0 : close(peers[i].fd));
}

Test(control_limits, connections_that_say_no_hello_make_room)
{
    static struct peer peers[60];

    listen_at_both();
    connect_and_begin(&peers[0], "a");
    for (unsigned i = 1; i < 60; i++) {
        connect_peer(&peers[i], "a");
        say_bytes(&peers[i], "hel", 3);
    }
    cr_assert_eq(control_count(control_fixture.control), 30);
    for (unsigned i = 1; i < 31; i++)
        hears_end(&peers[i]);
    connect_and_begin(&peer, "a");
    asks(&peers[0], "watch", "ok");
    for (unsigned i = 32; i < 60; i++)
        (void)close(peers[i].fd);
    (void)close(peers[0].fd);
    (void)close(peer.fd);
}

Test(control_limits, a_user_has_a_share_of_connections_and_the_owner_has_no_limit)
{
    static struct peer peers[8];

    control_fixture.settings.connections_per_user = 3;
    for (unsigned i = 0; i < 3; i++)
        peer_begin(&peers[i], CONTROL_LOOPBACK);
    peer_connect(&peers[3], CONTROL_LOOPBACK);
    say(&peers[3], "hello 1");
    hears(&peers[3], "error yours too_many guest has 3 connections, and this daemon allows no more "
                     "(connections_per_user)");
    hears_end(&peers[3]);
    peer_connect(&peers[3], CONTROL_LOOPBACK);
    say_bytes(&peers[3], "hello 1 token=", 14);
    say(&peers[3], control_fixture.token);
    hears_beginning(&peers[3], "ok 1 ");
    for (unsigned i = 4; i < 8; i++)
        peer_begin(&peers[i], CONTROL_LOCAL);
    peer_hang_up(&peers[0]);
    peer_begin(&peers[0], CONTROL_LOOPBACK);
    for (unsigned i = 0; i < 8; i++)
        peer_hang_up(&peers[i]);
}

Test(control_limits, an_address_has_a_share_of_connections)
{
    static struct peer peers[6];

    control_fixture.settings.connections_per_address = 2;
    listen_at_both();
    connect_and_begin(&peers[0], "a");
    connect_peer(&peers[1], "a");
    connect_peer(&peers[2], "a");
    hears(&peers[2], "error yours too_many there are 2 connections from this address, and this "
                     "daemon allows no more (connections_per_address)");
    hears_end(&peers[2]);
    connect_and_begin(&peers[3], "b");
    peer_hang_up(&peers[0]);
    peer_hang_up(&peers[3]);
    connect_and_begin(&peers[0], "a");
    peer_hang_up(&peers[0]);
    peer_hang_up(&peers[1]);
}

Test(control_limits, a_user_has_a_share_of_what_is_held_of_uploads)
{
    static char bytes[100000];

    control_fixture.control->limits.user_bytes = 100000;
    peer_begin(&peer, CONTROL_LOOPBACK);
    say(&peer, "submit one file=a bytes=100000");
    say_bytes(&peer, bytes, sizeof bytes - 1);
    peer_begin(&other, CONTROL_LOOPBACK);
    say(&other, "submit two file=a bytes=100000");
    say_bytes(&other, bytes, sizeof bytes);
    hears(&other, "error ours busy too many uploads at once: try again later");
    peer_hang_up(&other);
    peer_begin(&other, CONTROL_LOCAL);
    say(&other, "submit three file=a command=sh bytes=100000");
    say_bytes(&other, bytes, sizeof bytes);
    hears(&other, "ok bot=three version=1 build=waiting hello=waiting");
    peer_hang_up(&peer);
    peer_hang_up(&other);
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
