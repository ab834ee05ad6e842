/* Every message is put together in a buffer on the stack and written at once, so that lines of
 * several processes on one terminal do not mix and a message about missing memory needs none.
 * A message that is too long loses its end, never its line end. */

#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 2048

static const char *program = "referee";

void message_set_program(const char *name)
{
    program = name;
}

static void say(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

static void say(const char *format, va_list arguments)
{
    char line[LINE_MAX_BYTES];
    size_t length;

    snprintf(line, sizeof line - 1, "%s: ", program);
    length = strlen(line);
    vsnprintf(line + length, sizeof line - 1 - length, format, arguments);
    length = strlen(line);
    line[length] = '\n';
    fwrite(line, 1, length + 1, stderr);
}

void message_say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void fatal(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    exit(FATAL_EXIT);
}
