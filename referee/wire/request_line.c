/* Writing words and values: always printable ASCII, always one line. */

#include "base/utf8.h"
#include "wire/request.h"

#include <stdint.h>
#include <stdio.h>

static bool is_printable(char character)
{
    return character >= ' ' && character <= '~';
}

static void add_text(struct text *text, const char *value, bool is_quoted)
{
    while (*value != '\0') {
        size_t length = 1;

        if (is_quoted && (*value == '"' || *value == '\\'))
            text_add_char(text, '\\');
        if (!is_printable(*value))
            length = utf8_length((const uint8_t *)value, strlen(value));
        text_add_char(text, is_printable(*value) ? *value : '?');
        value += length > 0 ? length : 1;
    }
}

void request_add_printable(struct text *text, const char *value)
{
    add_text(text, value, false);
}

void request_add_quoted(struct text *text, const char *value)
{
    bool is_quoted = value[0] == '\0' || strpbrk(value, " \"\\=") != NULL;

    text_add(text, is_quoted ? "\"" : "");
    add_text(text, value, is_quoted);
    text_add(text, is_quoted ? "\"" : "");
}

void request_line_start(struct request_line *line, enum request_verb verb)
{
    text_start(&line->text, line->bytes, sizeof line->bytes);
    text_add(&line->text, request_forms[verb].name);
    line->is_printable = true;
}

void request_line_add(struct request_line *line, const char *key, const char *value)
{
    for (const char *at = value; *at != '\0'; at++)
        line->is_printable &= is_printable(*at);
    text_add_char(&line->text, ' ');
    if (key != NULL) {
        text_add(&line->text, key);
        text_add_char(&line->text, '=');
    }
    request_add_quoted(&line->text, value);
}

void request_line_add_number(struct request_line *line, const char *key, unsigned long number)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%lu", number);
    request_line_add(line, key, digits);
}

void request_line_append(struct request_line *line, const struct request_line *keys)
{
    text_add(&line->text, keys->bytes + strcspn(keys->bytes, " "));
    line->text.is_cut |= keys->text.is_cut;
    line->is_printable &= keys->is_printable;
}
