#ifndef REFEREE_WIRE_REPLY_H
#define REFEREE_WIRE_REPLY_H

/* What the daemon sends: replies to requests, and events between them, as lines (protocol.md, "The
 * daemon"). One table of their first words; the daemon writes with it, clients read with it. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define REPLY_BLOCK_MAX (1L << 30)

enum reply_kind {
    REPLY_OK,
    REPLY_BLOCK, /* a block of `length` bytes follows the line */
    REPLY_ERROR, /* wire/reply_error.h */
    REPLY_EVENT, /* wire/feed_line.h */
    REPLY_START, /* of a match: from now on the connection speaks the bot protocol */
    REPLY_LOST,  /* none: the connection has ended, or it is not a daemon */
};

struct reply {
    enum reply_kind kind;
    const char *text;  /* of its line, after the first word; printable ASCII */
    const char *block; /* with a NUL after it */
    size_t length;
};

/* The first word of a line of that kind. */
const char *reply_name(enum reply_kind kind);

/* Reads a line without its end, which is lent to the reply; a block is not there yet. */
void reply_read(struct reply *reply, const char *line);

/* Cuts the next word off `rest`, which begins as the text of a reply. `key` is empty if it has
 * none; quotes are removed from the value, which is cut if it does not fit. Returns false if none
 * is left. */
bool reply_cut(struct span *rest, struct text *key, struct text *value);

/* Adds the value of a key of a reply; nothing if it is missing. */
void reply_find(const struct reply *reply, const char *key, struct text *value);

#endif
