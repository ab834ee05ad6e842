/* The form is the one of C and Python strings, so that an author can paste it into a test. It
 * cannot be mistaken: what looks like an escape is one, because backslashes are doubled. */

#include "base/escape.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void escape_add_byte(struct text *text, char byte)
{
    static const char digits[] = "0123456789abcdef";
    unsigned value = (unsigned char)byte;

    if (byte == '\\') {
        text_add(text, "\\\\");
    } else if (byte >= ' ' && byte <= '~') {
        text_add_char(text, byte);
    } else {
        const char form[ESCAPE_MAX] = {'\\', 'x', digits[value >> 4], digits[value & 15]};

        text_add_bytes(text, form, sizeof form);
    }
}

void escape_add(struct text *text, struct span bytes)
{
    for (size_t i = 0; i < bytes.length; i++)
        escape_add_byte(text, bytes.start[i]);
}

/* The value of a digit as escape_add_byte() writes it, or -1. */
static int digit_of(char byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* Reads the byte at the front of `text` and cuts it off. Returns it, or -1. */
static int read_byte(struct span *text)
{
    const char *at = text->start;
    size_t taken = 1;
    int value = (unsigned char)at[0];

    if (value < ' ' || value > '~')
        return -1;
    if (value == '\\' && text->length >= 2 && at[1] == '\\') {
        taken = 2;
    } else if (value == '\\') {
        if (text->length < ESCAPE_MAX || at[1] != 'x' || digit_of(at[2]) < 0 || digit_of(at[3]) < 0)
            return -1;
        taken = ESCAPE_MAX;
        value = 16 * digit_of(at[2]) + digit_of(at[3]);
        if (value >= ' ' && value <= '~')
            return -1;
    }
    *text = (struct span){at + taken, text->length - taken};
    return value;
}

int escape_read(struct span text, char *bytes, size_t size, size_t *length)
{
    *length = 0;
    while (text.length > 0) {
        int value = *length < size ? read_byte(&text) : -1;

        if (value < 0)
            return -1;
        bytes[(*length)++] = (char)value;
    }
    return 0;
}

/* C1 controls are two bytes in UTF-8, and some terminals obey them. */
static bool is_plain(const char *bytes, size_t length)
{
    const unsigned char *rest = (const unsigned char *)bytes;

    while (length > 0) {
        size_t count = utf8_length(rest, length);

        if (count == 0 || (count == 1 && (*rest < ' ' || *rest == 0x7f) && *rest != '\t') ||
            (count > 1 && utf8_code_point(rest, count) < 0xa0))
            return false;
        rest += count;
        length -= count;
    }
    return true;
}

/* In the order of setlocale(). Nothing is known of a terminal if the language is C. */
bool escape_misreads_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *language = "";

    for (unsigned i = 0; i < ARRAY_LEN(names) && language[0] == '\0'; i++)
        language = getenv(names[i]) != NULL ? getenv(names[i]) : "";
    return language[0] != '\0' && strcmp(language, "C") != 0 && strcmp(language, "POSIX") != 0 &&
           strcasestr(language, "utf-8") == NULL && strcasestr(language, "utf8") == NULL;
}

static bool is_shown_wrongly(void)
{
    return (isatty(STDOUT_FILENO) || isatty(STDERR_FILENO)) && escape_misreads_utf8();
}

char *escape_readable(const char *lines)
{
    bool may_change = !is_shown_wrongly();
    size_t size = strlen(lines) + 1, length;
    char *result = xcalloc(size, 1);
    char *bytes = xcalloc(size, 1);
    struct span rest = span_of(lines);
    struct text text;

    text_start(&text, result, size);
    while (rest.start != NULL && rest.length > 0) {
        struct span line = span_cut(&rest, '\n');

        if (may_change && escape_read(line, bytes, size, &length) == 0 && is_plain(bytes, length))
            line = (struct span){bytes, length};
        text_add_bytes(&text, line.start, line.length);
        if (rest.start != NULL)
            text_add_char(&text, '\n');
    }
    free(bytes);
    return result;
}
