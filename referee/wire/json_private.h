#ifndef REFEREE_WIRE_JSON_PRIVATE_H
#define REFEREE_WIRE_JSON_PRIVATE_H

/* What the files about JSON share: a document that is being read, and what a fault in one is found
 * with. */

#include "wire/json_read.h"

#include <stdint.h>

#define JSON_NO_PLACE SIZE_MAX

/* Places of a node's key and text in `bytes` while the document is being read; JSON_NO_PLACE for
 * those that have none. */
struct json_text_place {
    size_t key;
    size_t text;
};

struct json_document {
    struct json_node *nodes;
    struct json_text_place *places;
    size_t count;
    size_t capacity;
    char *bytes;
    size_t used;
    size_t size;
    size_t open[JSON_DEPTH_MAX]; /* the lists and maps that are open, by their place in `nodes` */
    size_t depth;
    size_t key; /* of the next value, or JSON_NO_PLACE */
};

/* Forgets the last document. */
void json_begin(struct json_document *document);

/* Appends bytes and a NUL. Returns their place. */
size_t json_keep(struct json_document *document, const unsigned char *bytes, size_t length);

/* Adds a value, which gets the key that waits. */
struct json_node *json_add(struct json_document *document, enum json_kind kind);

/* Adds a list or map, which holds what comes until json_close(). Returns false if that is too
 * deep. */
bool json_open(struct json_document *document, enum json_kind kind);
void json_close(struct json_document *document);

/* Turns places into pointers when the document is complete. Returns its root. */
const struct json_node *json_resolve(struct json_document *document);

/* The first byte from `at` on that is neither blank nor in a comment; the length of `source` if
 * there is none. A comment that is not closed does not count. */
size_t json_skip_blanks(struct span source, size_t at);

/* What the parser took last. */
enum json_last {
    JSON_LAST_NONE,
    JSON_LAST_OPEN, /* the beginning of a list or map */
    JSON_LAST_KEY,
    JSON_LAST_VALUE, /* or the end of a list or map */
};

/* A document up to where the parser went. */
struct json_progress {
    struct span source;
    size_t end; /* after what it took last */
    enum json_last last;
    const struct json_node *inside; /* the innermost list or map that is open, or NULL */
};

/* Says why a text that begins with the quote at `start` cannot be read: a sentence, with the
 * byte that it is about in `at`; or NULL if it can. */
const char *json_text_fault(struct span source, size_t start, size_t *at);

/* Says why the parser did not get further. Returns the byte that it is about. */
size_t json_find_fault(const struct json_progress *progress, struct text *problem);

#endif
