/* What can be changed through the pages: by whom, with what, and from where. */

#include "base/memory.h"
#include "serve/http/http_private.h"
#include "support/http_fixture.h"
#include "support/patience.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HOST "Host: localhost\r\n"

static char cookie[300]; /* "Cookie: …\r\n" of a session, or "" */
static char secret[SESSIONS_SECRET_BYTES];

static void begin(void)
{
    cr_assert_geq(sodium_init(), 0);
    http_fixture_begin(16);
}

TestSuite(http_changes, .init = begin, .fini = http_fixture_end, .timeout = PATIENCE_TEST_SECONDS);

static const char *ask(const char *request, const char *headers, const char *body)
{
    static char more[HTTP_BODY_MAX + 2000];

    snprintf(more, sizeof more, HOST "%s%sContent-Length: %zu\r\n\r\n%s", cookie, headers,
             strlen(body), body);
    return http_client_ask(false, request, more);
}

/* With the secret of whoever has the cookie. */
static const char *post(const char *path, const char *body)
{
    char request[200], header[200];

    snprintf(request, sizeof request, "POST %s", path);
    snprintf(header, sizeof header, "X-CSRF-Token: %s\r\n", secret);
    return ask(request, header, body);
}

static void load_me(const char *user)
{
    const char *reply = ask("GET /api/me", "", "");
    const char *found = strstr(reply, "\"csrf\":\"");
    char expected[100];

    snprintf(expected, sizeof expected, "\"user\":\"%s\"", user);
    cr_assert_not_null(strstr(reply, expected), "%s", reply);
    cr_assert_not_null(found, "%s", reply);
    memcpy(secret, found + 8, sizeof secret - 1);
}

/* With further headers for the request, and attributes that the cookie must have. */
static void sign_in_with(const char *headers, const char *attributes)
{
    const char *reply, *value;
    char all[300];

    cookie[0] = '\0';
    load_me("guest");
    snprintf(all, sizeof all, "%sX-CSRF-Token: %s\r\n", headers, secret);
    reply = ask("POST /api/sign-in", all, http_fixture.token);
    cr_assert_eq(http_client_status(reply), 204, "%s", reply);
    value = strstr(reply, "Set-Cookie: ");
    cr_assert_not_null(value, "%s", reply);
    cr_expect_not_null(strstr(value, attributes), "%s", value);
    value += strlen("Set-Cookie: ");
    snprintf(cookie, sizeof cookie, "Cookie: other=1; %.*s; x=y\r\n", (int)strcspn(value, ";"),
             value);
}

static void sign_in(void)
{
    sign_in_with("", "; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200\r\n");
    load_me("anna");
}

static void expect(const char *reply, int status, const char *text)
{
    cr_expect_eq(http_client_status(reply), status, "%s", reply);
    cr_expect_not_null(strstr(http_client_body(reply), text), "no %s: %s", text, reply);
}

Test(http_changes, who_signs_in_may_change_and_is_known_by_name)
{
    sign_in();
    expect(post("/api/requests", "match a b title=\"by a page\"\n"), 200, "\"text\":\"job=3\"");
    cr_expect_str_eq(ledger_job(queue_ledger(http_fixture.queue), 3)->user, "anna");
    expect(post("/api/requests", "cancel 3\n"), 200, "\"reply\":\"ok\"");
    expect(post("/api/requests", "cancel 1\n"), 400, "job 1 belongs to owner");
    expect(post("/api/requests", "cancel 99\n"), 400, "there is no job 99");
}

Test(http_changes, nobody_signs_in_with_a_wrong_token)
{
    char longest[200] = "";

    load_me("guest");
    memset(longest, 'a', sizeof longest - 1);
    expect(post("/api/sign-in", ""), 403, "Nobody");
    expect(post("/api/sign-in", "00000000000000000000000000000000"), 403, "Nobody");
    expect(post("/api/sign-in", longest), 403, "Nobody");
    longest[128] = '\0';
    expect(post("/api/sign-in", longest), 403, "Nobody");
}

Test(http_changes, signing_out_ends_the_session)
{
    sign_in();
    expect(post("/api/sign-out", ""), 204, "");
    load_me("guest");
    expect(post("/api/requests", "match a b\n"), 403, "sign in");
}

Test(http_changes, a_guest_changes_nothing_where_there_are_users)
{
    load_me("guest");
    expect(post("/api/requests", "match a b\n"), 403, "sign in");
    cr_assert_eq(unlink(scratch_path("users")), 0);
    cr_assert_eq(users_reload(http_fixture.users, &(struct text){0}), 0);
    expect(post("/api/requests", "match a b\n"), 200, "job=3");
    cr_expect_str_eq(ledger_job(queue_ledger(http_fixture.queue), 3)->user, "guest");
}

Test(http_changes, nothing_is_changed_without_the_secret_or_from_elsewhere)
{
    static const struct {
        const char *headers;
        bool has_secret;
        int status;
    } cases[] = {
        {"", true, 200},
        {"Origin: http://localhost\r\nSec-Fetch-Site: same-origin\r\n", true, 200},
        {"", false, 403},
        {"X-CSRF-Token: 00\r\n", false, 403},
        {"Origin: http://evil.example\r\n", true, 403},
        {"Origin: https://localhost\r\n", true, 403},
        {"Origin: http://localhost.evil\r\n", true, 403},
        {"Origin: null\r\n", true, 403},
        {"Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", true, 403},
        {"Sec-Fetch-Site: same-site\r\n", true, 403},
    };
    char headers[400];

    sign_in();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *reply;

        snprintf(headers, sizeof headers, "%s%s%s%s", cases[i].headers,
                 cases[i].has_secret ? "X-CSRF-Token: " : "", cases[i].has_secret ? secret : "",
                 cases[i].has_secret ? "\r\n" : "");
        reply = ask("POST /api/requests", headers, "status\n");
        cr_expect_eq(http_client_status(reply), cases[i].status, "%s: %s", headers, reply);
    }
}

#define TLS "X-Forwarded-Proto: https\r\nOrigin: https://localhost\r\n"

Test(http_changes, behind_a_proxy_with_tls_the_cookie_is_secure_and_the_origin_too)
{
    const char *reply;

    sign_in_with(TLS, "; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure\r\n");
    cr_expect_not_null(strstr(cookie, "; __Host-referee="), "%s", cookie);
    reply = ask("GET /api/me", TLS, "");
    cr_expect_not_null(strstr(reply, "\"user\":\"anna\""), "%s", reply);
    reply = ask("GET /api/me", "", "");
    cr_expect_not_null(strstr(reply, "\"user\":\"guest\""), "without TLS it is no session: %s",
                       reply);
}

Test(http_changes, the_secret_of_another_session_does_not_fit)
{
    char other[sizeof secret];

    sign_in();
    memcpy(other, secret, sizeof other);
    sign_in();
    memcpy(secret, other, sizeof secret);
    expect(post("/api/requests", "status\n"), 403, "load it again");
}

Test(http_changes, a_request_is_one_of_the_control_protocol_and_no_more)
{
    sign_in();
    expect(post("/api/requests", "status\n"), 200, "jobs=2 queued=");
    expect(post("/api/requests", "status"), 400, "begins with a line");
    expect(post("/api/requests", ""), 400, "begins with a line");
    expect(post("/api/requests", "status\nstatus\n"), 400, "something follows");
    expect(post("/api/requests", "steal everything\n"), 400, "steal");
    expect(post("/api/requests", "watch\n"), 403, "cannot be asked here");
    expect(post("/api/requests", "play a\n"), 403, "cannot be asked here");
    expect(post("/api/requests", "hello 1\n"), 403, "cannot be asked here");
    expect(post("/api/requests", "submit x file=x bytes=99999999\n"), 413, "bytes");
    expect(post("/api/requests", "submit x command=/bin/true\n"), 400, "only the owner");
    cr_expect_eq(http_client_status(ask("GET /api/requests", "", "")), 405);
}

/* Starts an upload, and returns the path for its next part. */
static const char *start_upload(const char *line)
{
    static char path[100];
    const char *reply = post("/api/requests", line);
    const char *id = strstr(reply, "\"id\":\"");

    cr_assert_eq(http_client_status(reply), 202, "%s", reply);
    cr_assert_not_null(id, "%s", reply);
    snprintf(path, sizeof path, "/api/requests/%.32s", id + 6);
    return path;
}

Test(http_changes, an_upload_comes_in_parts)
{
    const char *path;

    sign_in();
    path = start_upload("submit small file=small bytes=24\n#!/bin/sh\n");
    expect(post(path, "exec true"), 202, "\"left\":5");
    expect(post(path, "     too much"), 404, "no such upload");
    expect(post(path, "#end\n"), 200, "bot=small version=1");
    expect(post(path, "x"), 404, "no such upload");
    expect(post("/api/requests/00000000000000000000000000000000", "x"), 404, "no such upload");
}

Test(http_changes, a_part_can_be_as_long_as_a_body_may_be)
{
    char *body = xcalloc(HTTP_BODY_MAX + 1, 1);
    struct http_client *client = http_client_connect(false);

    sign_in();
    memset(body, '#', HTTP_BODY_MAX);
    http_client_say(
        client, "POST %s HTTP/1.1\r\n" HOST "%sX-CSRF-Token: %s\r\nContent-Length: %d\r\n\r\n",
        start_upload("submit large file=large bytes=65536\n"), cookie, secret, HTTP_BODY_MAX);
    http_client_send(client, body, HTTP_BODY_MAX);
    http_client_wait(client, "}");
    cr_expect_not_null(strstr(client->bytes, "\"reply\":"), "%s", client->bytes);
    http_client_leave(client);
    free(body);
}

Test(http_changes, an_upload_that_is_refused_early_says_so)
{
    const char *path;

    sign_in();
    path = start_upload("submit a file=x bytes=24\n");
    expect(post(path, "01234567890123456789"), 202, "left");
    expect(post(path, "0123"), 400, "belongs to owner");
}

Test(http_changes, one_user_has_few_uploads_at_once)
{
    sign_in();
    for (unsigned i = 0; i < 8; i++)
        (void)start_upload("submit small file=small bytes=24\n");
    expect(post("/api/requests", "submit small file=small bytes=24\n"), 503, "too many uploads");
}

Test(http_changes, an_open_address_shows_the_form_and_nothing_else)
{
    static const char *const open[] = {"/sign-in", "/sign-in.js",  "/style.css", "/texts.js",
                                       "/page.js", "/favicon.ico", "/api/me"};
    char request[400];
    const char *reply;

    for (size_t i = 0; i < ARRAY_LEN(open); i++) {
        snprintf(request, sizeof request, "GET %s", open[i]);
        cr_expect_eq(http_client_status(http_client_ask(true, request, HOST)), 200, "%s", request);
    }
    reply = http_client_ask(true, "GET /jobs/1", HOST "Accept: text/html,*/*\r\n");
    cr_expect_eq(http_client_status(reply), 303, "%s", reply);
    cr_expect_not_null(strstr(reply, "\r\nLocation: /sign-in\r\n"), "%s", reply);
    reply = http_client_ask(true, "GET /api/jobs", HOST "Sec-Fetch-Mode: cors\r\n");
    cr_expect_eq(http_client_status(reply), 401, "%s", reply);
    cr_expect_null(strstr(reply, "WWW-Authenticate"), "the browser would ask by itself");
    sign_in();
    snprintf(request, sizeof request, HOST "%s", cookie);
    cr_expect_eq(http_client_status(http_client_ask(true, "GET /jobs/1", request)), 200);
}

/* Submits a match with a person, who takes a seat. Returns the path of the seat. */
static const char *sit_down(void)
{
    static char path[100];
    const char *reply, *id;

    expect(post("/api/requests", "submit me remote=yes\n"), 200, "bot=me");
    expect(post("/api/requests", "match me b\n"), 200, "job=3");
    reply = post("/api/seats", "me 3");
    id = strstr(reply, "\"id\":\"");
    cr_assert_not_null(id, "%s", reply);
    snprintf(path, sizeof path, "/api/seats/%.32s", id + 6);
    return path;
}

Test(http_changes, a_person_waits_at_the_table_as_a_remote_bot)
{
    struct http_client *client;
    const char *path;

    sign_in();
    path = sit_down();
    client = http_client_connect(false);
    http_client_say(client, "GET %s HTTP/1.1\r\n" HOST "%s\r\n", path, cookie);
    http_client_wait(client, "id: 1\ndata: ok waiting\n\n");
    expect(post(path, "1 pile\n"), 400, "no match");
    http_client_leave(client);
}

Test(http_changes, a_seat_is_nobody_elses)
{
    char request[120];

    sign_in();
    snprintf(request, sizeof request, "GET %s", sit_down());
    cookie[0] = '\0';
    expect(ask(request, "", ""), 404, "no such seat");
}

Test(http_changes, a_job_whose_person_does_not_come_is_cancelled)
{
    struct http_limits limits = {
        .write_ms = 30000, .ping_ms = 15000, .round_ms = 1000, .absence_ms = 1};
    const struct ledger *ledger = queue_ledger(http_fixture.queue);

    sign_in();
    http_set_limits(http_fixture.http, &limits);
    (void)sit_down();
    while (ledger_job(ledger, 3)->state != JOB_CANCELLED)
        cr_assert(http_fixture_turn());
}

Test(http_changes, who_leaves_before_the_match_cancels_it)
{
    const struct ledger *ledger = queue_ledger(http_fixture.queue);
    char path[120];

    sign_in();
    snprintf(path, sizeof path, "%s/leave", sit_down());
    expect(post(path, ""), 204, "");
    while (ledger_job(ledger, 3)->state != JOB_CANCELLED)
        cr_assert(http_fixture_turn());
    expect(post(path, ""), 404, "no such seat");
}
