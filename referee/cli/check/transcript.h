#ifndef REFEREE_CLI_CHECK_TRANSCRIPT_H
#define REFEREE_CLI_CHECK_TRANSCRIPT_H

/* The last lines that went to and fro between the referee and a bot. A plain value: all zero is empty. */

#include <stddef.h>

#define TRANSCRIPT_BYTES 6000

struct transcript {
    size_t length;
    char bytes[TRANSCRIPT_BYTES];
};

/* Adds bytes in a direction: `>` to the bot, `<` from it. A new line begins with the mark; what is not
 * printable is written as \xNN, but for \r. */
void transcript_add(struct transcript *notes, char mark, const char *bytes, size_t length);

/* The last lines, each with a line end; the caller's to free. */
char *transcript_last(const struct transcript *notes);

#endif
