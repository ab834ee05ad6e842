/* One row per code: its name and whose fault it is. */

#include "wire/reply_error.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const class_names[REPLY_ERROR_CLASS_COUNT] = {
    [REPLY_ERROR_YOURS] = "yours",
    [REPLY_ERROR_BOTS] = "bots",
    [REPLY_ERROR_OURS] = "ours",
};

static const struct {
    const char *name;
    enum reply_error_class class;
} codes[REPLY_ERROR_CODE_COUNT] = {
    [REPLY_ERROR_NONE] = {"none", REPLY_ERROR_OURS},
    [REPLY_ERROR_UNREADABLE] = {"unreadable", REPLY_ERROR_YOURS},
    [REPLY_ERROR_TOO_LONG] = {"too_long", REPLY_ERROR_YOURS},
    [REPLY_ERROR_NO_HELLO] = {"no_hello", REPLY_ERROR_YOURS},
    [REPLY_ERROR_VERSION] = {"version", REPLY_ERROR_YOURS},
    [REPLY_ERROR_TOKEN] = {"token", REPLY_ERROR_YOURS},
    [REPLY_ERROR_FORBIDDEN] = {"forbidden", REPLY_ERROR_YOURS},
    [REPLY_ERROR_UNKNOWN] = {"unknown", REPLY_ERROR_YOURS},
    [REPLY_ERROR_VALUE] = {"value", REPLY_ERROR_YOURS},
    [REPLY_ERROR_CONFIG] = {"config", REPLY_ERROR_YOURS},
    [REPLY_ERROR_NO_BOT] = {"no_bot", REPLY_ERROR_YOURS},
    [REPLY_ERROR_NO_JOB] = {"no_job", REPLY_ERROR_YOURS},
    [REPLY_ERROR_NO_LOG] = {"no_log", REPLY_ERROR_YOURS},
    [REPLY_ERROR_NAME_TAKEN] = {"name_taken", REPLY_ERROR_YOURS},
    [REPLY_ERROR_TOO_LATE] = {"too_late", REPLY_ERROR_YOURS},
    [REPLY_ERROR_TOO_LARGE] = {"too_large", REPLY_ERROR_YOURS},
    [REPLY_ERROR_TOO_MANY] = {"too_many", REPLY_ERROR_YOURS},
    [REPLY_ERROR_CANNOT_RUN] = {"cannot_run", REPLY_ERROR_BOTS},
    [REPLY_ERROR_NOT_CONNECTED] = {"not_connected", REPLY_ERROR_BOTS},
    [REPLY_ERROR_BUSY] = {"busy", REPLY_ERROR_OURS},
    [REPLY_ERROR_ENDING] = {"ending", REPLY_ERROR_OURS},
    [REPLY_ERROR_DISK] = {"disk", REPLY_ERROR_OURS},
};

const char *reply_error_name(enum reply_error_code code)
{
    return codes[code].name;
}

enum reply_error_class reply_error_class(enum reply_error_code code)
{
    return codes[code].class;
}

/* The message may quote anything; a reply is one printable line. */
int reply_error_set(struct reply_error *error, enum reply_error_code code, const char *format, ...)
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

void reply_error_write(struct text *text, const struct reply_error *error)
{
    text_printf(text, "error %s %s %s", class_names[codes[error->code].class],
                codes[error->code].name, error->message);
}

enum reply_error_class reply_error_read(const char *line, const char **message)
{
    struct span rest = span_of(line);
    struct span class = span_cut(&rest, ' ');

    if (rest.start != NULL)
        (void)span_cut(&rest, ' ');
    *message = rest.start != NULL ? rest.start : line;
    for (unsigned i = 0; i < REPLY_ERROR_CLASS_COUNT; i++) {
        if (span_is(class, class_names[i]))
            return (enum reply_error_class)i;
    }
    return REPLY_ERROR_OURS;
}
