#ifndef REFEREE_BASE_ESCAPE_H
#define REFEREE_BASE_ESCAPE_H

/* Untrusted bytes, made safe for a terminal and a log. */

#include "base/text.h"

/* The longest form of one byte. */
#define ESCAPE_MAX 4

/* Adds `bytes` as printable ASCII: a backslash doubled, all else that is not printable as \xNN. */
void escape_add(struct text *text, struct span bytes);

/* Adds one byte likewise. */
void escape_add_byte(struct text *text, char byte);

/* The other way: writes the bytes that `text` stands for, at most `size`, and sets `length`.
 * Returns 0, or -1 if escape_add() writes no such text or there are more. */
int escape_read(struct span text, char *bytes, size_t size, size_t *length);

/* Lines that escape_add() may have made, as people read them: a line that stands for plain text in
 * UTF-8 becomes that text, any other stays as it is. Nothing in it commands a terminal: if we write
 * to one that escape_misreads_utf8(), all lines stay as they are. Free it. */
char *escape_readable(const char *lines);

/* Whether the terminals of the user's language have another charset than UTF-8, where one byte of
 * a character may be a control. */
bool escape_misreads_utf8(void);

#endif
