#ifndef REFEREE_WIRE_REQUEST_REPLY_H
#define REFEREE_WIRE_REQUEST_REPLY_H

/* What the daemon sends: replies to requests, and events between them, as lines
 * (serve/protocol.md). One table of their first words; the daemon writes with it, clients read
 * with it. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define REQUEST_REPLY_BLOCK_MAX (1L << 30)

#define REQUEST_REPLY_BYTES "bytes" /* the key of an `ok` that is followed by a block */

enum request_reply_kind {
    REQUEST_REPLY_OK,    /* a block of `length` bytes may follow the line */
    REQUEST_REPLY_BLOCK, /* a block of `length` bytes follows the line */
    REQUEST_REPLY_ERROR, /* wire/request_error.h */
    REQUEST_REPLY_EVENT, /* wire/feed_line.h */
    REQUEST_REPLY_START, /* of a match: from now on the connection speaks the bot protocol */
    REQUEST_REPLY_LOST,  /* none: the connection has ended, or it is not a daemon */
};

struct request_reply {
    enum request_reply_kind kind;
    const char *text;  /* of its line, after the first word; printable ASCII */
    const char *block; /* with a NUL after it */
    size_t length;
};

/* The first word of a line of that kind. */
const char *request_reply_name(enum request_reply_kind kind);

/* Reads a line without its end, which is lent to the reply; a block is not there yet. */
void request_reply_read(struct request_reply *reply, const char *line);

/* Cuts the next word off `rest`, which begins as the text of a reply. `key` is empty if it has
 * none; quotes are removed from the value, which is cut if it does not fit. Returns false if none
 * is left. */
bool request_reply_cut(struct span *rest, struct text *key, struct text *value);

/* Adds the value of a key of a reply; nothing if it is missing. */
void request_reply_find(const struct request_reply *reply, const char *key, struct text *value);

#endif
