/* The form is the one of C and Python strings, so that an author can paste it into a test. It
 * cannot be mistaken: what looks like an escape is one, because backslashes are doubled. */

#include "base/escape.h"

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
