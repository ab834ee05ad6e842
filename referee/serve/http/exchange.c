/* Requests that change something, from a page. Each is a request of the control protocol: the line,
 * and after it the block if there is one. It is passed on over a connection of its own, on which
 * the reader has been greeted already, so the same checks and limits hold as for every other
 * client, and no memory is needed for an upload but what the control side allows.
 *
 * The body of an HTTP request has at most HTTP_BODY_MAX bytes, because the library keeps it in
 * memory before anybody knows who sends it. A longer block comes in parts: the reply to the first
 * has an id, and the following ones are sent to that id, in order. The reply to the last part is
 * the reply of the control protocol; if the daemon refuses before that, the next part gets the
 * refusal. A client that sends no more parts is disconnected by the control side, which ends the
 * exchange. */

#include "serve/http/http_private.h"

#include "base/memory.h"
#include "wire/request.h"
#include "wire/request_reply.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXCHANGES_PER_USER 8
#define ID_BYTES (HTTP_NAME_MAX + 1)

/* What pages may ask for: whatever submits, changes or reads, and ends with one reply of a moderate
 * length. */
static const enum request_verb verbs[] = {REQUEST_SUBMIT,    REQUEST_MATCH,  REQUEST_TOURNAMENT,
                                          REQUEST_CANCEL,    REQUEST_RESUME, REQUEST_STATUS,
                                          REQUEST_RERUN,     REQUEST_REPLAY, REQUEST_DISQUALIFY,
                                          REQUEST_REINSTATE, REQUEST_REMOVE, REQUEST_PRUNE};

struct exchange {
    struct http *http;
    char id[ID_BYTES];
    char user[USERS_NAME_MAX + 1];
    struct bufferevent *stream; /* to the control side */
    size_t left;                /* bytes of the block that are missing */
    struct http_call call;      /* that waits for the reply; without a request if none does */
    struct exchange *next;
};

static void exchange_free(struct exchange *exchange)
{
    struct exchange **link = &exchange->http->exchanges;

    while (*link != exchange)
        link = &(*link)->next;
    *link = exchange->next;
    if (exchange->stream != NULL)
        bufferevent_free(exchange->stream);
    free(exchange);
}

/* The reader has gone. As for watchers, the request is ours if its connection ended first. */
static void on_close(struct evhttp_connection *connection, void *context)
{
    struct exchange *exchange = context;
    struct evhttp_request *request = exchange->call.request;

    (void)connection;
    exchange_free(exchange);
    if (evhttp_request_get_connection(request) == NULL)
        evhttp_send_reply(request, 503, NULL, NULL);
}

void http_exchanges_free(struct http *http)
{
    while (http->exchanges != NULL) {
        struct evhttp_request *request = http->exchanges->call.request;

        if (request != NULL)
            evhttp_connection_set_closecb(evhttp_request_get_connection(request), NULL, NULL);
        exchange_free(http->exchanges);
    }
}

static void reply_to(struct http_call *call, const struct request_reply *reply)
{
    struct json_writer *json = http_start_json();
    bool is_refused = reply->kind == REQUEST_REPLY_ERROR;
    const char *message = reply->text;
    int status = 200;

    if (is_refused)
        status = request_error_read(reply->text, &message) == REQUEST_ERROR_OURS ? 503 : 400;
    json_put_text(json, "reply", request_reply_name(reply->kind));
    json_put_text(json, "text", message);
    if (reply->kind == REQUEST_REPLY_BLOCK || reply->length > 0) {
        json_key(json, "block");
        json_text_bytes(json, reply->block, reply->length);
    }
    http_reply_json(call, status, json);
}

/* Answers with the reply of the control side, if it is there as a whole. The exchange is over
 * then. */
static bool pass_reply(struct exchange *exchange)
{
    struct evbuffer *input = bufferevent_get_input(exchange->stream);
    struct http_call call = exchange->call;
    struct request_reply reply;
    size_t length = 0;
    char *line = evbuffer_readln(input, &length, EVBUFFER_EOL_LF);
    size_t line_bytes = length + 1;

    if (line == NULL)
        return false;
    request_reply_read(&reply, line);
    if (evbuffer_get_length(input) < reply.length) {
        evbuffer_prepend(input, "\n", 1);
        evbuffer_prepend(input, line, line_bytes - 1);
        free(line);
        return false;
    }
    if (reply.length > 0)
        reply.block = (const char *)evbuffer_pullup(input, (ssize_t)reply.length);
    evhttp_connection_set_closecb(evhttp_request_get_connection(call.request), NULL, NULL);
    reply_to(&call, &reply);
    free(line);
    exchange_free(exchange);
    return true;
}

static void on_reply(struct bufferevent *stream, void *context)
{
    struct exchange *exchange = context;

    (void)stream;
    if (exchange->call.request != NULL)
        (void)pass_reply(exchange);
}

/* The control side has closed: a part did not come in time, or the daemon ends. */
static void on_end(struct bufferevent *stream, short what, void *context)
{
    struct exchange *exchange = context;
    struct http_call call = exchange->call;

    (void)stream;
    (void)what;
    if (call.request == NULL) {
        exchange_free(exchange);
    } else if (!pass_reply(exchange)) {
        evhttp_connection_set_closecb(evhttp_request_get_connection(call.request), NULL, NULL);
        exchange_free(exchange);
        http_reply_text(&call, 503, "The daemon gave no reply: please try again.");
    }
}

/* The next part. Answers now, or when the control side does. */
static void take_part(struct exchange *exchange, struct http_call *call)
{
    struct evbuffer *body = evhttp_request_get_input_buffer(call->request);
    struct json_writer *json;

    exchange->left -= evbuffer_get_length(body);
    bufferevent_write_buffer(exchange->stream, body);
    exchange->call = *call;
    evhttp_connection_set_closecb(evhttp_request_get_connection(call->request), on_close, exchange);
    if (pass_reply(exchange) || exchange->left == 0)
        return;
    exchange->call.request = NULL;
    evhttp_connection_set_closecb(evhttp_request_get_connection(call->request), NULL, NULL);
    json = http_start_json();
    json_put_text(json, "id", exchange->id);
    json_put_number(json, "left", (long long)exchange->left);
    http_reply_json(call, 202, json);
}

static unsigned count_of(const struct http *http, const char *user)
{
    unsigned count = 0;

    for (const struct exchange *other = http->exchanges; other != NULL; other = other->next)
        count += strcmp(other->user, user) == 0;
    return count;
}

/* Connects to the control side. Returns NULL with an error. */
static struct exchange *exchange_new(struct http_call *call, struct request_error *error)
{
    struct exchange *exchange;
    unsigned char bytes[(ID_BYTES - 1) / 2];
    int fd;

    if (count_of(call->http, call->user) >= EXCHANGES_PER_USER) {
        (void)request_error_set(error, REQUEST_ERROR_BUSY, "you have too many uploads at once");
        return NULL;
    }
    fd = call->http->setup.connect(call->http->setup.context, call->user, error);
    if (fd < 0)
        return NULL;
    exchange = xcalloc(1, sizeof *exchange);
    exchange->http = call->http;
    exchange->next = call->http->exchanges;
    call->http->exchanges = exchange;
    memcpy(exchange->user, call->user, sizeof exchange->user);
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(exchange->id, sizeof exchange->id, bytes, sizeof bytes);
    exchange->stream = bufferevent_socket_new(call->http->setup.base, fd, BEV_OPT_CLOSE_ON_FREE);
    bufferevent_setcb(exchange->stream, on_reply, NULL, on_end, exchange);
    bufferevent_enable(exchange->stream, EV_READ | EV_WRITE);
    return exchange;
}

static bool is_for_pages(enum request_verb verb)
{
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
        if (verbs[i] == verb)
            return true;
    }
    return false;
}

/* Reads the line at the beginning of a body, which stays as it is. Returns how many bytes the whole
 * request has, or 0 with an error. */
static size_t read_line(struct evbuffer *body, struct request_error *error)
{
    struct evbuffer_ptr end = evbuffer_search_eol(body, NULL, NULL, EVBUFFER_EOL_LF);
    struct request request;
    char bytes[REQUEST_LINE_MAX];

    if (end.pos < 0 || end.pos > REQUEST_LINE_MAX) {
        (void)request_error_set(error, REQUEST_ERROR_UNREADABLE,
                                "a request begins with a line of at most %d bytes",
                                REQUEST_LINE_MAX);
        return 0;
    }
    (void)evbuffer_copyout(body, bytes, (size_t)end.pos);
    if (request_read(&request, (struct span){bytes, (size_t)end.pos}, error) != 0)
        return 0;
    if (is_for_pages(request.verb))
        return (size_t)end.pos + 1 + request.block_length;
    (void)request_error_set(error, REQUEST_ERROR_FORBIDDEN, "%s cannot be asked here",
                            request_forms[request.verb].name);
    return 0;
}

void http_answer_request(struct http_call *call)
{
    struct evbuffer *body = evhttp_request_get_input_buffer(call->request);
    struct request_error error;
    size_t bytes = read_line(body, &error);
    struct exchange *exchange;

    if (bytes > 0 && evbuffer_get_length(body) > bytes) {
        (void)request_error_set(&error, REQUEST_ERROR_UNREADABLE, "something follows the request");
        bytes = 0;
    }
    exchange = bytes > 0 ? exchange_new(call, &error) : NULL;
    if (exchange == NULL) {
        http_reply_refusal(call, &error);
        return;
    }
    exchange->left = bytes;
    take_part(exchange, call);
}

void http_answer_request_part(struct http_call *call)
{
    size_t length = evbuffer_get_length(evhttp_request_get_input_buffer(call->request));
    struct exchange *exchange = call->http->exchanges;

    while (exchange != NULL &&
           (strcmp(exchange->id, call->name) != 0 || strcmp(exchange->user, call->user) != 0))
        exchange = exchange->next;
    if (exchange == NULL || exchange->call.request != NULL || length > exchange->left)
        http_reply_text(call, 404, "There is no such upload, or it took too long.");
    else
        take_part(exchange, call);
}
