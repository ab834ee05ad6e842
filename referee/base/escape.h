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

#endif
