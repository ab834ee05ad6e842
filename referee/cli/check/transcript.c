/* A window on the end of a conversation. When it is full, the older half goes, cut at a line end. */

#include "cli/check/transcript.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* So many lines are enough to see what a bot was asked. */
#define LINES_SHOWN 8

static void make_room(struct transcript *notes)
{
    const char *half = notes->bytes + notes->length / 2;
    const char *end = memchr(half, '\n', notes->length - notes->length / 2);
    const char *rest = end != NULL ? end + 1 : half;

    notes->length -= (size_t)(rest - notes->bytes);
    memmove(notes->bytes, rest, notes->length);
}

static void add(struct transcript *notes, const char *words)
{
    if (notes->length + strlen(words) > sizeof notes->bytes)
        make_room(notes);
    memcpy(notes->bytes + notes->length, words, strlen(words));
    notes->length += strlen(words);
}

static void add_byte(struct transcript *notes, char byte)
{
    char words[8] = {byte, '\0'};

    if (byte == '\r')
        add(notes, "\\r");
    else if (byte == '\n' || (byte >= ' ' && byte <= '~'))
        add(notes, words);
    else {
        snprintf(words, sizeof words, "\\x%02x", (unsigned char)byte);
        add(notes, words);
    }
}

void transcript_add(struct transcript *notes, char mark, const char *bytes, size_t length)
{
    const char prefix[] = {mark, ' ', '\0'};

    for (size_t i = 0; i < length; i++) {
        if (notes->length == 0 || notes->bytes[notes->length - 1] == '\n')
            add(notes, prefix);
        add_byte(notes, bytes[i]);
    }
}

char *transcript_last(const struct transcript *notes)
{
    size_t start = notes->length;
    unsigned lines = 0;

    while (start > 0 && (notes->bytes[start - 1] != '\n' || lines++ < LINES_SHOWN))
        start--;
    return xstrndup(notes->bytes + start, notes->length - start);
}
