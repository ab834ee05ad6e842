/* Output to a client. A reply is added to the output as a whole, so that an event may come between
 * two replies but never within one. Events wait in a buffer of their own while a request is
 * answered, and while much output is waiting before them; a client that lets that buffer grow too
 * large is lost. */

#include "serve/control/control_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define LINE_BYTES (3 * REQUEST_LINE_MAX)

static struct evbuffer *output_of(const struct client *client)
{
    return bufferevent_get_output(client->stream);
}

/* Adds a line that begins with `name`, without spaces at its end. */
static void add_line(struct evbuffer *buffer, const char *name, const char *format,
                     va_list arguments)
{
    char unchecked[LINE_BYTES];
    char line[LINE_BYTES];
    struct text text;

    (void)vsnprintf(unchecked, sizeof unchecked, format, arguments);
    text_start(&text, line, sizeof line - 1);
    text_printf(&text, "%s%s", name, name[0] != '\0' ? " " : "");
    request_add_printable(&text, unchecked);
    while (text.length > 0 && line[text.length - 1] == ' ')
        text.length--;
    line[text.length] = '\n';
    (void)evbuffer_add(buffer, line, text.length + 1);
}

void client_ok(struct client *client, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add_line(output_of(client), request_reply_name(REQUEST_REPLY_OK), format, arguments);
    va_end(arguments);
}

void client_ok_block(struct client *client, struct evbuffer *body, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (body == NULL) {
        client_ok(client, "%s", line);
        return;
    }
    client_ok(client, "%s " REQUEST_REPLY_BYTES "=%zu", line, evbuffer_get_length(body));
    (void)evbuffer_add_buffer(output_of(client), body);
    evbuffer_free(body);
}

void client_add_line(struct evbuffer *body, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add_line(body, "", format, arguments);
    va_end(arguments);
}

static void add_reply(struct evbuffer *buffer, enum request_reply_kind kind, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

static void add_reply(struct evbuffer *buffer, enum request_reply_kind kind, const char *format,
                      ...)
{
    va_list arguments;

    va_start(arguments, format);
    add_line(buffer, request_reply_name(kind), format, arguments);
    va_end(arguments);
}

void client_refuse(struct client *client, const struct request_error *error)
{
    char line[REQUEST_ERROR_MESSAGE_MAX + 100];
    struct text text;

    text_start(&text, line, sizeof line);
    request_error_write(&text, error);
    client_add_line(output_of(client), "%s", line);
}

void client_send_block(struct client *client, struct evbuffer *body)
{
    add_reply(output_of(client), REQUEST_REPLY_BLOCK, "%zu", evbuffer_get_length(body));
    (void)evbuffer_add_buffer(output_of(client), body);
    evbuffer_free(body);
}

void client_send_file(struct client *client, int fd, size_t length)
{
    add_reply(output_of(client), REQUEST_REPLY_BLOCK, "%zu", length);
    if (length == 0)
        (void)close(fd);
    else if (evbuffer_add_file(output_of(client), fd, 0, (ev_off_t)length) != 0)
        client_lose(client);
}

static bool may_send_events(const struct client *client)
{
    return !client->is_busy && client->state < CLIENT_PLAYING &&
           client_waiting(client) <= client->control->limits.waiting_bytes;
}

void client_flush_events(struct client *client)
{
    if (may_send_events(client))
        (void)evbuffer_add_buffer(output_of(client), client->events);
}

/* Directly into the output if possible: lines that are moved there one by one would each take a
 * chunk of memory. */
void client_send_event(struct client *client, const char *line)
{
    bool is_direct = may_send_events(client) && evbuffer_get_length(client->events) == 0;

    if (client->state >= CLIENT_PLAYING)
        return;
    add_reply(is_direct ? output_of(client) : client->events, REQUEST_REPLY_EVENT, "%s", line);
    if (evbuffer_get_length(client->events) > client->control->limits.event_bytes)
        client_lose(client);
}
