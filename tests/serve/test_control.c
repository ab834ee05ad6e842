/* Conversations in the control protocol. */

#include "support/control_fixture.h"
#include "support/scratch.h"

#include "base/memory.h"
#include "support/broadcast_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(control, .init = control_fixture_open, .fini = control_fixture_close);

static struct peer peer, other;

/* Hello. */

static const struct {
    enum control_address address;
    const char *line;
    const char *reply;
} hellos[] = {
    {CONTROL_LOCAL, "hello 1", "ok 1 referee=" REFEREE_VERSION " user=owner"},
    {CONTROL_LOCAL, "hello 1\r", "ok 1 referee=" REFEREE_VERSION " user=owner"},
    {CONTROL_LOOPBACK, "hello 1", "ok 1 referee=" REFEREE_VERSION " user=guest"},
};

Test(control, a_user_is_known_by_address_or_token)
{
    char line[100];

    for (size_t i = 0; i < ARRAY_LEN(hellos); i++) {
        peer_connect(&peer, hellos[i].address);
        asks(&peer, hellos[i].line, hellos[i].reply);
        peer_hang_up(&peer);
    }
    (void)snprintf(line, sizeof line, "hello 1 token=%s", control_fixture.token);
    for (enum control_address address = CONTROL_LOCAL; address <= CONTROL_OPEN; address++) {
        peer_connect(&peer, address);
        asks(&peer, line, "ok 1 referee=" REFEREE_VERSION " user=" CONTROL_FIXTURE_TOKEN_USER);
        asks(&peer, "shutdown",
             "error yours forbidden shutdown is only for the owner of the daemon");
        peer_hang_up(&peer);
    }
    cr_assert_eq(control_count(control_fixture.control), 0);
}

static const struct {
    enum control_address address;
    const char *line;
    const char *reply;
} bad_hellos[] = {
    {CONTROL_LOCAL, "GET / HTTP/1.1",
     "error yours no_hello the first line must be hello 1; the connection is closed"},
    {CONTROL_LOCAL, "queue",
     "error yours no_hello the first line must be hello 1; the connection is closed"},
    {CONTROL_LOCAL, "",
     "error yours no_hello the first line must be hello 1; the connection is closed"},
    {CONTROL_LOCAL, "\x16\x03\x01",
     "error yours no_hello the first line must be hello 1; the connection is closed"},
    {CONTROL_LOCAL, "hello",
     "error yours value the request is: hello 1 [token=HEX]; the connection "
     "is closed"},
    {CONTROL_LOCAL, "hello 2", "error yours version this daemon speaks version 1, not 2"},
    {CONTROL_LOCAL, "hello 1 token=0123", "error yours token nobody has that token"},
    {CONTROL_OPEN, "hello 1", "error yours token from another machine a token is required"},
};

Test(control, a_client_with_a_bad_hello_gets_an_error_and_is_disconnected)
{
    for (size_t i = 0; i < ARRAY_LEN(bad_hellos); i++) {
        peer_connect(&peer, bad_hellos[i].address);
        say(&peer, bad_hellos[i].line);
        say(&peer, "Host: here");
        hears(&peer, bad_hellos[i].reply);
        hears_end(&peer);
    }
    cr_assert_eq(control_count(control_fixture.control), 0);
}

/* Lines and blocks. */

Test(control, after_a_bad_line_the_conversation_continues)
{
    peer_begin(&peer, CONTROL_LOCAL);
    asks(&peer, "hello 1", "error yours value hello was already sent");
    asks(&peer, "", "error yours unreadable the line is empty");
    asks(&peer, "quue", "error yours unknown there is no request \"quue\"; did you mean queue?");
    asks(&peer, "submit a file=b bytes=6 xyzzy=red\nqueue",
         "error yours value submit has no key \"xyzzy\"");
    asks(&peer, "submit a bytes=6\nqueue", "error yours value file and bytes go together");
    asks(&peer, "nonsense bytes=6\nqueue", "error yours unknown there is no request \"nonsense\"");
    say(&peer, "queue");
    hears_block(&peer, "");
    peer_hang_up(&peer);
}

static const char *const last_lines[][2] = {
    {"tournament",
     "error yours value the length of the block is missing: bytes=N; the connection is "
     "closed"},
    {"submit a file=b", "error yours value the length of the block is missing: bytes=N; the "
                        "connection is closed"},
    {"tournament bytes=1048577",
     "error yours too_large tournament takes at most 1048576 bytes; the connection is closed"},
    {"submit a file=b bytes=16777217",
     "error yours too_large submit takes at most 16777216 bytes; the connection is closed"},
    {"queue bytes=x", "error yours value queue has no key \"bytes\"; the connection is closed"},
};

Test(control, a_client_whose_block_cannot_be_skipped_is_disconnected)
{
    static char flood[300000];

    memset(flood, 'x', sizeof flood);
    for (size_t i = 0; i < ARRAY_LEN(last_lines); i++) {
        peer_begin(&peer, CONTROL_LOCAL);
        say(&peer, last_lines[i][0]);
        say_bytes(&peer, flood, sizeof flood);
        hears(&peer, last_lines[i][1]);
        hears_end(&peer);
    }
    peer_begin(&peer, CONTROL_LOCAL);
    say_bytes(&peer, flood, sizeof flood);
    hears(&peer, "error yours too_long a line has at most 4096 bytes; the connection is closed");
    hears_end(&peer);
    cr_assert_eq(control_count(control_fixture.control), 0);
}

Test(control, requests_may_come_in_any_pieces)
{
    static const char bytes[] = "hello 1\nqueue\nsubmit far remote=yes\nmatch far far\nstatus 1\n";

    peer_connect(&peer, CONTROL_LOCAL);
    for (size_t i = 0; i < sizeof bytes - 1; i++)
        say_bytes(&peer, bytes + i, 1);
    hears_beginning(&peer, "ok 1 ");
    hears_block(&peer, "");
    hears(&peer, "ok bot=far version=1");
    hears(&peer, "ok job=1");
    hears(&peer, "ok job=1 state=queued user=owner kind=match decided=0 matches=1 "
                 "title=\"far - far\" message=\"\" slot_ms=0 left_s=-1");
    peer_hang_up(&peer);
}

Test(control, a_client_that_half_closes_still_gets_all_replies)
{
    static const char bytes[] = "hello 1\nqueue\nhelp me\nsubmit far remote=yes\nbots\n";

    peer_connect(&peer, CONTROL_LOCAL);
    say_bytes(&peer, bytes, sizeof bytes - 1);
    say_no_more(&peer);
    hears_beginning(&peer, "ok 1 ");
    hears_block(&peer, "");
    hears(&peer, "error yours value the request is: help");
    hears(&peer, "ok bot=far version=1");
    hears_block(&peer,
                "far 1 owner remote matches=0 wins=0 faults=0 median_us=0 p99_us=0 waiting=0\n");
    hears_end(&peer);
    peer_begin(&peer, CONTROL_LOCAL);
    say_bytes(&peer, "queue", 5);
    say_no_more(&peer);
    hears(&peer, "error yours unreadable the last line is incomplete");
    hears_end(&peer);
    peer_begin(&peer, CONTROL_LOCAL);
    say(&peer, "tournament bytes=10");
    say_no_more(&peer);
    hears(&peer, "error yours unreadable the last block is incomplete");
    hears_end(&peer);
}

/* Watching. */

Test(control, events_come_after_the_reply_that_caused_them)
{
    peer_begin(&peer, CONTROL_LOCAL);
    peer_begin(&other, CONTROL_LOOPBACK);
    asks(&peer, "watch", "ok");
    asks(&peer, "submit far remote=yes", "ok bot=far version=1");
    hears(&peer, "event 0 bot far 1 owner");
    asks(&peer, "match far far title=\"A b\"", "ok job=1");
    hears(&peer, "event 1 queued owner A b");
    asks(&other, "watch 1", "ok");
    hears(&other, "event 1 queued owner A b");
    broadcast_text(queue_broadcast(control_fixture.queue),
                   "1 match 1.1 far 1 12.5 - far-2 2 8 late");
    broadcast_text(queue_broadcast(control_fixture.queue), "2 playing");
    broadcast_text(queue_broadcast(control_fixture.queue), "1 note \x1b[0m\nevent 9");
    hears(&peer, "event 1 match 1.1 far 1 12.5 - far-2 2 8 late");
    hears(&peer, "event 2 playing");
    hears(&peer, "event 1 note ?[0m?event 9");
    hears(&other, "event 1 match 1.1 far 1 12.5 - far-2 2 8 late");
    hears(&other, "event 1 note ?[0m?event 9");
    asks(&other, "watch off", "ok");
    asks(&peer, "cancel 1", "ok");
    hears(&peer, "event 1 over cancelled");
    asks(&other, "watch 1", "ok");
    hears(&other, "event 1 over cancelled");
    cr_assert_eq(broadcast_count(queue_broadcast(control_fixture.queue)), 2);
    peer_hang_up(&peer);
    peer_hang_up(&other);
    cr_assert_eq(broadcast_count(queue_broadcast(control_fixture.queue)), 0);
}

Test(control, a_job_that_is_playing_reports_its_progress)
{
    struct ledger *ledger = (struct ledger *)queue_ledger(control_fixture.queue);

    peer_begin(&peer, CONTROL_LOCAL);
    asks(&peer, "submit far remote=yes", "ok bot=far version=1");
    asks(&peer, "match far far", "ok job=1");
    ledger_set_state(ledger, 1, JOB_PLAYING);
    ledger_set_progress(ledger, 1, 3, 12);
    asks(&peer, "watch 1", "ok");
    hears(&peer, "event 1 playing");
    hears(&peer, "event 1 begin 3 12");
    peer_hang_up(&peer);
}

/* Files. */

static void make_job(void)
{
    asks(&peer, "submit far remote=yes", "ok bot=far version=1");
    asks(&peer, "match far far", "ok job=1");
}

Test(control, results_and_logs_are_sent_as_they_are)
{
    static const char log[] = "{\"record\": 1}\n\0{\"record\": 2}\n";

    peer_begin(&peer, CONTROL_LOCAL);
    make_job();
    asks(&peer, "log 1 1", "error yours value a match is BLOCK.MATCH, like 3.1, not \"1\"");
    say(&peer, "log 1 1.1");
    hears_beginning(&peer, "error yours no_log ");
    say(&peer, "result 1");
    hears_beginning(&peer, "error yours no_log ");
    scratch_write("jobs/1/store/standings.txt", "first\nsecond\n", 13);
    scratch_write("jobs/1/store/standings.csv", "", 0);
    scratch_write("jobs/1/store/logs/000003/02.ndjson.zst", log, sizeof log - 1);
    say(&peer, "result 1");
    hears_block(&peer, "first\nsecond\n");
    say(&peer, "result 1 format=csv");
    hears_block(&peer, "");
    say(&peer, "log 1 3.2");
    hears(&peer, "block 29");
    hears_beginning(&peer, "{\"record\": 1}");
    hears(&peer, "");
    peer_hang_up(&peer);
}
