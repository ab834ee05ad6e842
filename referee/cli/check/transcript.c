/* Keeps the end of a conversation. When the buffer is full, the older half is dropped, up to a
 * line end. */

#include "cli/check/transcript.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LINES_SHOWN 8

static void add(struct transcript *transcript, const char *string)
{
    size_t length = strlen(string);

    if (transcript->length + length > sizeof transcript->bytes) {
        const char *half = transcript->bytes + transcript->length / 2;
        const char *end = memchr(half, '\n', transcript->length - transcript->length / 2);
        const char *rest = end != NULL ? end + 1 : half;

        transcript->length -= (size_t)(rest - transcript->bytes);
        memmove(transcript->bytes, rest, transcript->length);
    }
    memcpy(transcript->bytes + transcript->length, string, length);
    transcript->length += length;
}

void transcript_add(struct transcript *transcript, char mark, const char *bytes, size_t length)
{
    const char prefix[] = {mark, ' ', '\0'};

    for (size_t i = 0; i < length; i++) {
        bool is_plain = bytes[i] == '\n' || (bytes[i] >= ' ' && bytes[i] <= '~');
        char string[8];

        if (transcript->length == 0 || transcript->bytes[transcript->length - 1] == '\n')
            add(transcript, prefix);
        snprintf(string, sizeof string, is_plain ? "%c" : "\\x%02x", (unsigned char)bytes[i]);
        add(transcript, bytes[i] == '\r' ? "\\r" : string);
    }
}

char *transcript_last(const struct transcript *transcript)
{
    size_t start = transcript->length;
    unsigned lines = 0;

    while (start > 0 && (transcript->bytes[start - 1] != '\n' || lines++ < LINES_SHOWN))
        start--;
    return xstrndup(transcript->bytes + start, transcript->length - start);
}
