#ifndef REFEREE_CLI_CHECK_NOTES_H
#define REFEREE_CLI_CHECK_NOTES_H

/* The last lines that went to and fro between the referee and a bot. A plain value: all zero is empty. */

#include <stddef.h>

#define CHECK_NOTES_BYTES 6000

struct check_notes {
    size_t length;
    char bytes[CHECK_NOTES_BYTES];
};

/* Adds bytes in a direction: `>` to the bot, `<` from it. A new line begins with the mark; what is not
 * printable is written as \xNN, but for \r. */
void check_notes_add(struct check_notes *notes, char mark, const char *bytes, size_t length);

/* The last lines, each with a line end; the caller's to free. */
char *check_notes_last(const struct check_notes *notes);

#endif
