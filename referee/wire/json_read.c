/* The parser calls back for each value; the values are put into one list in the order in which
 * they come, and their texts into one buffer. Both are kept from document to document, so that
 * reading a log costs no memory of its own. While they grow, nodes know texts by their place in
 * the buffer; the places become pointers when the document is complete. */

#include "wire/json_read.h"

#include "base/memory.h"
#include "wire/json_private.h"

#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

struct json_document *json_document_new(void)
{
    return xcalloc(1, sizeof(struct json_document));
}

void json_document_free(struct json_document *document)
{
    if (document == NULL)
        return;
    free(document->nodes);
    free(document->places);
    free(document->bytes);
    free(document);
}

size_t json_keep(struct json_document *document, const unsigned char *bytes, size_t length)
{
    size_t at = document->used;

    if (document->used + length + 1 > document->size) {
        document->size = 2 * (document->used + length + 1);
        document->bytes = xrealloc(document->bytes, document->size);
    }
    memcpy(document->bytes + at, bytes, length);
    document->bytes[at + length] = '\0';
    document->used += length + 1;
    return at;
}

struct json_node *json_add(struct json_document *document, enum json_kind kind)
{
    struct json_node *node;

    if (document->count == document->capacity) {
        document->capacity = 2 * document->capacity + 64;
        document->nodes = xrealloc(document->nodes, document->capacity * sizeof *document->nodes);
        document->places =
            xrealloc(document->places, document->capacity * sizeof *document->places);
    }
    document->places[document->count] = (struct json_text_place){document->key, JSON_NO_PLACE};
    document->key = JSON_NO_PLACE;
    node = &document->nodes[document->count++];
    *node = (struct json_node){.kind = kind, .size = 1};
    return node;
}

static int on_null(void *context)
{
    json_add(context, JSON_NULL);
    return 1;
}

static int on_flag(void *context, int value)
{
    json_add(context, JSON_FLAG)->number = value;
    return 1;
}

static int on_number(void *context, long long value)
{
    json_add(context, JSON_NUMBER)->number = value;
    return 1;
}

static int on_text(void *context, const unsigned char *bytes, size_t length)
{
    struct json_document *document = context;

    if (memchr(bytes, '\0', length) != NULL)
        return 0;
    json_add(document, JSON_TEXT)->length = length;
    document->places[document->count - 1].text = json_keep(document, bytes, length);
    return 1;
}

static int on_key(void *context, const unsigned char *bytes, size_t length)
{
    struct json_document *document = context;

    if (memchr(bytes, '\0', length) != NULL)
        return 0;
    document->key = json_keep(document, bytes, length);
    return 1;
}

bool json_open(struct json_document *document, enum json_kind kind)
{
    if (document->depth == JSON_DEPTH_MAX)
        return false;
    document->open[document->depth++] = document->count;
    json_add(document, kind);
    return true;
}

static int on_map(void *context)
{
    return json_open(context, JSON_MAP);
}

static int on_list(void *context)
{
    return json_open(context, JSON_LIST);
}

void json_close(struct json_document *document)
{
    size_t at = document->open[--document->depth];

    document->nodes[at].size = (unsigned)(document->count - at);
}

static int on_end(void *context)
{
    json_close(context);
    return 1;
}

/* Without a callback for other numbers, the parser would hand them over as integers. */
static int on_fraction(void *context, double value)
{
    (void)context;
    (void)value;
    return 0;
}

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_flag,
    .yajl_integer = on_number,
    .yajl_double = on_fraction,
    .yajl_string = on_text,
    .yajl_start_map = on_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_end,
    .yajl_start_array = on_list,
    .yajl_end_array = on_end,
};

const struct json_node *json_resolve(struct json_document *document)
{
    for (size_t i = 0; i < document->count; i++) {
        const struct json_text_place *place = &document->places[i];

        document->nodes[i].key = place->key != JSON_NO_PLACE ? document->bytes + place->key : NULL;
        document->nodes[i].text =
            place->text != JSON_NO_PLACE ? document->bytes + place->text : NULL;
    }
    return &document->nodes[0];
}

void json_begin(struct json_document *document)
{
    document->count = 0;
    document->used = 0;
    document->depth = 0;
    document->key = JSON_NO_PLACE;
}

const struct json_node *json_read(struct json_document *document, const char *bytes, size_t length,
                                  struct text *problem)
{
    yajl_handle parser = yajl_alloc(&callbacks, NULL, document);
    bool is_fine;

    json_begin(document);
    is_fine = parser != NULL &&
              yajl_parse(parser, (const unsigned char *)bytes, length) == yajl_status_ok &&
              yajl_complete_parse(parser) == yajl_status_ok && document->count > 0;
    if (parser != NULL)
        yajl_free(parser);
    if (!is_fine) {
        text_add(problem, "it cannot be read as JSON");
        return NULL;
    }
    return json_resolve(document);
}

const struct json_node *json_first(const struct json_node *inside)
{
    return inside != NULL && inside->size > 1 ? inside + 1 : NULL;
}

const struct json_node *json_next(const struct json_node *inside, const struct json_node *value)
{
    const struct json_node *next = value + value->size;

    return next < inside + inside->size ? next : NULL;
}

unsigned json_count(const struct json_node *inside)
{
    unsigned count = 0;

    for (const struct json_node *value = json_first(inside); value != NULL;
         value = json_next(inside, value))
        count++;
    return count;
}

const struct json_node *json_member(const struct json_node *map, const char *name)
{
    if (map == NULL || map->kind != JSON_MAP)
        return NULL;
    for (const struct json_node *value = json_first(map); value != NULL;
         value = json_next(map, value)) {
        if (strcmp(value->key, name) == 0)
            return value;
    }
    return NULL;
}

const char *json_member_text(const struct json_node *map, const char *name, const char *otherwise)
{
    const struct json_node *value = json_member(map, name);

    return value != NULL && value->kind == JSON_TEXT ? value->text : otherwise;
}

long long json_member_number(const struct json_node *map, const char *name, long long otherwise)
{
    const struct json_node *value = json_member(map, name);

    return value != NULL && (value->kind == JSON_NUMBER || value->kind == JSON_FLAG) ? value->number
                                                                                     : otherwise;
}
