/* printf() into a text. Apart from text.c, because the game library ships that one and does
 * without stdio. */

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

void text_printf(struct text *text, const char *format, ...)
{
    size_t room = text->capacity - text->length;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text->buffer + text->length, room, format, arguments);
    va_end(arguments);
    if (length < 0)
        length = 0;
    text->is_cut |= (size_t)length >= room;
    text->length += (size_t)length < room ? (size_t)length : room - 1;
    text->buffer[text->length] = '\0';
}
