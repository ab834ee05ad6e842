/* What is said to a client. Every reply is put into the output as a whole, so an event can stand between
 * two replies and never within one. Events wait in a buffer of their own while a request is answered, and
 * while much is to be sent before them: whoever lets that buffer grow too large does not read. */

#include "serve/control/control_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define LINE_BYTES (3 * REQUEST_LINE_MAX)

static struct evbuffer *output_of(const struct client *client)
{
    return bufferevent_get_output(client->stream);
}

/* Adds "BEGINNING the words\n", without spaces at the end. */
static void add_line(struct evbuffer *buffer, const char *beginning, const char *format,
                     va_list arguments)
{
    char words[LINE_BYTES];
    char line[LINE_BYTES];
    struct text text;

    (void)vsnprintf(words, sizeof words, format, arguments);
    text_start(&text, line, sizeof line - 1);
    text_add(&text, beginning);
    if (beginning[0] != '\0' && words[0] != '\0')
        text_add_char(&text, ' ');
    request_add_plain(&text, words);
    while (text.length > 0 && line[text.length - 1] == ' ')
        text.length--;
    line[text.length] = '\n';
    (void)evbuffer_add(buffer, line, text.length + 1);
}

void client_ok(struct client *client, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add_line(output_of(client), "ok", format, arguments);
    va_end(arguments);
}

void client_add_line(struct evbuffer *body, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add_line(body, "", format, arguments);
    va_end(arguments);
}

void client_refuse(struct client *client, const struct serve_error *error)
{
    client_add_line(output_of(client), "error %s %s %s",
                    serve_error_class_name(serve_error_class(error->code)),
                    serve_error_name(error->code), error->words);
}

void client_send_block(struct client *client, struct evbuffer *body)
{
    (void)evbuffer_add_printf(output_of(client), "block %zu\n", evbuffer_get_length(body));
    (void)evbuffer_add_buffer(output_of(client), body);
    evbuffer_free(body);
}

void client_send_file(struct client *client, int fd, size_t length)
{
    if (length == 0) {
        (void)evbuffer_add_printf(output_of(client), "block 0\n");
        (void)close(fd);
        return;
    }
    (void)evbuffer_add_printf(output_of(client), "block %zu\n", length);
    if (evbuffer_add_file(output_of(client), fd, 0, (ev_off_t)length) != 0)
        client_lose(client);
}

static bool may_pass_events(const struct client *client)
{
    return !client->is_busy && client->state < CLIENT_PLAYING &&
           client_waiting(client) <= client->control->limits.waiting_bytes;
}

void client_pass_events(struct client *client)
{
    if (may_pass_events(client))
        (void)evbuffer_add_buffer(output_of(client), client->events);
}

/* Straight into the output if that is possible: lines that are moved there one by one would each take a
 * piece of memory. */
void client_tell(struct client *client, const char *line)
{
    bool is_direct = may_pass_events(client) && evbuffer_get_length(client->events) == 0;

    if (client->state >= CLIENT_PLAYING)
        return;
    client_add_line(is_direct ? output_of(client) : client->events, "event %s", line);
    if (evbuffer_get_length(client->events) > client->control->limits.event_bytes)
        client_lose(client);
}
