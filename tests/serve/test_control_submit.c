/* Submitting bots and jobs over the control protocol, and remote bots. */

#include "support/control_fixture.h"
#include "support/scratch.h"

#include "base/memory.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

TestSuite(control_submit, .init = control_fixture_open, .fini = control_fixture_close);

static struct peer peer, other;

/* Submitting. */

static const char *const bad_offers[][2] = {
    {"submit a", "error yours value a bot takes command=, file= or remote=yes"},
    {"submit a folder=/tmp", "error yours value a bot takes command=, file= or remote=yes"},
    {"submit a remote=yes command=x", "error yours value a remote bot takes no other keys"},
    {"submit a file=x folder=/tmp bytes=2\nx", "error yours value a file has a folder of its own"},
    {"submit a command=/bin/cat",
     "error yours forbidden only the owner can name programs of this machine; send a file"},
    {"match no nobody", "error yours config line 1, column "},
    {"match far far set=knock", "error yours value set takes KEY=VALUE, not \"knock\""},
    {"match far far set=knok=off", "error yours config line 1, column "},
    {"match far", "error yours value the request is: match BOT BOT "},
    {"play nobody", "error yours no_bot there is no bot nobody"},
    {"play FAR", "error yours no_bot there is no bot FAR"},
    {"bots nobody", "error yours no_bot there is no bot nobody"},
    {"fetch far", "error yours forbidden fetch is only for the owner of the daemon"},
    {"submit ../far remote=yes", "error yours value the name of a bot has 1 to 32 letters"},
    {"submit . remote=yes", "error yours value the name of a bot has 1 to 32 letters"},
    {"submit \"a b\" remote=yes", "error yours value the name of a bot has 1 to 32 letters"},
    {"submit a file=../b bytes=2\nx", "error yours value the name of a file has 1 to 64 letters"},
    {"submit a file=/etc/passwd bytes=2\nx", "error yours value the name of a file has 1 to 64 "},
    {"submit a file=.. bytes=2\nx", "error yours value the name of a file has 1 to 64 letters"},
    {"log ../1 1.1", "error yours no_job there is no job ../1"},
    {"result 1/../1", "error yours no_job there is no job 1/../1"},
    {"status 1", "error yours no_job there is no job 1"},
    {"watch x", "error yours no_job there is no job x"},
    {"cancel 0", "error yours no_job there is no job 0"},
    {"result -1", "error yours no_job there is no job -1"},
    {"result 99999999999999999999 format=text",
     "error yours no_job there is no job 99999999999999999999"},
    {"result 1 format=pdf",
     "error yours value format takes text, json, csv, cross, matches or html, not \"pdf\""},
};

Test(control_submit, impossible_requests_are_refused)
{
    peer_begin(&peer, CONTROL_LOOPBACK);
    asks(&peer, "submit far remote=yes", "ok bot=far version=1");
    for (size_t i = 0; i < ARRAY_LEN(bad_offers); i++) {
        say(&peer, bad_offers[i][0]);
        hears_beginning(&peer, bad_offers[i][1]);
    }
    peer_hang_up(&peer);
}

#define FIGURES                                                                                    \
    " guest upload matches=0 wins=0 faults=0 median_us=0 p99_us=0 build=waiting hello=waiting "    \
    "check=waiting\n"

Test(control_submit, an_upload_is_kept_as_it_was_sent)
{
    static char file[200000] = "#!/bin/sh\n";
    char line[100];
    char *kept;
    size_t length;

    for (size_t i = strlen(file); i < sizeof file; i++)
        file[i] = (char)(i * 7 + i / 256);
    (void)snprintf(line, sizeof line, "submit alpha file=bot.sh bytes=%zu", sizeof file);
    peer_begin(&peer, CONTROL_LOOPBACK);
    say(&peer, line);
    say_bytes(&peer, file, sizeof file);
    hears(&peer, "ok bot=alpha version=1 build=waiting hello=waiting");
    say(&peer, line);
    say_bytes(&peer, file, sizeof file);
    hears(&peer, "ok bot=alpha version=2 build=waiting hello=waiting");
    kept = scratch_read("bots/alpha/2/bot.sh", &length);
    cr_assert_eq(length, sizeof file);
    cr_assert_eq(memcmp(kept, file, length), 0);
    free(kept);
    say(&peer, "bots alpha");
    hears_block(&peer, "alpha 1" FIGURES "alpha 2" FIGURES);
    say(&peer, "bots");
    hears_block(&peer, "alpha 2" FIGURES);
    cr_assert_eq(control_fixture.control->uploaded_bytes, 0);
    peer_hang_up(&peer);
}

Test(control_submit, all_uploads_together_have_a_limit)
{
    static char file[100000];
    char line[100];

    memset(file, 'x', sizeof file);
    control_fixture.control->limits.upload_bytes = 150000;
    (void)snprintf(line, sizeof line, "submit alpha file=bot bytes=%zu", sizeof file);
    peer_begin(&peer, CONTROL_LOCAL);
    peer_begin(&other, CONTROL_LOCAL);
    say(&peer, line);
    say_bytes(&peer, file, sizeof file - 1);
    control_fixture_turn();
    cr_assert_eq(control_fixture.control->uploaded_bytes, sizeof file);
    say(&other, line);
    say_bytes(&other, file, sizeof file);
    hears(&other, "error ours busy too many uploads at once: try again later");
    say(&other, "queue");
    hears_block(&other, "");
    peer_hang_up(&peer);
    cr_assert_eq(control_fixture.control->uploaded_bytes, 0);
    peer_hang_up(&other);
}

Test(control_submit, a_match_becomes_a_tournament_file_of_one_group)
{
    static const char *const parts[] = {
        "\"seatings\":\"single\"",
        "\"deals\":1,",
        "\"move_ms\":250",
        "\"knock\"",
        "\"far-2\"",
        "\"far-3\"",
        "\"name\":\"Finals\"",
    };
    const struct job *job;

    peer_begin(&peer, CONTROL_LOCAL);
    asks(&peer, "submit far remote=yes", "ok bot=far version=1");
    asks(&peer, "match far far far move_ms=250 set=knock=off rounds=3 title=Finals", "ok job=1");
    job = ledger_job(queue_ledger(control_fixture.queue), 1);
    cr_assert(job->is_match);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        cr_expect_not_null(strstr(job->config, parts[i]), "%s: %s", parts[i], job->config);
    peer_hang_up(&peer);
}

Test(control_submit, jobs_are_listed_shown_and_cancelled)
{
    static const char file[] = "{\"name\": \"K\xc3\xa4se \\\"A\\\"\", \"bots\": [\"far\", "
                               "\"near\"], \"seatings\": \"all\"}";
    char line[100];

    peer_begin(&peer, CONTROL_LOCAL);
    peer_begin(&other, CONTROL_LOOPBACK);
    asks(&peer, "submit far remote=yes", "ok bot=far version=1");
    asks(&other, "submit near remote=yes", "ok bot=near version=1");
    (void)snprintf(line, sizeof line, "tournament bytes=%zu", sizeof file - 1);
    say(&peer, line);
    say_bytes(&peer, file, sizeof file - 1);
    hears_beginning(&peer, "error yours config ");
    asks(&other, "match far near title=\"A b\"", "ok job=1");
    asks(&peer, "match far near seatings=single deals=7", "ok job=2");
    say(&peer, "queue");
    hears_block(&peer, "1 queued guest match 0/1 A b\n2 queued owner match 0/7 far - near\n");
    say(&peer, "queue user=guest");
    hears_block(&peer, "1 queued guest match 0/1 A b\n");
    say(&peer, "queue limit=1");
    hears_block(&peer, "2 queued owner match 0/7 far - near\n");
    asks(&other, "cancel 2", "error yours forbidden job 2 belongs to owner");
    asks(&peer, "cancel 1", "ok");
    asks(&peer, "cancel 1", "error yours too_late job 1 is over: cancelled");
    say(&peer, "queue all=yes");
    hears_block(&peer, "1 cancelled guest match 0/1 A b\n2 queued owner match 0/7 far - near\n");
    asks(&peer, "status", "ok jobs=2 queued=1 playing=0 bots=2 connections=2 watchers=0 ending=no");
    peer_hang_up(&peer);
    peer_hang_up(&other);
}

/* Remote bots. */

/* Receives "ok" with a descriptor. */
static int hears_descriptor(struct peer *receiver)
{
    char bytes[10] = "";
    struct iovec part = {.iov_base = bytes, .iov_len = sizeof bytes - 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } room;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = room.bytes,
                             .msg_controllen = sizeof room.bytes};
    int fd;

    do
        control_fixture_turn();
    while (recvmsg(receiver->fd, &message, 0) < 0 && errno == EAGAIN);
    cr_assert_str_eq(bytes, "ok\n");
    cr_assert_not_null(CMSG_FIRSTHDR(&message));
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
}

Test(control_submit, a_remote_bot_is_handed_over_with_its_connection)
{
    char bytes[10] = "";
    int fd;

    peer_begin(&peer, CONTROL_LOOPBACK);
    asks(&peer, "submit far remote=yes", "ok bot=far version=1");
    asks(&peer, "play far", "ok waiting");
    control_fixture_turn();
    cr_assert_eq(remote_bots_count(control_fixture.remote_bots, "far"), 1);
    cr_assert_eq(control_count(control_fixture.control), 0);
    peer_begin(&other, CONTROL_LOCAL);
    say(&other, "fetch far");
    fd = hears_descriptor(&other);
    hears_end(&other);
    hears(&peer, "start");
    cr_assert_eq(write(fd, "allegra\n", 8), 8);
    hears(&peer, "allegra");
    say(&peer, "hello far");
    cr_assert_eq(read(fd, bytes, sizeof bytes), 10);
    (void)close(fd);
    hears_end(&peer);
}

Test(control_submit, a_bot_that_connects_later_is_fetched_then)
{
    peer_begin(&peer, CONTROL_LOOPBACK);
    asks(&peer, "submit far remote=yes", "ok bot=far version=1");
    peer_begin(&other, CONTROL_LOCAL);
    say(&other, "fetch far");
    control_fixture_turn();
    peer_hang_up(&other);
    cr_assert_eq(control_count(control_fixture.control), 1, "who goes is not waited for");
    peer_begin(&other, CONTROL_LOCAL);
    say(&other, "fetch far");
    control_fixture_turn();
    asks(&peer, "play far", "ok waiting");
    (void)close(hears_descriptor(&other));
    hears_end(&other);
    hears(&peer, "start");
    hears_end(&peer);
}

Test(control_submit, only_its_user_can_play_as_a_remote_bot)
{
    char line[100];

    peer_begin(&peer, CONTROL_LOOPBACK);
    asks(&peer, "submit far remote=yes", "ok bot=far version=1");
    peer_connect(&other, CONTROL_OPEN);
    (void)snprintf(line, sizeof line, "hello 1 token=%s", control_fixture.token);
    say(&other, line);
    hears_beginning(&other, "ok 1 ");
    asks(&other, "play far", "error yours forbidden far belongs to guest");
    say(&peer, "play far\nqueue");
    hears(&peer, "error yours unreadable nothing may follow play before its reply");
    hears_block(&peer, "");
    control_fixture.control->setup.remote_bots = NULL;
    asks(&peer, "play far", "error bots not_connected remote bots are not allowed here");
    peer_hang_up(&peer);
    peer_hang_up(&other);
}
