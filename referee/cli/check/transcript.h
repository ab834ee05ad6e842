#ifndef REFEREE_CLI_CHECK_TRANSCRIPT_H
#define REFEREE_CLI_CHECK_TRANSCRIPT_H

/* The last lines between the referee and a bot, in both directions. A plain value: all zero is
 * empty. */

#include <stddef.h>

#define TRANSCRIPT_BYTES 6000

struct transcript {
    size_t length;
    char bytes[TRANSCRIPT_BYTES];
};

/* Adds bytes in a direction: `>` to the bot, `<` from it. Each line starts with the mark; bytes
 * that are not printable become \xNN, and CR \r. */
void transcript_add(struct transcript *transcript, char mark, const char *bytes, size_t length);

/* The last lines, each with a line end; the caller's to free. */
char *transcript_last(const struct transcript *transcript);

#endif
