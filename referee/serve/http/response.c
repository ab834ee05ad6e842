/* Sending replies. The kind of a reply determines its type, whether a browser may cache it, and
 * what it may do there. */

#include "serve/http/http_private.h"

#include "base/text.h"
#include "wire/request_reply.h"
#include "web/viewer.h"

#include <event2/buffer.h>
#include <event2/http.h>
#include <string.h>
#include <unistd.h>

#define POLICY_MAX 600
#define NEVER "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

static const char own_policy[] = "default-src 'none'; script-src 'self'; style-src 'self'; "
                                 "connect-src 'self'; img-src 'self' data:; " NEVER;
static const char report_policy[] =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; " NEVER;
static const char no_policy[] = "default-src 'none'; " NEVER;

/* A policy that is NULL is computed when it is needed. */
static const struct {
    const char *type;
    const char *cache;
    const char *policy;
} kinds[HTTP_KIND_COUNT] = {
    [HTTP_PAGE] = {"text/html; charset=utf-8", "private, no-cache", own_policy},
    [HTTP_STYLE] = {"text/css; charset=utf-8", "private, no-cache", no_policy},
    [HTTP_SCRIPT] = {"text/javascript; charset=utf-8", "private, no-cache", no_policy},
    [HTTP_ICON] = {"image/svg+xml", "private, max-age=86400", no_policy},
    [HTTP_JSON] = {"application/json", "no-store", no_policy},
    [HTTP_CSV] = {"text/csv; charset=utf-8", "no-store", no_policy},
    [HTTP_TEXT] = {"text/plain; charset=utf-8", "no-store", no_policy},
    [HTTP_LOG] = {"application/x-ndjson", "no-store", no_policy},
    [HTTP_REPORT] = {"text/html; charset=utf-8", "no-store", report_policy},
    [HTTP_VIEWER] = {"text/html; charset=utf-8", "private, no-cache", NULL},
    [HTTP_EVENTS] = {"text/event-stream; charset=utf-8", "no-store", no_policy},
};

static const struct {
    int status;
    const char *text;
} reasons[] = {
    {200, "OK"},
    {202, "Accepted"},
    {204, "No Content"},
    {303, "See Other"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {413, "Content Too Large"},
    {421, "Misdirected Request"},
    {503, "Service Unavailable"},
};

static const char *reason_of(int status)
{
    for (size_t i = 0; i < ARRAY_LEN(reasons); i++) {
        if (reasons[i].status == status)
            return reasons[i].text;
    }
    return "Error";
}

void http_add_header(struct http_call *call, const char *name, const char *value)
{
    evhttp_add_header(evhttp_request_get_output_headers(call->request), name, value);
}

/* The viewer runs only its own script; that nobody may frame it can only be said in a header. */
static void add_viewer_policy(struct http_call *call)
{
    char policy[POLICY_MAX];
    FILE *file = fmemopen(policy, sizeof policy, "w");

    if (file == NULL) {
        http_add_header(call, "Content-Security-Policy", no_policy);
        return;
    }
    viewer_write_policy(file);
    fputs("; frame-ancestors 'none'", file);
    fclose(file);
    http_add_header(call, "Content-Security-Policy", policy);
}

void http_add_headers(struct http_call *call, enum http_kind kind)
{
    http_add_header(call, "Content-Type", kinds[kind].type);
    http_add_header(call, "Cache-Control", kinds[kind].cache);
    http_add_header(call, "X-Content-Type-Options", "nosniff");
    http_add_header(call, "Referrer-Policy", "no-referrer");
    http_add_header(call, "Cross-Origin-Resource-Policy", "same-origin");
    http_add_header(call, "Cross-Origin-Opener-Policy", "same-origin");
    if (kinds[kind].policy != NULL)
        http_add_header(call, "Content-Security-Policy", kinds[kind].policy);
    else
        add_viewer_policy(call);
}

void http_reply(struct http_call *call, int status, enum http_kind kind, struct evbuffer *body)
{
    char length[32];

    http_add_headers(call, kind);
    snprintf(length, sizeof length, "%zu", evbuffer_get_length(body));
    http_add_header(call, "Content-Length", length);
    if (call->is_head)
        evbuffer_drain(body, evbuffer_get_length(body));
    evhttp_send_reply(call->request, status, reason_of(status), body);
    evbuffer_free(body);
}

void http_reply_page(struct http_call *call, int status, enum page_name page)
{
    struct evbuffer *body = evbuffer_new();
    const char *const one[] = {pages[page].bytes, NULL};
    const char *const *part = pages[page].parts != NULL ? pages[page].parts : one;

    for (; *part != NULL; part++)
        evbuffer_add_reference(body, *part, strlen(*part), NULL, NULL);
    http_reply(call, status, pages[page].kind, body);
}

void http_reply_file(struct http_call *call, enum http_kind kind, int fd, size_t length)
{
    struct evbuffer *body = evbuffer_new();

    if (length == 0 || evbuffer_add_file(body, fd, 0, (ev_off_t)length) != 0)
        close(fd);
    http_reply(call, 200, kind, body);
}

void http_reply_text(struct http_call *call, int status, const char *text)
{
    struct evbuffer *body = evbuffer_new();

    evbuffer_add_printf(body, "%s\n", text);
    http_reply(call, status, HTTP_TEXT, body);
}

struct json_writer *http_start_json(void)
{
    struct json_writer *json = json_writer_new(false);

    json_open_map(json);
    return json;
}

/* Outside of strings JSON has none of the characters that are escaped. */
void http_reply_json(struct http_call *call, int status, struct json_writer *json)
{
    struct evbuffer *body = evbuffer_new();
    size_t length = 0, done = 0;
    const char *bytes;

    json_close_map(json);
    bytes = json_writer_bytes(json, &length);
    while (done < length) {
        size_t plain = strcspn(bytes + done, "<>&");

        evbuffer_add(body, bytes + done, plain);
        done += plain;
        if (done < length)
            evbuffer_add_printf(body, "\\u%04x", (unsigned char)bytes[done++]);
    }
    json_writer_free(json);
    http_reply(call, status, HTTP_JSON, body);
}

void http_reply_nothing(struct http_call *call)
{
    http_add_headers(call, call->route->kind);
    evhttp_send_reply(call->request, 204, reason_of(204), NULL);
}

static int status_of(enum request_error_code code)
{
    if (code == REQUEST_ERROR_NO_JOB || code == REQUEST_ERROR_NO_LOG ||
        code == REQUEST_ERROR_NO_BOT)
        return 404;
    if (code == REQUEST_ERROR_FORBIDDEN)
        return 403;
    if (code == REQUEST_ERROR_TOO_LARGE)
        return 413;
    return request_error_class(code) == REQUEST_ERROR_OURS ? 503 : 400;
}

void http_reply_refusal(struct http_call *call, const struct request_error *error)
{
    struct json_writer *json = http_start_json();

    json_put_text(json, "reply", request_reply_name(REQUEST_REPLY_ERROR));
    json_put_text(json, "text", error->message);
    http_reply_json(call, status_of(error->code), json);
}

/* Pages are for people; everything below /api is for programs. */
void http_reply_error(struct http_call *call, const struct request_error *error)
{
    int status = status_of(error->code);

    if (status == 404 && strncmp(call->route->pattern, "/api/", 5) != 0)
        http_reply_page(call, status, PAGE_MISSING);
    else
        http_reply_text(call, status, error->message);
}
