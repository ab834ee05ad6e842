/* The protocol may grow by notices anywhere and by fields key=value at the end of some lines; the
 * grammar of protocol.md says of which. The greeting stays the first line and a question the last
 * one of what is written together, so nothing is added before the one or after the other. */

#include "wire/mangle.h"

#include "wire/bot_line.h"

#include <stdbool.h>

/* What can be done with a line that begins with a keyword. */
static const struct {
    const char *word;
    bool may_grow;    /* key=value fields may come at its end */
    bool is_heralded; /* an unknown notice is put before it (others would allow it too) */
} kinds[] = {
    {"allegra", true, false}, {"match", true, true}, {"rules", true, false},
    {"table", true, true},    {"turn", false, true}, {"result", false, true},
    {"ask", true, true},
};

static const char *const notices[] = {
    "weather 3 sunny",
    "spectators count=12 names=anna,bert",
    "interlude",
    "audience 0 A1 cloud=9",
};

static const char *const fields[] = {" season=winter", " hint=-", " spare=1,2,3", " level="};

void mangle_line(struct text *text, unsigned mangling, unsigned number, struct span line)
{
    const char *end = mangling & MANGLE_CRLF ? "\r\n" : "\n";
    const char *word = fields[number % ARRAY_LEN(fields)];
    struct span rest = line;
    struct span first = span_cut(&rest, ' ');
    size_t kind = 0;

    while (kind < ARRAY_LEN(kinds) && !span_is(first, kinds[kind].word))
        kind++;
    if (kind < ARRAY_LEN(kinds) && kinds[kind].is_heralded && mangling & MANGLE_NOTICES) {
        text_add(text, notices[number % ARRAY_LEN(notices)]);
        text_add(text, end);
    }
    text_add_bytes(text, line.start, line.length);
    if (kind < ARRAY_LEN(kinds) && kinds[kind].may_grow && mangling & MANGLE_FIELDS &&
        line.length + strlen(word) + strlen(end) <= BOT_LINE_REFEREE_MAX)
        text_add(text, word);
    text_add(text, end);
}
