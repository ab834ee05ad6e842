/* One row a code: its name and whose fault it is. */

#include "serve/queue/serve_error.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const class_names[SERVE_ERROR_CLASS_COUNT] = {
    [SERVE_ERROR_YOURS] = "yours",
    [SERVE_ERROR_BOTS] = "bots",
    [SERVE_ERROR_OURS] = "ours",
};

static const struct {
    const char *name;
    enum serve_error_class class;
} codes[SERVE_ERROR_CODE_COUNT] = {
    [SERVE_ERROR_NONE] = {"none", SERVE_ERROR_OURS},
    [SERVE_ERROR_UNREADABLE] = {"unreadable", SERVE_ERROR_YOURS},
    [SERVE_ERROR_TOO_LONG] = {"too_long", SERVE_ERROR_YOURS},
    [SERVE_ERROR_NO_HELLO] = {"no_hello", SERVE_ERROR_YOURS},
    [SERVE_ERROR_VERSION] = {"version", SERVE_ERROR_YOURS},
    [SERVE_ERROR_TOKEN] = {"token", SERVE_ERROR_YOURS},
    [SERVE_ERROR_FORBIDDEN] = {"forbidden", SERVE_ERROR_YOURS},
    [SERVE_ERROR_UNKNOWN] = {"unknown", SERVE_ERROR_YOURS},
    [SERVE_ERROR_VALUE] = {"value", SERVE_ERROR_YOURS},
    [SERVE_ERROR_CONFIG] = {"plan", SERVE_ERROR_YOURS},
    [SERVE_ERROR_NO_BOT] = {"no_bot", SERVE_ERROR_YOURS},
    [SERVE_ERROR_NO_JOB] = {"no_work", SERVE_ERROR_YOURS},
    [SERVE_ERROR_NO_LOG] = {"no_log", SERVE_ERROR_YOURS},
    [SERVE_ERROR_NAME_TAKEN] = {"name_taken", SERVE_ERROR_YOURS},
    [SERVE_ERROR_TOO_LATE] = {"too_late", SERVE_ERROR_YOURS},
    [SERVE_ERROR_TOO_LARGE] = {"too_large", SERVE_ERROR_YOURS},
    [SERVE_ERROR_TOO_MANY] = {"too_many", SERVE_ERROR_YOURS},
    [SERVE_ERROR_CANNOT_RUN] = {"cannot_run", SERVE_ERROR_BOTS},
    [SERVE_ERROR_NOT_CONNECTED] = {"not_connected", SERVE_ERROR_BOTS},
    [SERVE_ERROR_BUSY] = {"busy", SERVE_ERROR_OURS},
    [SERVE_ERROR_ENDING] = {"ending", SERVE_ERROR_OURS},
    [SERVE_ERROR_DISK] = {"disk", SERVE_ERROR_OURS},
};

const char *serve_error_name(enum serve_error_code code)
{
    return codes[code].name;
}

enum serve_error_class serve_error_class(enum serve_error_code code)
{
    return codes[code].class;
}

const char *serve_error_class_name(enum serve_error_class class)
{
    return class_names[class];
}

/* What was taken from elsewhere into the sentence may hold anything; a reply is one line. */
static void make_printable(char *words)
{
    for (; *words != '\0'; words++) {
        if (*words < ' ' || *words > '~')
            *words = '?';
    }
}

int serve_error_set(struct serve_error *error, enum serve_error_code code, const char *format, ...)
{
    va_list arguments;

    error->code = code;
    va_start(arguments, format);
    (void)vsnprintf(error->words, sizeof error->words, format, arguments);
    va_end(arguments);
    make_printable(error->words);
    return -1;
}
