/* Seats for people. A person is a remote bot of the user (`play` of the control protocol) whose
 * lines go to a browser: as Server-Sent Events one way, as POST requests the other way. Nothing
 * here plays or understands the game; the page answers, and the match judges the answers as those
 * of any bot.
 *
 * All lines of a match are kept, so that a page that is loaded again, or connects again, gets the
 * whole match from its beginning; they are numbered, and the page ignores those that it has. A
 * seat whose page is gone for a minute is left: its connection is closed, and the match, if
 * it has begun, dismisses the bot and goes on. If it has not, the job is cancelled, because it
 * would wait for ever. */

#include "serve/http/http_private.h"

#include "base/memory.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <limits.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SEATS_MAX 64              /* people at once */
#define SEAT_TEXT_MAX (4UL << 20) /* bytes of a match */
#define SEAT_LINES_MAX 1024       /* bytes of one POST: an answer, and what is said before it */
#define ID_BYTES (HTTP_NAME_MAX + 1)

struct seat {
    struct http *http;
    char id[ID_BYTES];
    char user[USERS_NAME_MAX + 1];
    unsigned job;
    struct bufferevent *stream;    /* to the control side, then to the match; NULL: it has ended */
    struct evbuffer *text;         /* all lines so far, as events */
    unsigned long count;           /* of them */
    bool is_started;               /* the match has begun */
    struct evhttp_request *reader; /* of the page, or NULL */
    struct event *on_absence;
    struct seat *next;
};

static struct evhttp_connection *connection_of(const struct seat *seat)
{
    return evhttp_request_get_connection(seat->reader);
}

static void await_page(struct seat *seat)
{
    struct timeval time = {.tv_sec = seat->http->limits.absence_ms / 1000,
                           .tv_usec = seat->http->limits.absence_ms % 1000 * 1000};

    event_add(seat->on_absence, &time);
}

/* A job that still waits for the person would wait for ever. */
static void cancel_job(const struct seat *seat)
{
    const struct http_setup *setup = &seat->http->setup;
    struct request_error error;
    char line[32];
    int fd = setup->connect(setup->context, seat->user, &error);

    if (fd < 0)
        return;
    snprintf(line, sizeof line, "cancel %u\n", seat->job);
    (void)send(fd, line, strlen(line), MSG_NOSIGNAL | MSG_DONTWAIT);
    close(fd);
}

static void seat_free(struct seat *seat)
{
    struct seat **link = &seat->http->seats;

    while (*link != seat)
        link = &(*link)->next;
    *link = seat->next;
    if (seat->reader != NULL) {
        evhttp_connection_set_closecb(connection_of(seat), NULL, NULL);
        evhttp_send_reply_end(seat->reader);
    }
    if (seat->stream != NULL)
        bufferevent_free(seat->stream);
    if (seat->on_absence != NULL)
        event_free(seat->on_absence);
    evbuffer_free(seat->text);
    free(seat);
}

static void leave(struct seat *seat)
{
    if (!seat->is_started && seat->stream != NULL)
        cancel_job(seat);
    seat_free(seat);
}

void http_seats_free(struct http *http)
{
    while (http->seats != NULL) {
        if (http->seats->reader != NULL)
            evhttp_connection_set_closecb(connection_of(http->seats), NULL, NULL);
        http->seats->reader = NULL;
        seat_free(http->seats);
    }
}

static void on_absence(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    leave(context);
}

/* Sends a copy of what is kept, from that byte on, to the page. */
static void send_text(struct seat *seat, size_t from)
{
    struct evbuffer *buffer = seat->http->buffer;
    const unsigned char *bytes = evbuffer_pullup(seat->text, -1);

    evbuffer_add(buffer, bytes + from, evbuffer_get_length(seat->text) - from);
    evhttp_send_reply_chunk(seat->reader, buffer);
    evbuffer_drain(buffer, evbuffer_get_length(buffer));
}

static void add_line(struct seat *seat, const char *line)
{
    size_t from = evbuffer_get_length(seat->text);

    evbuffer_add_printf(seat->text, "id: %lu\ndata: %s\n\n", ++seat->count, line);
    if (seat->reader != NULL)
        send_text(seat, from);
}

static void end_stream(struct seat *seat)
{
    bufferevent_free(seat->stream);
    seat->stream = NULL;
    add_line(seat, "end");
}

static void on_lines(struct bufferevent *stream, void *context)
{
    struct seat *seat = context;
    char *line;

    while ((line = evbuffer_readln(bufferevent_get_input(stream), NULL, EVBUFFER_EOL_LF)) != NULL) {
        seat->is_started |= strcmp(line, "start") == 0;
        add_line(seat, line);
        free(line);
    }
    if (evbuffer_get_length(seat->text) > SEAT_TEXT_MAX)
        end_stream(seat);
}

static void on_end(struct bufferevent *stream, short what, void *context)
{
    (void)what;
    on_lines(stream, context);
    if (((struct seat *)context)->stream != NULL)
        end_stream(context);
}

/* The page has gone. As for watchers, the request is ours if its connection ended first. */
static void on_close(struct evhttp_connection *connection, void *context)
{
    struct seat *seat = context;
    struct evhttp_request *reader = seat->reader;

    (void)connection;
    seat->reader = NULL;
    await_page(seat);
    if (evhttp_request_get_connection(reader) == NULL)
        evhttp_send_reply_end(reader);
}

static struct seat *find_seat(struct http_call *call)
{
    struct seat *seat = call->http->seats;

    while (seat != NULL &&
           (strcmp(seat->id, call->name) != 0 || strcmp(seat->user, call->user) != 0))
        seat = seat->next;
    if (seat == NULL)
        http_reply_text(call, 404, "There is no such seat: it was left, or the match is over.");
    return seat;
}

/* One page reads at a time: a new one takes over. */
void http_answer_seat(struct http_call *call)
{
    struct seat *seat = find_seat(call);

    if (seat == NULL)
        return;
    if (call->is_head) {
        http_reply(call, 200, HTTP_EVENTS, evbuffer_new());
        return;
    }
    if (seat->reader != NULL) {
        evhttp_connection_set_closecb(connection_of(seat), NULL, NULL);
        evhttp_send_reply_end(seat->reader);
    }
    event_del(seat->on_absence);
    seat->reader = call->request;
    evhttp_connection_set_closecb(connection_of(seat), on_close, seat);
    http_add_headers(call, HTTP_EVENTS);
    evhttp_send_reply_start(call->request, 200, "OK");
    send_text(seat, 0);
}

/* The page gets its own lines too, so that it knows after a reload what it has answered. */
static void pass_lines(struct seat *seat, struct evbuffer *body)
{
    char line[SEAT_LINES_MAX + 3] = "> ";
    char *text;

    while ((text = evbuffer_readln(body, NULL, EVBUFFER_EOL_ANY)) != NULL) {
        snprintf(line + 2, sizeof line - 2, "%s", text);
        evbuffer_add_printf(bufferevent_get_output(seat->stream), "%s\n", text);
        add_line(seat, line);
        free(text);
    }
}

/* Lines of the person, passed on as they are. */
void http_answer_seat_lines(struct http_call *call)
{
    struct evbuffer *body = evhttp_request_get_input_buffer(call->request);
    struct seat *seat = find_seat(call);

    if (seat == NULL)
        return;
    if (seat->stream == NULL || !seat->is_started) {
        http_reply_text(call, 400, "There is no match.");
    } else if (evbuffer_get_length(body) > SEAT_LINES_MAX) {
        http_reply_text(call, 413, "That is too long.");
    } else {
        pass_lines(seat, body);
        http_reply_nothing(call);
    }
}

void http_answer_seat_leave(struct http_call *call)
{
    struct seat *seat = find_seat(call);

    if (seat == NULL)
        return;
    leave(seat);
    http_reply_nothing(call);
}

/* Nobody sits at two tables: the connections of a remote bot are handed over in their order, so
 * that two seats could be mistaken for each other. */
static int make_room(struct http_call *call, struct request_error *error)
{
    unsigned count = 0;

    for (struct seat *seat = call->http->seats, *next; seat != NULL; seat = next) {
        next = seat->next;
        if (strcmp(seat->user, call->user) == 0)
            leave(seat);
        else
            count++;
    }
    return count < SEATS_MAX ? 0
                             : request_error_set(error, REQUEST_ERROR_BUSY,
                                                 "too many people are playing: please try later");
}

static struct seat *seat_new(struct http_call *call, struct span name, unsigned job,
                             struct request_error *error)
{
    struct http *http = call->http;
    unsigned char bytes[(ID_BYTES - 1) / 2];
    struct seat *seat;
    int fd = make_room(call, error) == 0
                 ? http->setup.connect(http->setup.context, call->user, error)
                 : -1;

    if (fd < 0)
        return NULL;
    seat = xcalloc(1, sizeof *seat);
    *seat = (struct seat){.http = http, .job = job, .text = evbuffer_new(), .next = http->seats};
    http->seats = seat;
    memcpy(seat->user, call->user, sizeof seat->user);
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(seat->id, sizeof seat->id, bytes, sizeof bytes);
    evbuffer_add_printf(seat->text, "retry: 1000\n\n");
    seat->on_absence = event_new(http->setup.base, -1, 0, on_absence, seat);
    seat->stream = bufferevent_socket_new(http->setup.base, fd, BEV_OPT_CLOSE_ON_FREE);
    bufferevent_setcb(seat->stream, on_lines, NULL, on_end, seat);
    bufferevent_enable(seat->stream, EV_READ | EV_WRITE);
    evbuffer_add_printf(bufferevent_get_output(seat->stream), "play %.*s\n", (int)name.length,
                        name.start);
    await_page(seat);
    return seat;
}

/* The body is "BOT JOB": a remote bot of the user, and the job in which it plays. */
void http_answer_sit_down(struct http_call *call)
{
    struct evbuffer *body = evhttp_request_get_input_buffer(call->request);
    char bytes[HTTP_NAME_MAX + 16] = "";
    struct span rest = {bytes, 0}, name;
    struct request_error error;
    struct json_writer *json;
    struct seat *seat;
    long job = 0;

    if (evbuffer_get_length(body) < sizeof bytes)
        rest.length = (size_t)evbuffer_remove(body, bytes, sizeof bytes - 1);
    name = span_cut_word(&rest);
    if (!span_is_name(name, HTTP_NAME_MAX) ||
        span_read_number(span_cut_word(&rest), 1, UINT_MAX, &job) != 0) {
        http_reply_text(call, 400, "The body is: BOT JOB");
        return;
    }
    seat = seat_new(call, name, (unsigned)job, &error);
    if (seat == NULL) {
        http_reply_refusal(call, &error);
        return;
    }
    json = http_start_json();
    json_put_text(json, "id", seat->id);
    http_reply_json(call, 200, json);
}

/* So that dead connections are noticed, as those of watchers. */
void http_seats_ping(struct http *http)
{
    for (struct seat *seat = http->seats; seat != NULL; seat = seat->next) {
        struct bufferevent *page =
            seat->reader != NULL ? evhttp_connection_get_bufferevent(connection_of(seat)) : NULL;

        if (page != NULL && evbuffer_get_length(bufferevent_get_output(page)) == 0) {
            evbuffer_add_printf(http->buffer, ":\n\n");
            evhttp_send_reply_chunk(seat->reader, http->buffer);
            evbuffer_drain(http->buffer, evbuffer_get_length(http->buffer));
        }
    }
}
