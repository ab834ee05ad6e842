/* Lines of the daemon. What follows the first word has the form of a request: words, then
 * KEY=VALUE. */

#include "wire/request_reply.h"

static const char *const names[] = {
    [REQUEST_REPLY_OK] = "ok",       [REQUEST_REPLY_BLOCK] = "block",
    [REQUEST_REPLY_ERROR] = "error", [REQUEST_REPLY_EVENT] = "event",
    [REQUEST_REPLY_START] = "start",
};

const char *request_reply_name(enum request_reply_kind kind)
{
    return names[kind];
}

bool request_reply_cut(struct span *rest, struct text *key, struct text *value)
{
    bool is_quoted = false, has_key = false;

    while (rest->start != NULL && rest->length > 0 && *rest->start == ' ')
        *rest = (struct span){rest->start + 1, rest->length - 1};
    if (rest->start == NULL || rest->length == 0)
        return false;
    for (; rest->length > 0; rest->start++, rest->length--) {
        char character = *rest->start;

        if (character == ' ' && !is_quoted)
            break;
        if (character == '"') {
            is_quoted = !is_quoted;
        } else if (character == '=' && !is_quoted && !has_key) {
            has_key = true;
            text_add_bytes(key, value->buffer, value->length);
            text_start(value, value->buffer, value->capacity);
        } else {
            if (character == '\\' && is_quoted && rest->length > 1)
                *rest = (struct span){rest->start + 1, rest->length - 1};
            text_add_char(value, *rest->start);
        }
    }
    return true;
}

void request_reply_find(const struct request_reply *reply, const char *key, struct text *value)
{
    char name[64], found[1024];
    struct span rest = span_of(reply->text);
    struct text name_text, found_text;

    do {
        text_start(&name_text, name, sizeof name);
        text_start(&found_text, found, sizeof found);
        if (!request_reply_cut(&rest, &name_text, &found_text))
            return;
    } while (strcmp(name, key) != 0);
    text_add(value, found);
}

/* How many bytes follow an `ok`. */
static void read_bytes(struct request_reply *reply)
{
    char value[24];
    struct text text;
    long length = 0;

    text_start(&text, value, sizeof value);
    request_reply_find(reply, REQUEST_REPLY_BYTES, &text);
    if (text.length > 0 &&
        span_read_number(span_of(value), 0, REQUEST_REPLY_BLOCK_MAX, &length) != 0)
        reply->kind = REQUEST_REPLY_LOST;
    reply->length = (size_t)length;
}

void request_reply_read(struct request_reply *reply, const char *line)
{
    struct span rest = span_of(line);
    struct span word = span_cut(&rest, ' ');
    long length = 0;

    *reply = (struct request_reply){.kind = REQUEST_REPLY_LOST, .text = "", .block = ""};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (span_is(word, names[i]))
            reply->kind = (enum request_reply_kind)i;
    }
    if (reply->kind == REQUEST_REPLY_BLOCK &&
        (rest.start == NULL ||
         span_read_number(span_cut(&rest, ' '), 0, REQUEST_REPLY_BLOCK_MAX, &length) != 0))
        reply->kind = REQUEST_REPLY_LOST;
    reply->length = (size_t)length;
    reply->text = rest.start != NULL ? rest.start : "";
    if (reply->kind == REQUEST_REPLY_OK)
        read_bytes(reply);
}
