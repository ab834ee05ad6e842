/* The pages from outside: what is answered to whom, and what nobody can do to the daemon through
 * them. */

#include "base/clock.h"
#include "base/memory.h"
#include "serve/http/http_private.h"
#include "support/patience.h"
#include "support/scratch.h"
#include "support/http_fixture.h"
#include "support/broadcast_text.h"

#include <criterion/criterion.h>
#include <event2/event.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define HOST "Host: localhost\r\n"

static void begin(void)
{
    cr_assert_geq(sodium_init(), 0);
    http_fixture_begin(16);
}

TestSuite(http, .init = begin, .fini = http_fixture_end, .timeout = PATIENCE_TEST_SECONDS);

static const char *get(const char *target)
{
    char request[10000];

    snprintf(request, sizeof request, "GET %s", target);
    return http_client_ask(false, request, HOST);
}

static const struct {
    const char *target;
    int status;
    const char *type; /* or NULL */
    const char *text; /* that is in the body */
} targets[] = {
    {"/", 200, "text/html", "<main"},
    {"/?x=1", 200, "text/html", "<main"},
    {"/bots", 200, "text/html", "id=\"bots\""},
    {"/play", 200, "text/html", "id=\"answers\""},
    {"/table.js", 200, "text/javascript", "function drawTable("},
    {"/table.css", 200, "text/css", "#answers"},
    {"/jobs/1", 200, "text/html", "id=\"matches\""},
    {"/jobs/3", 404, "text/html", "missing.js"},
    {"/view/1/1.1", 200, "text/html", "id=\"log\">\"{\\\"a\\\":\\\"\\u003c/script\\u003e\\\"}"},
    {"/view/1/2.1", 404, "text/html", "missing.js"},
    {"/log/1/1.1", 200, "application/x-ndjson", "{\"a\":"},
    {"/log/1/1.2", 404, "text/html", "missing.js"},
    {"/log/1/2.1", 404, "text/html", "missing.js"},
    {"/report/1", 200, "text/html", "<title>report"},
    {"/report/2", 404, "text/html", "missing.js"},
    {"/api/status", 200, "application/json", "\"jobs\":2"},
    {"/api/jobs", 200, "application/json", "\"number\":2"},
    {"/api/jobs?limit=1", 200, "application/json", "\"has_more\":true"},
    {"/api/jobs?before=2&limit=1", 200, "application/json", "\"number\":1"},
    {"/api/jobs?before=0", 400, "text/plain", "numbers"},
    {"/api/jobs?limit=201", 400, "text/plain", "numbers"},
    {"/api/jobs?limit=1x", 400, "text/plain", "numbers"},
    {"/api/jobs?state=playing", 200, "application/json", "\"number\":1"},
    {"/api/jobs?state=done", 200, "application/json", "\"jobs\":[]"},
    {"/api/jobs?state=open", 200, "application/json", "\"number\":1"},
    {"/api/jobs?user=nobody", 200, "application/json", "\"jobs\":[]"},
    {"/api/jobs?bot=nobody", 200, "application/json", "\"jobs\":[]"},
    {"/api/jobs?kind=submitted", 200, "application/json", "\"number\":1"},
    {"/api/jobs?kind=ladder", 200, "application/json", "\"jobs\":[]"},
    {"/api/jobs?kind=nothing", 200, "application/json", "\"jobs\":[]"},
    {"/api/jobs?limit=1", 200, "application/json", "\"left_s\":-1"},
    {"/api/jobs/1", 200, "application/json", "\\u003cb\\u003e\\\"A \\u0026 B\\\""},
    {"/api/jobs/3", 404, "text/plain", "no such job"},
    {"/api/bots", 200, "application/json", "\"version\":2"},
    {"/api/jobs/1/standings", 200, "application/json", "{\"bots\":[]}"},
    {"/api/jobs/1/text", 200, "text/plain", "the standings"},
    {"/api/jobs/1/table", 200, "text/csv", "place,bot"},
    {"/api/jobs/1/cross", 200, "text/csv", "row,column"},
    {"/api/jobs/1/matches", 200, "text/csv", "block,match"},
    {"/api/jobs/2/matches", 204, NULL, ""},
    {"/api/jobs/3/matches", 404, "text/plain", "no job 3"},
    {"/events?job=3", 404, "text/plain", "no such job"},
    {"/events?job=1x", 404, "text/plain", "no such job"},
    {"/style.css", 200, "text/css", ":root"},
    {"/texts.js", 200, "text/javascript", "TEXTS"},
    {"/page.js", 200, "text/javascript", "EventSource"},
    {"/overview.js", 200, "text/javascript", "overview"},
    {"/job.js", 200, "text/javascript", "standings"},
    {"/matches.js", 200, "text/javascript", "filters"},
    {"/bots.js", 200, "text/javascript", "catalogue"},
    {"/missing.js", 200, "text/javascript", "missing"},
    {"/sign-in", 200, "text/html", "id=\"sign-in\""},
    {"/sign-in.js", 200, "text/javascript", "token"},
    {"/api/me", 200, "application/json", "\"user\":\"guest\""},
    {"/favicon.ico", 200, "image/svg+xml", "<svg"},
};

Test(http, every_path_has_its_answer)
{
    char type[100];

    for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
        const char *reply = get(targets[i].target);

        cr_expect_eq(http_client_status(reply), targets[i].status, "%s: %.200s", targets[i].target,
                     reply);
        snprintf(type, sizeof type, "Content-Type: %s",
                 targets[i].type != NULL ? targets[i].type : "");
        cr_expect_not_null(strstr(reply, type), "%s: %.500s", targets[i].target, reply);
        cr_expect_not_null(strstr(http_client_body(reply), targets[i].text), "%s: %.500s",
                           targets[i].target, reply);
    }
}

static const char *const tricks[] = {
    "//",
    "/./",
    "/../",
    "/..",
    "/bots/",
    "/bots/..",
    "/%2e%2e/",
    "/%62ots",
    "/job",
    "/jobs",
    "/jobs/",
    "/jobs/1/",
    "/jobs/1x",
    "/jobs/01",
    "/jobs/-1",
    "/jobs/+1",
    "/jobs/%31",
    "/jobs/0x1",
    "/jobs/0",
    "/jobs/4294967296",
    "/jobs/4294967297",
    "/jobs/99999999999999999999",
    "/jobs/1%00",
    "/jobs/1/..",
    "/log/1/1.1/",
    "/log/1/1",
    "/log/1/1.",
    "/log/1/.1",
    "/log/1/1.1.1",
    "/log/1/0.1",
    "/log/1/1.0",
    "/log/1/1.1x",
    "/log/1/../../../users",
    "/log/1/%2e%2e%2fusers",
    "/view/1/..%2f1.1",
    "/report/../users",
    "/api",
    "/api/",
    "/api/jobs/1/users",
    "/api/jobs/1/../../users",
    "/API/status",
    "/style.css/",
    "/users",
    "/ledger.ndjson",
    "/etc/passwd",
    "/../../../../etc/passwd",
    "/..%5c..%5cusers",
    "/;",
    "/jobs/1;x",
    "*",
    "http://localhost/",
    "http://evil.example/jobs/1",
    "localhost:80",
    "/\xff",
};

Test(http, no_trick_with_a_path_finds_a_file)
{
    static const char with_nul[] = "GET /bots\0/x HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n";
    static char longest[7000];
    struct http_client *client = http_client_connect(false);

    for (size_t i = 0; i < ARRAY_LEN(tricks); i++) {
        int status = http_client_status(get(tricks[i]));

        cr_expect(status == 404 || status == 400, "%s: %d", tricks[i], status);
    }
    snprintf(longest, sizeof longest, "/jobs/1%06900d", 0);
    cr_expect_eq(http_client_status(get(longest)), 404);
    http_client_send(client, with_nul, sizeof with_nul - 1);
    http_client_wait_end(client);
    cr_expect_neq(http_client_status(client->bytes), 200, "%s", client->bytes);
    http_client_leave(client);
}

static void expect_headers(const char *reply, const char *what)
{
    static const char *const headers[] = {
        "\r\nContent-Security-Policy: default-src 'none';",  "frame-ancestors 'none'\r\n",
        "\r\nX-Content-Type-Options: nosniff\r\n",           "\r\nReferrer-Policy: no-referrer\r\n",
        "\r\nCross-Origin-Resource-Policy: same-origin\r\n", "\r\nCache-Control: "};

    for (size_t i = 0; i < ARRAY_LEN(headers); i++)
        cr_expect_not_null(strstr(reply, headers[i]), "%s has no %s: %.900s", what, headers[i],
                           reply);
    cr_expect_null(strstr(reply, "Access-Control"), "%s lets others read it", what);
}

Test(http, every_reply_has_its_security_headers)
{
    for (size_t i = 0; i < ARRAY_LEN(targets); i++)
        expect_headers(get(targets[i].target), targets[i].target);
    expect_headers(http_client_ask(false, "POST /", HOST), "POST");
    expect_headers(http_client_ask(false, "GET /", "Host: evil.example\r\n"), "another host");
    expect_headers(http_client_ask(true, "GET /", HOST), "no token");
}

Test(http, head_is_get_without_the_body)
{
    char request[100];
    char length[100];

    for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
        const char *reply = get(targets[i].target);

        snprintf(length, sizeof length, "\r\nContent-Length: %zu\r\n",
                 strlen(http_client_body(reply)));
        snprintf(request, sizeof request, "HEAD %s", targets[i].target);
        reply = http_client_ask(false, request, HOST);
        cr_expect_eq(http_client_status(reply), targets[i].status, "%s", request);
        cr_expect_str_empty(http_client_body(reply), "%s: %s", request, reply);
        if (targets[i].status != 204)
            cr_expect_not_null(strstr(reply, length), "%s: %s, but %s", request, reply, length);
    }
    cr_expect_eq(http_client_status(http_client_ask(false, "HEAD /events", HOST)), 200);
    cr_expect_eq(http_watchers(http_fixture.http), 0);
}

Test(http, a_page_takes_nothing_but_get_and_head)
{
    static const char *const methods[] = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"};
    char request[100];

    for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
        const char *reply;

        snprintf(request, sizeof request, "%s /", methods[i]);
        reply = http_client_ask(false, request, HOST);
        cr_expect_eq(http_client_status(reply), 405, "%s: %s", request, reply);
        cr_expect_not_null(strstr(reply, "\r\nAllow: GET, HEAD\r\n"), "%s", reply);
    }
    cr_expect_geq(http_client_status(http_client_ask(false, "BREW /", HOST)), 400);
    cr_expect_eq(
        http_client_status(http_client_ask(false, "POST /", HOST "Content-Length: 1000000\r\n")),
        413);
}

static const struct {
    const char *host;
    bool is_local;
} hosts[] = {
    {"localhost", true},
    {"localhost:8080", true},
    {"LocalHost", true},
    {"127.0.0.1", true},
    {"127.0.0.1:1", true},
    {"[::1]", true},
    {"[::1]:8080", true},
    {"", false},
    {"evil.example", false},
    {"localhost.evil", false},
    {"localhost:8080x", false},
    {"localhost:80:80", false},
    {"127.0.0.1.evil", false},
    {"127.0.0.2", false},
    {"evil.example:127.0.0.1", false},
    {"x@localhost", false},
    {"localhost@x", false},
    {" localhost x", false},
    {"localhost/", false},
    {"::1", false},
    {"localhos", false},
};

Test(http, a_local_address_answers_only_to_its_own_names)
{
    char header[100];

    for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
        snprintf(header, sizeof header, "Host: %s\r\n", hosts[i].host);
        cr_expect_eq(http_client_status(http_client_ask(false, "GET /", header)),
                     hosts[i].is_local ? 200 : 421, "%s", header);
    }
    cr_expect_eq(http_client_status(http_client_ask(false, "GET /", "")), 421);
}

Test(http, a_page_of_another_site_gets_nothing)
{
    static const struct {
        const char *headers;
        int status;
    } cases[] = {
        {"Sec-Fetch-Site: same-origin\r\n", 200},
        {"Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\n", 200},
        {"Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", 200},
        {"Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n", 403},
        {"Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\n", 403},
        {"Sec-Fetch-Site: cross-site\r\n", 403},
    };
    char headers[200];

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        snprintf(headers, sizeof headers, HOST "%s", cases[i].headers);
        cr_expect_eq(http_client_status(http_client_ask(false, "GET /api/status", headers)),
                     cases[i].status, "%s", headers);
    }
}

static int status_for(const char *format, const char *credentials)
{
    char base64[400];
    char header[500];

    sodium_bin2base64(base64, sizeof base64, (const unsigned char *)credentials,
                      strlen(credentials), sodium_base64_VARIANT_ORIGINAL);
    snprintf(header, sizeof header, format, base64);
    return http_client_status(http_client_ask(true, "GET /api/status", header));
}

Test(http, an_open_address_requires_a_name_and_its_token)
{
    static const char *const wrong[] = {
        "anna:%.31s", "anna:%s0", "bert:%s", "%s", ":%s",         "anna%s",
        "%s:anna",    "anna:",    "",        ":",  "anna:anna:%s"};
    char credentials[200];

    snprintf(credentials, sizeof credentials, "anna:%s", http_fixture.token);
    cr_expect_eq(status_for("Authorization: Basic %s\r\n", credentials), 200);
    cr_expect_eq(status_for("Authorization: bAsIC %s\r\n", credentials), 200);
    cr_expect_eq(status_for("Authorization: Bearer %s\r\n", credentials), 401);
    cr_expect_eq(status_for("Authorization: Basic %s=\r\n", credentials), 401);
    cr_expect_eq(status_for("Authorization: Basic%s\r\n", credentials), 401);
    cr_expect_eq(status_for("X: %s\r\n", credentials), 401);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        snprintf(credentials, sizeof credentials, wrong[i], http_fixture.token);
        cr_expect_eq(status_for("Authorization: Basic %s\r\n", credentials), 401, "%s",
                     credentials);
    }
    memset(credentials, 'x', sizeof credentials - 1);
    credentials[sizeof credentials - 1] = '\0';
    cr_expect_eq(status_for("Authorization: Basic %s\r\n", credentials), 401);
    cr_expect_not_null(
        strstr(http_client_ask(true, "GET /jobs/1", HOST), "\r\nWWW-Authenticate: Basic realm="));
}

Test(http, requests_on_one_connection_are_answered_in_their_order)
{
    struct http_client *client = http_client_connect(false);

    http_client_say(client, "GET /api/jobs/1/text HTTP/1.1\r\n" HOST "\r\n"
                            "GET /api/jobs/1/cross HTTP/1.1\r\n" HOST "\r\n"
                            "GET /nothing HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n");
    http_client_wait_end(client);
    cr_expect_lt(strstr(client->bytes, "the standings"), strstr(client->bytes, "row,column"));
    cr_expect_lt(strstr(client->bytes, "row,column"), strstr(client->bytes, "404 Not Found"));
    http_client_leave(client);
}

Test(http, a_request_with_endless_headers_is_disconnected)
{
    struct http_client *client = http_client_connect(false);
    char line[1000];
    int lines;

    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    http_client_say(client, "GET / HTTP/1.1\r\n" HOST);
    for (lines = 0; lines < 1000 && !client->is_closed; lines++) {
        http_client_say(client, "A%d: %s\r\n", lines, line);
        http_client_read(client);
    }
    cr_expect_lt(lines, 100);
    http_client_wait_end(client);
    cr_expect_neq(http_client_status(client->bytes), 200);
    http_client_leave(client);
}

/* Watching. */

static struct http_client *watch(const char *target)
{
    struct http_client *client = http_client_connect(false);

    http_client_say(client, "GET %s HTTP/1.1\r\n" HOST "\r\n", target);
    http_client_wait(client, "retry: 2000\n\n");
    cr_assert_eq(http_client_status(client->bytes), 200);
    return client;
}

static void wait_for_watchers(unsigned count)
{
    while (http_watchers(http_fixture.http) != count)
        cr_assert(http_fixture_turn(), "%u watch", http_watchers(http_fixture.http));
}

/* A tournament file of the owner may name a program, which is not in the ledger. */
Test(http, a_job_with_a_program_is_shown_by_the_name_that_it_has_in_the_job)
{
    static const struct caller owner = {.user = "owner", .is_owner = true};
    static const char file[] = "{\"bots\": [{\"name\": \"own\", \"command\": \"/bin/true\"}, "
                               "{\"name\": \"rival\", \"bot\": \"a\"}, \"b\"], \"seats\": 3}";
    struct request_error error = {0};
    const char *reply;

    cr_assert_eq(queue_submit_job(http_fixture.queue, &owner, span_of(file), false, &error), 3,
                 "%s", error.message);
    cr_expect_eq(http_client_status(http_client_ask(false, "GET /jobs/3", HOST)), 200);
    reply = http_client_ask(false, "GET /api/jobs/3", HOST);
    cr_expect_not_null(strstr(reply, "\"bots\":[{\"name\":\"own\"},{\"name\":\"rival\",\"bot\":"
                                     "\"a\",\"version\":2,\"user\":\"owner\","
                                     "\"is_disqualified\":false},{\"name\":\"b\","),
                       "%s", reply);
    cr_expect_eq(http_client_status(http_client_ask(false, "GET /api/jobs", HOST)), 200);
}

Test(http, a_watcher_gets_the_events_of_its_job)
{
    struct http_client *one = watch("/events?job=1"), *all = watch("/events");

    broadcast_text(queue_broadcast(http_fixture.queue), "2 match 1.1 a 1 3.0 -");
    broadcast_text(queue_broadcast(http_fixture.queue), "1 standings");
    http_client_wait(one, "data: 1 standings\n\n");
    http_client_wait(all, "data: 2 match 1.1 a 1 3.0 -\n\n");
    http_client_wait(all, "data: 1 standings\n\n");
    cr_expect_null(strstr(one->bytes, "data: 2"));
    cr_expect_eq(http_watchers(http_fixture.http), 2);
    http_client_leave(one);
    wait_for_watchers(1);
    broadcast_text(queue_broadcast(http_fixture.queue), "1 note still here");
    http_client_wait(all, "data: 1 note still here\n\n");
    http_client_leave(all);
    wait_for_watchers(0);
    cr_expect_eq(broadcast_count(queue_broadcast(http_fixture.queue)), 0);
}

Test(http, pages_are_served_while_many_watch)
{
    struct http_client *watchers[12];
    const char *reply;

    for (size_t i = 0; i < ARRAY_LEN(watchers); i++)
        watchers[i] = watch("/events");
    reply = get("/events");
    cr_expect_eq(http_client_status(reply), 503, "%s", reply);
    cr_expect_eq(http_client_status(get("/")), 200);
    for (size_t i = 0; i < ARRAY_LEN(watchers); i++)
        http_client_leave(watchers[i]);
    wait_for_watchers(0);
}

/* Sends all watchers a note of so many digits, and runs the loop until this client has read it
 * all. */
static void tell(struct http_client *reader, int digits)
{
    static unsigned notes;
    char line[3000];
    char wanted[sizeof line + 10];

    snprintf(line, sizeof line, "1 note %u %0*d", ++notes, digits, 0);
    snprintf(wanted, sizeof wanted, "%s\n\n\r\n", line);
    broadcast_text(queue_broadcast(http_fixture.queue), line);
    http_client_wait(reader, wanted);
}

Test(http, a_slow_reader_is_disconnected_before_it_costs_much)
{
    struct http_client *slow = watch("/events"), *quick = watch("/events");
    size_t sent = 0;

    for (; http_watchers(http_fixture.http) == 2; sent += 2800) {
        tell(quick, 2800);
        cr_assert_lt(sent, (size_t)4 << 20, "nobody is cut off");
    }
    cr_expect_gt(sent, (size_t)HTTP_WAITING_MAX);
    broadcast_text(queue_broadcast(http_fixture.queue), "1 note the end");
    http_client_wait(quick, "note the end");
    http_client_wait_end(slow);
    cr_expect_null(strstr(slow->bytes, "note the end"));
    http_client_leave(slow);
    http_client_leave(quick);
}

/* The test itself says when to ping: after one of the two has read everything. It takes a few
 * pings, since the kernel accepts a little on behalf of the other. */
Test(http, a_watcher_that_reads_nothing_between_two_pings_is_disconnected)
{
    static const struct http_limits limits = {600000, 600000, 600000, 600000};
    struct http_client *quick, *slow;
    unsigned pings;

    http_set_limits(http_fixture.http, &limits);
    quick = watch("/events");
    slow = watch("/events");
    for (int i = 0; i < 60; i++)
        tell(quick, 2800);
    for (pings = 0; http_watchers(http_fixture.http) == 2; pings++) {
        http_ping_all(http_fixture.http);
        tell(quick, 1);
        cr_assert_lt(pings, 20, "nobody is cut off");
    }
    cr_expect_gt(pings, 1, "one ping tells nothing");
    http_client_wait_end(slow);
    http_ping_all(http_fixture.http);
    tell(quick, 1);
    cr_expect_eq(http_watchers(http_fixture.http), 1);
    http_client_leave(slow);
    http_client_leave(quick);
}

Test(http, a_client_that_watches_is_pinged_now_and_then)
{
    static const struct http_limits limits = {600000, 1, 600000, 600000};
    struct http_client *client;

    http_set_limits(http_fixture.http, &limits);
    client = watch("/events");
    http_client_wait(client, "\n:\n\n");
    http_client_leave(client);
}

Test(http, input_from_a_watcher_is_not_kept)
{
    static char garbage[65536];
    struct http_client *client = watch("/events");
    size_t sent = 0;
    int bytes = 16384;
    unsigned refused = 0;

    setsockopt(client->fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    while (refused < 1000 && sent < (size_t)4 << 20) {
        ssize_t done = send(client->fd, garbage, sizeof garbage, MSG_DONTWAIT | MSG_NOSIGNAL);

        sent += done > 0 ? (size_t)done : 0;
        refused = done > 0 ? 0 : refused + 1;
        cr_assert(http_fixture_turn());
    }
    cr_expect_lt(sent, (size_t)400 << 10, "%zu bytes were taken", sent);
    broadcast_text(queue_broadcast(http_fixture.queue), "1 note to him as well");
    http_client_wait(client, "note to him as well");
    http_client_leave(client);
}

/* Connections. */

Test(http, a_request_that_never_ends_is_disconnected)
{
    static const struct http_limits limits = {600000, 600000, 20, 600000};
    struct http_client *silent, *half, *slow, *patient = watch("/events");

    /* Only from now on, so that the client that asked in time had no limit. */
    http_set_limits(http_fixture.http, &limits);
    http_fixture.settings.request_ms = 100;
    silent = http_client_connect(false);
    half = http_client_connect(false);
    slow = http_client_connect(false);
    http_client_say(half, "GET / HTTP/1.1\r\nHost: loc");
    http_client_say(slow, "GET / HTTP/1.1\r\n");
    while (!slow->is_closed) {
        http_client_say(slow, "A: b\r\n");
        http_client_read(slow);
    }
    http_client_wait_end(silent);
    http_client_wait_end(half);
    cr_expect_str_empty(silent->bytes);
    cr_expect_neq(http_client_status(half->bytes), 200);
    broadcast_text(queue_broadcast(http_fixture.queue), "1 note hello");
    http_client_wait(patient, "note hello");
    http_client_leave(silent);
    http_client_leave(half);
    http_client_leave(slow);
    http_client_leave(patient);
}

/* Nothing ends by its time here. */
static void set_no_limits(void)
{
    static const struct http_limits limits = {600000, 600000, 10, 600000};

    http_set_limits(http_fixture.http, &limits);
    http_fixture.settings.request_ms = 86400000;
}

static unsigned count_closed(struct http_client *const *clients, size_t count)
{
    unsigned closed = 0;

    for (size_t i = 0; i < count; i++) {
        http_client_read(clients[i]);
        closed += clients[i]->is_closed;
    }
    return closed;
}

Test(http, connections_with_half_a_request_make_room_for_others)
{
    struct http_client *watcher, *clients[50];

    set_no_limits();
    watcher = watch("/events");
    for (size_t i = 0; i < ARRAY_LEN(clients); i++) {
        clients[i] = http_client_connect(false);
        http_client_say(clients[i], "GET / HTTP/1.1\r\nHost: loc");
    }
    while (count_closed(clients, ARRAY_LEN(clients)) < ARRAY_LEN(clients) - 15)
        cr_assert(http_fixture_turn(), "they stay");
    for (size_t i = 0; i < 20; i++)
        cr_expect_eq(http_client_status(get("/")), 200);
    cr_expect_not(clients[ARRAY_LEN(clients) - 1]->is_closed, "the last came last");
    broadcast_text(queue_broadcast(http_fixture.queue), "1 note still here");
    http_client_wait(watcher, "note still here");
    for (size_t i = 0; i < ARRAY_LEN(clients); i++)
        http_client_leave(clients[i]);
    http_client_leave(watcher);
}

static unsigned count_served(void)
{
    unsigned served = 0;

    for (unsigned i = 0; i < http_fixture.http->connection_count; i++)
        served += http_fixture.http->connections[i].is_served;
    return served;
}

/* Many replies that nobody reads are more than any buffer holds. */
Test(http, while_all_connections_are_being_answered_others_wait)
{
    static const char request[] = "GET /texts.js HTTP/1.1\r\n" HOST "\r\n";
    static char requests[200 * sizeof request];
    struct http_client *watchers[12], *slow[4], *late;

    set_no_limits();
    for (int i = 0; i < 200; i++)
        strcat(requests, request);
    for (size_t i = 0; i < ARRAY_LEN(watchers); i++)
        watchers[i] = watch("/events");
    for (size_t i = 0; i < ARRAY_LEN(slow); i++) {
        slow[i] = http_client_connect(false);
        http_client_send(slow[i], requests, strlen(requests));
    }
    while (count_served() < 16)
        cr_assert(http_fixture_turn(), "there is room");
    late = http_client_connect(false);
    send(late->fd, "GET / HTTP/1.1\r\n" HOST "\r\n", 35, MSG_NOSIGNAL);
    for (int i = 0; i < 100; i++)
        http_fixture_turn();
    http_client_read(late);
    cr_expect(!late->is_closed && late->length == 0, "%s", late->bytes);
    http_client_leave(slow[0]);
    http_client_wait(late, "200 OK");
    for (size_t i = 0; i < ARRAY_LEN(watchers); i++)
        http_client_leave(watchers[i]);
    for (size_t i = 1; i < ARRAY_LEN(slow); i++)
        http_client_leave(slow[i]);
    http_client_leave(late);
}

Test(http, an_address_has_a_share_of_connections)
{
    struct http_client *clients[10];

    set_no_limits();
    http_fixture.settings.connections_per_address = 3;
    for (size_t i = 0; i < ARRAY_LEN(clients); i++)
        clients[i] = http_client_connect(false);
    while (count_closed(clients, ARRAY_LEN(clients)) < ARRAY_LEN(clients) - 3)
        cr_assert(http_fixture_turn(), "they stay");
    cr_expect_eq(count_closed(clients, 3), 0, "the first came first");
    http_client_leave(clients[0]);
    while (http_fixture.http->connection_count > 2)
        cr_assert(http_fixture_turn(), "the end of one is not noticed");
    clients[0] = watch("/events");
    for (size_t i = 0; i < ARRAY_LEN(clients); i++)
        http_client_leave(clients[i]);
}

Test(http, a_user_has_a_share_of_connections)
{
    struct http_client *clients[3];
    char credentials[200], base64[400];

    http_fixture.settings.connections_per_user = 2;
    snprintf(credentials, sizeof credentials, "anna:%s", http_fixture.token);
    sodium_bin2base64(base64, sizeof base64, (const unsigned char *)credentials,
                      strlen(credentials), sodium_base64_VARIANT_ORIGINAL);
    for (size_t i = 0; i < ARRAY_LEN(clients); i++) {
        clients[i] = http_client_connect(true);
        http_client_say(clients[i],
                        "GET /events HTTP/1.1\r\n" HOST "Authorization: Basic %s\r\n\r\n", base64);
        http_client_wait(clients[i], i < 2 ? "retry: 2000" : "503 Service Unavailable");
    }
    for (size_t i = 0; i < ARRAY_LEN(clients); i++)
        http_client_leave(clients[i]);
}

Test(http, clients_that_disconnect_in_the_middle_are_forgotten)
{
    static const char request[] = "GET /view/1/1.1 HTTP/1.1\r\n" HOST "\r\n";
    static const char events[] = "GET /events HTTP/1.1\r\n" HOST "\r\n";

    for (size_t i = 0; i < 2 * sizeof events; i++) {
        const char *bytes = i % 2 == 0 ? request : events;
        size_t length = i / 2 < strlen(bytes) ? i / 2 : strlen(bytes);
        struct http_client *client = http_client_connect(false);

        http_client_send(client, bytes, length);
        if (i % 3 == 0)
            http_fixture_turn();
        http_client_leave(client);
    }
    wait_for_watchers(0);
    cr_expect_eq(http_client_status(get("/")), 200);
    http_connections_check(http_fixture.http);
    cr_expect_leq(http_fixture.http->connection_count, 1);
}
