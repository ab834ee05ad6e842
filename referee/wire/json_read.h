#ifndef REFEREE_WIRE_JSON_READ_H
#define REFEREE_WIRE_JSON_READ_H

/* Reads one JSON document into a list of nodes. Numbers are integers: the project writes no others. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define JSON_DEPTH_MAX 16

enum json_kind {
    JSON_NULL,
    JSON_FLAG,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_LIST,
    JSON_MAP,
};

/* A value. What is in a list or map follows it directly; `size` counts it and all of that. */
struct json_node {
    enum json_kind kind;
    unsigned size;
    const char *key;  /* of a member of a map; NULL elsewhere */
    const char *text; /* of JSON_TEXT, NUL-terminated; a NUL within makes the document unreadable */
    size_t length;
    long long number; /* of JSON_NUMBER; 1 or 0 of JSON_FLAG */
};

struct json_document;

struct json_document *json_document_new(void);
void json_document_free(struct json_document *document);

/* Reads a document. Returns its root, lent until the next call; or NULL with a few words in
 * `problem`. */
const struct json_node *json_read(struct json_document *document, const char *bytes, size_t length,
                                  struct text *problem);

/* The member of a map with that name, or NULL; also NULL if `map` is NULL or no map. */
const struct json_node *json_member(const struct json_node *map, const char *name);

/* The values of a list or map in order: the first, and the one after; NULL when there is none. */
const struct json_node *json_first(const struct json_node *inside);
const struct json_node *json_next(const struct json_node *inside, const struct json_node *value);

/* The member's text or number, or what is said if there is none of that kind. */
const char *json_member_text(const struct json_node *map, const char *name, const char *otherwise);
long long json_member_number(const struct json_node *map, const char *name, long long otherwise);

#endif
