/* Bytes in, requests out. Lines are read while not too much output is waiting. A block grows as its
 * bytes arrive, so that announcing bytes costs the daemon no memory. Requests are answered in their
 * order, each before the next one is read.
 *
 * There is a deadline whenever the client owes something: the rest of a line, the next part of a
 * block, or a request if it does not watch and is not the owner. While the daemon does not read,
 * the client owes nothing. */

#include "serve/control/control_private.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)64 * 1024) /* the first memory for a block */

static struct evbuffer *input_of(const struct client *client)
{
    return bufferevent_get_input(client->stream);
}

static bool is_reading(const struct client *client)
{
    return client->state <= CLIENT_SKIPPING;
}

/* Too much output is waiting: nothing is read until it is less. */
static bool is_paused(const struct client *client)
{
    return client_waiting(client) > client->control->limits.waiting_bytes;
}

/* Blocks. */

void client_drop_block(struct client *client)
{
    free(client->block);
    client->control->uploaded_bytes -= client->block_capacity;
    client->block = NULL;
    client->block_length = 0;
    client->block_capacity = 0;
}

static void set_block_due(struct client *client)
{
    size_t step = client->control->limits.block_step;

    client->block_due = client->block_left > step ? client->block_left - step : 0;
}

static void expect_block(struct client *client, enum client_state state)
{
    client->block_left = client->request.block_length;
    set_block_due(client);
    client_enter(client, state);
}

static size_t bytes_of_user(const struct client *client)
{
    size_t bytes = 0;

    for (const struct client *other = client->control->clients; other != NULL; other = other->next)
        bytes += strcmp(other->user, client->user) == 0 ? other->block_capacity : 0;
    return bytes;
}

/* Whether it may hold so much more: a user who sends slowly must not hold up the uploads of others,
 * and all others together not those of the owner. */
static bool has_room(const struct client *client, size_t more)
{
    const struct control *control = client->control;
    const struct control_limits *limits = &control->limits;

    if (control->uploaded_bytes + more > limits->upload_bytes)
        return false;
    return client->is_owner ||
           (bytes_of_user(client) + more <= limits->user_bytes &&
            control->uploaded_bytes + more <= limits->upload_bytes - limits->user_bytes);
}

/* Makes room for more of it. Returns -1 if there is none. */
static int grow_block(struct client *client, size_t more)
{
    struct control *control = client->control;
    size_t capacity = client->block_capacity > 0 ? client->block_capacity : BLOCK_BYTES;

    while (capacity < client->block_length + more)
        capacity *= 2;
    if (capacity > client->request.block_length)
        capacity = client->request.block_length;
    if (capacity <= client->block_capacity)
        return 0;
    if (!has_room(client, capacity - client->block_capacity))
        return -1;
    client->block = xrealloc(client->block, capacity);
    control->uploaded_bytes += capacity - client->block_capacity;
    client->block_capacity = capacity;
    return 0;
}

static void refuse_block(struct client *client)
{
    struct request_error error;

    (void)request_error_set(&error, REQUEST_ERROR_BUSY,
                            "too many uploads at once: try again later");
    client_refuse(client, &error);
    client_drop_block(client);
    client_enter(client, CLIENT_SKIPPING);
}

static void end_block(struct client *client)
{
    bool is_refused = client->state == CLIENT_SKIPPING;

    client_enter(client, CLIENT_READY);
    if (!is_refused)
        handle_answer(client);
    client_drop_block(client);
}

static bool take_block(struct client *client)
{
    struct evbuffer *input = input_of(client);
    size_t length = evbuffer_get_length(input);

    if (length > client->block_left)
        length = client->block_left;
    if (length == 0)
        return false;
    if (client->state == CLIENT_BLOCK && grow_block(client, length) != 0)
        refuse_block(client);
    if (client->state == CLIENT_BLOCK) {
        (void)evbuffer_remove(input, client->block + client->block_length, length);
        client->block_length += length;
    } else {
        (void)evbuffer_drain(input, length);
    }
    client->block_left -= length;
    if (client->block_left == 0) {
        end_block(client);
    } else if (client->block_left <= client->block_due) {
        set_block_due(client);
        client_set_debt(client, CLIENT_OWES_NOTHING);
    }
    return true;
}

/* Lines. */

static void refuse_and_leave(struct client *client, const struct request_error *error)
{
    struct request_error last;

    (void)request_error_set(&last, error->code, "%.900s; the connection is closed", error->message);
    client_refuse(client, &last);
    client_leave(client);
}

/* Refuses a request before its block was read. */
static void refuse_request(struct client *client, struct request_error *error)
{
    const struct request *request = &client->request;

    if (client->state == CLIENT_HELLO || request->is_block_unknown ||
        request->block_length > REQUEST_UPLOAD_MAX || error->code == REQUEST_ERROR_TOO_LARGE) {
        refuse_and_leave(client, error);
        return;
    }
    client_refuse(client, error);
    if (request->block_length > 0)
        expect_block(client, CLIENT_SKIPPING);
}

/* A client that does not start with hello speaks another protocol, and needs no details about this
 * one. */
static int check_first(const struct client *client, struct span line, struct request_error *error)
{
    struct span rest = line;

    if (client->state != CLIENT_HELLO || span_is(span_cut(&rest, ' '), "hello"))
        return 0;
    return request_error_set(error, REQUEST_ERROR_NO_HELLO, "the first line must be hello %d",
                             CONTROL_VERSION);
}

static void take_request(struct client *client, struct span line)
{
    struct request_error error;

    client_set_debt(client, CLIENT_OWES_NOTHING);
    if (check_first(client, line, &error) != 0 ||
        request_read(&client->request, line, &error) != 0 || handle_check(client, &error) != 0)
        refuse_request(client, &error);
    else if (client->request.is_followed)
        expect_block(client, CLIENT_BLOCK);
    else
        handle_answer(client);
}

static bool take_line(struct client *client)
{
    struct evbuffer *input = input_of(client);
    char bytes[REQUEST_LINE_MAX + 2];
    struct request_error error;
    struct evbuffer_ptr end = evbuffer_search_eol(input, NULL, NULL, EVBUFFER_EOL_LF);
    size_t length = end.pos < 0 ? evbuffer_get_length(input) : (size_t)end.pos;

    if (length >= sizeof bytes) {
        (void)request_error_set(&error, REQUEST_ERROR_TOO_LONG, "a line has at most %d bytes",
                                REQUEST_LINE_MAX);
        refuse_and_leave(client, &error);
        return false;
    }
    if (end.pos < 0)
        return false;
    (void)evbuffer_remove(input, bytes, length + 1);
    if (length > 0 && bytes[length - 1] == '\r')
        length--;
    take_request(client, (struct span){bytes, length});
    return true;
}

/* When no more can be read now. */

/* The client has closed its side. */
static void end_input(struct client *client)
{
    struct request_error error;
    bool is_in_block = client->state == CLIENT_BLOCK;

    if (is_in_block ||
        (client->state != CLIENT_SKIPPING && evbuffer_get_length(input_of(client)))) {
        (void)request_error_set(&error, REQUEST_ERROR_UNREADABLE, "the last %s is incomplete",
                                is_in_block ? "block" : "line");
        client_refuse(client, &error);
    }
    client_leave(client);
}

static enum client_debt debt_of(const struct client *client)
{
    if (client->state == CLIENT_HELLO)
        return CLIENT_OWES_HELLO;
    if (client->state != CLIENT_READY)
        return CLIENT_OWES_BLOCK;
    if (evbuffer_get_length(input_of(client)) > 0)
        return CLIENT_OWES_LINE;
    return client->watcher != NULL || client->is_owner ? CLIENT_OWES_NOTHING : CLIENT_OWES_REQUEST;
}

static void settle(struct client *client)
{
    if (is_paused(client)) {
        (void)bufferevent_disable(client->stream, EV_READ);
        client_set_debt(client, CLIENT_OWES_NOTHING);
        return;
    }
    if (client->is_input_over) {
        end_input(client);
        return;
    }
    (void)bufferevent_enable(client->stream, EV_READ);
    client_set_debt(client, debt_of(client));
}

static void drop_input(struct client *client)
{
    struct evbuffer *input = input_of(client);

    if (client->state == CLIENT_FETCHING && evbuffer_get_length(input) > 0)
        client_lose(client);
    (void)evbuffer_drain(input, evbuffer_get_length(input));
}

void client_read(struct client *client)
{
    bool is_progress = true;

    while (is_progress && is_reading(client) && !is_paused(client))
        is_progress = client->state == CLIENT_BLOCK || client->state == CLIENT_SKIPPING
                          ? take_block(client)
                          : take_line(client);
    if (is_reading(client))
        settle(client);
    else if (client->state != CLIENT_TRYING)
        drop_input(client);
}
