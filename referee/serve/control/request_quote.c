/* Text of others as part of a line: always printable ASCII, always one line. */

#include "serve/control/request.h"

#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

static bool is_printable(char letter)
{
    return letter >= ' ' && letter <= '~';
}

static bool needs_quotes(const char *words)
{
    if (words[0] == '\0')
        return true;
    for (; *words != '\0'; words++) {
        if (strchr(" \"\\=", *words) != NULL)
            return true;
    }
    return false;
}

/* Adds the next letter and returns how many bytes it was. */
static size_t add_letter(struct text *text, const char *words)
{
    size_t length;

    if (is_printable(*words)) {
        text_add_char(text, *words);
        return 1;
    }
    text_add_char(text, '?');
    length = utf8_length((const uint8_t *)words, strlen(words));
    return length > 0 ? length : 1;
}

void request_add_plain(struct text *text, const char *words)
{
    while (*words != '\0')
        words += add_letter(text, words);
}

void request_add_word(struct text *text, const char *words)
{
    if (!needs_quotes(words)) {
        request_add_plain(text, words);
        return;
    }
    text_add_char(text, '"');
    while (*words != '\0') {
        if (*words == '"' || *words == '\\')
            text_add_char(text, '\\');
        words += add_letter(text, words);
    }
    text_add_char(text, '"');
}
