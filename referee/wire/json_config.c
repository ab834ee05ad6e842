/* Documents that people write. The parser does not say where a value begins, only how much it
 * has consumed when it calls back, which is the end of what it calls back for. Between two calls
 * there is nothing but blanks, comments, commas and colons: so the beginning is found by going
 * over those from the end of the last one. If the parser gives up, what it took last and where
 * that ended is all that is needed to find out why, and that is done by our own reading
 * (json_diagnose.c), because its messages are not for people. */

#include "wire/json_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

struct reading {
    struct json_document *document;
    struct span source;
    yajl_handle parser;
    size_t base;  /* of what the parser counts: it starts again for the end of the document */
    size_t start; /* of what it took last, */
    size_t end;   /* and the byte after it */
    size_t key_at;
    enum json_last last;
    const char *refusal; /* why we stopped it, or NULL, */
    size_t refusal_at;   /* and what that is about */
};

static void mark(struct reading *reading, enum json_last last)
{
    size_t at = json_skip_blanks(reading->source, reading->end);

    while (at < reading->source.length &&
           (reading->source.start[at] == ',' || reading->source.start[at] == ':'))
        at = json_skip_blanks(reading->source, at + 1);
    reading->start = at;
    reading->end = reading->base + yajl_get_bytes_consumed(reading->parser);
    reading->last = last;
}

static void set_place(const struct reading *reading, struct json_node *node)
{
    node->at = (uint32_t)reading->start;
    node->key_at = (uint32_t)reading->key_at;
}

static struct json_node *add(struct reading *reading, enum json_kind kind)
{
    struct json_node *node;

    mark(reading, JSON_LAST_VALUE);
    node = json_add(reading->document, kind);
    set_place(reading, node);
    return node;
}

static void keep_text(struct json_document *document, const char *bytes, size_t length)
{
    document->nodes[document->count - 1].length = length;
    document->places[document->count - 1].text =
        json_keep(document, (const unsigned char *)bytes, length);
}

static int refuse(struct reading *reading, const char *why, size_t at)
{
    reading->refusal = why;
    reading->refusal_at = at;
    return 0;
}

static int on_null(void *context)
{
    add(context, JSON_NULL);
    return 1;
}

static int on_flag(void *context, int value)
{
    add(context, JSON_FLAG)->number = value;
    return 1;
}

/* What strtoll() does not take to its end has a point or an exponent. */
static int on_number(void *context, const char *digits, size_t length)
{
    struct reading *reading = context;
    struct json_document *document = reading->document;
    struct json_node *node = add(reading, JSON_NUMBER);
    const char *kept;
    char *end;

    keep_text(document, digits, length);
    kept = document->bytes + document->places[document->count - 1].text;
    errno = 0;
    node->number = strtoll(kept, &end, 10);
    if (errno != 0 || *end != '\0')
        node->kind = JSON_NO_INTEGER;
    return 1;
}

/* The parser takes characters that are not UTF-8, as long as they look like it. */
static bool is_text_fine(struct reading *reading)
{
    size_t at = 0;
    const char *fault = json_text_fault(reading->source, reading->start, &at);

    if (fault != NULL)
        refuse(reading, fault, at);
    return fault == NULL;
}

static int on_text(void *context, const unsigned char *bytes, size_t length)
{
    struct reading *reading = context;

    add(reading, JSON_TEXT);
    keep_text(reading->document, (const char *)bytes, length);
    return is_text_fine(reading);
}

static int on_key(void *context, const unsigned char *bytes, size_t length)
{
    struct reading *reading = context;

    mark(reading, JSON_LAST_KEY);
    reading->key_at = reading->start;
    reading->document->key = json_keep(reading->document, bytes, length);
    if (memchr(bytes, '\0', length) != NULL)
        return refuse(reading, "a key cannot hold \\u0000", reading->start);
    return is_text_fine(reading);
}

static int open_inside(struct reading *reading, enum json_kind kind)
{
    mark(reading, JSON_LAST_OPEN);
    if (!json_open(reading->document, kind))
        return refuse(reading, "lists and maps are nested too deeply here", reading->start);
    set_place(reading, &reading->document->nodes[reading->document->count - 1]);
    return 1;
}

static int on_map(void *context)
{
    return open_inside(context, JSON_MAP);
}

static int on_list(void *context)
{
    return open_inside(context, JSON_LIST);
}

static int on_end(void *context)
{
    struct reading *reading = context;

    mark(reading, JSON_LAST_VALUE);
    json_close(reading->document);
    return 1;
}

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_flag,
    .yajl_number = on_number,
    .yajl_string = on_text,
    .yajl_start_map = on_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_end,
    .yajl_start_array = on_list,
    .yajl_end_array = on_end,
};

static bool parse(struct reading *reading)
{
    yajl_config(reading->parser, yajl_allow_comments, 1);
    if (yajl_parse(reading->parser, (const unsigned char *)reading->source.start,
                   reading->source.length) != yajl_status_ok)
        return false;
    reading->base = reading->source.length;
    if (yajl_complete_parse(reading->parser) != yajl_status_ok)
        return false;
    /* To the parser, a comment that is not closed is fine at the end of the document. */
    return json_skip_blanks(reading->source, reading->end) == reading->source.length;
}

static size_t tell_fault(const struct reading *reading, struct text *problem)
{
    const struct json_document *document = reading->document;
    const struct json_node *inside =
        document->depth > 0 ? &document->nodes[document->open[document->depth - 1]] : NULL;

    if (reading->refusal == NULL)
        return json_find_fault(&(struct json_progress){.source = reading->source,
                                                       .end = reading->end,
                                                       .last = reading->last,
                                                       .inside = inside},
                               problem);
    text_add(problem, reading->refusal);
    return reading->refusal_at;
}

const struct json_node *json_read_commented(struct json_document *document, struct span source,
                                            size_t *at, struct text *problem)
{
    struct reading reading = {.document = document, .source = source};
    bool is_fine;

    *at = 0;
    json_begin(document);
    if (source.length > UINT32_MAX) {
        text_add(problem, "the file is too large");
        return NULL;
    }
    reading.parser = yajl_alloc(&callbacks, NULL, &reading);
    is_fine = reading.parser != NULL && parse(&reading);
    if (reading.parser != NULL)
        yajl_free(reading.parser);
    if (is_fine)
        return json_resolve(document);
    *at = tell_fault(&reading, problem);
    return NULL;
}

/* Every byte begins a character but those that continue one. */
static bool begins_letter(char byte)
{
    return ((uint8_t)byte & 0xc0) != 0x80;
}

struct json_place json_place_at(struct span source, size_t at)
{
    struct json_place place = {1, 1};
    const char *line = source.start;
    const char *end = source.start + (at < source.length ? at : source.length);

    while (line < end) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));

        if (newline == NULL)
            break;
        place.line++;
        line = newline + 1;
    }
    for (; line < end; line++)
        place.column += begins_letter(*line);
    return place;
}
