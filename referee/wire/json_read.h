#ifndef REFEREE_WIRE_JSON_READ_H
#define REFEREE_WIRE_JSON_READ_H

/* Reads one JSON document into a list of nodes: lines that the project wrote, or a file that a
 * person wrote, with comments, in which every value has its place. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_DEPTH_MAX 16

enum json_kind {
    JSON_NULL,
    JSON_FLAG,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_LIST,
    JSON_MAP,
    JSON_NO_INTEGER, /* of json_read_commented(): a fraction, or a number that no long long holds */
};

/* A value. What is in a list or map follows it directly; `size` counts it and all of that. */
struct json_node {
    enum json_kind kind;
    unsigned size;
    const char *key;  /* of a member of a map, as `text`; NULL elsewhere */
    const char *text; /* of JSON_TEXT, NUL-terminated; a NUL within makes the document unreadable */
    size_t length;
    long long number; /* of JSON_NUMBER; 1 or 0 of JSON_FLAG */
    uint32_t at;      /* of json_read_commented(): the byte at which the value begins, */
    uint32_t key_at;  /* and its key, if it has one */
};

struct json_document;

struct json_document *json_document_new(void);
void json_document_free(struct json_document *document);

/* Reads a document as the project writes it: numbers are integers. Returns its root, lent until the
 * next call; or NULL with a few words in `problem`. */
const struct json_node *json_read(struct json_document *document, const char *bytes, size_t length,
                                  struct text *problem);

/* Reads a document as a person writes it: UTF-8, with comments between // and the end of the
 * line or between slash-star and star-slash. Nodes have their places, numbers have their digits
 * in `text` as they were written, and a text may hold a NUL: then it is longer than strlen()
 * says. Returns the root, lent until the next call; or NULL with a sentence in `problem` and, in
 * `at`, the byte that it is about. A key that a map has twice is there twice. */
const struct json_node *json_read_commented(struct json_document *document, struct span source,
                                            size_t *at, struct text *problem);

/* Where a person finds a byte: both count from 1. Lines end with LF. Columns count characters, as
 * editors do: those of UTF-8, a tab being one. */
struct json_place {
    unsigned line;
    unsigned column;
};

struct json_place json_place_at(struct span source, size_t at);

/* The member of a map with that name, or NULL; also NULL if `map` is NULL or not a map. */
const struct json_node *json_member(const struct json_node *map, const char *name);

/* The values of a list or map in order: the first, and the one after; NULL when there is none. NULL
 * is like an empty list. */
const struct json_node *json_first(const struct json_node *inside);
const struct json_node *json_next(const struct json_node *inside, const struct json_node *value);

/* How many values a list or map has. */
unsigned json_count(const struct json_node *inside);

/* The member's text or number; `otherwise` if there is no member of that kind. */
const char *json_member_text(const struct json_node *map, const char *name, const char *otherwise);
long long json_member_number(const struct json_node *map, const char *name, long long otherwise);

#endif
