/* One row per code: its name and whose fault it is. */

#include "wire/request_error.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const class_names[REQUEST_ERROR_CLASS_COUNT] = {
    [REQUEST_ERROR_YOURS] = "yours",
    [REQUEST_ERROR_BOTS] = "bots",
    [REQUEST_ERROR_OURS] = "ours",
};

static const struct {
    const char *name;
    enum request_error_class class;
} codes[REQUEST_ERROR_CODE_COUNT] = {
    [REQUEST_ERROR_NONE] = {"none", REQUEST_ERROR_OURS},
    [REQUEST_ERROR_UNREADABLE] = {"unreadable", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_TOO_LONG] = {"too_long", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_NO_HELLO] = {"no_hello", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_VERSION] = {"version", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_TOKEN] = {"token", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_FORBIDDEN] = {"forbidden", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_UNKNOWN] = {"unknown", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_VALUE] = {"value", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_CONFIG] = {"config", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_NO_BOT] = {"no_bot", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_NO_JOB] = {"no_job", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_NO_LADDER] = {"no_ladder", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_NO_LOG] = {"no_log", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_NAME_TAKEN] = {"name_taken", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_TOO_LATE] = {"too_late", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_TOO_LARGE] = {"too_large", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_TOO_MANY] = {"too_many", REQUEST_ERROR_YOURS},
    [REQUEST_ERROR_CANNOT_RUN] = {"cannot_run", REQUEST_ERROR_BOTS},
    [REQUEST_ERROR_NOT_CONNECTED] = {"not_connected", REQUEST_ERROR_BOTS},
    [REQUEST_ERROR_BUSY] = {"busy", REQUEST_ERROR_OURS},
    [REQUEST_ERROR_ENDING] = {"ending", REQUEST_ERROR_OURS},
    [REQUEST_ERROR_DISK] = {"disk", REQUEST_ERROR_OURS},
};

const char *request_error_name(enum request_error_code code)
{
    return codes[code].name;
}

enum request_error_class request_error_class(enum request_error_code code)
{
    return codes[code].class;
}

/* The message may quote anything; a reply is one printable line. */
int request_error_set(struct request_error *error, enum request_error_code code, const char *format,
                      ...)
{
    va_list arguments;

    error->code = code;
    va_start(arguments, format);
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    for (char *at = error->message; *at != '\0'; at++) {
        if (*at < ' ' || *at > '~')
            *at = '?';
    }
    return -1;
}

void request_error_write(struct text *text, const struct request_error *error)
{
    text_printf(text, "error %s %s %s", class_names[codes[error->code].class],
                codes[error->code].name, error->message);
}

enum request_error_class request_error_read(const char *line, const char **message)
{
    struct span rest = span_of(line);
    struct span class = span_cut(&rest, ' ');

    if (rest.start != NULL)
        (void)span_cut(&rest, ' ');
    *message = rest.start != NULL ? rest.start : line;
    for (unsigned i = 0; i < REQUEST_ERROR_CLASS_COUNT; i++) {
        if (span_is(class, class_names[i]))
            return (enum request_error_class)i;
    }
    return REQUEST_ERROR_OURS;
}
