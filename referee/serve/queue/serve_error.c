/* One row a code: its name and whose fault it is. */

#include "serve/denial.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const class_names[DENIAL_CLASS_COUNT] = {
    [DENIAL_YOURS] = "yours",
    [DENIAL_BOTS] = "bots",
    [DENIAL_OURS] = "ours",
};

static const struct {
    const char *name;
    enum denial_class class;
} codes[DENIAL_CODE_COUNT] = {
    [DENIAL_NONE] = {"none", DENIAL_OURS},
    [DENIAL_UNREADABLE] = {"unreadable", DENIAL_YOURS},
    [DENIAL_TOO_LONG] = {"too_long", DENIAL_YOURS},
    [DENIAL_NO_HELLO] = {"no_hello", DENIAL_YOURS},
    [DENIAL_VERSION] = {"version", DENIAL_YOURS},
    [DENIAL_TOKEN] = {"token", DENIAL_YOURS},
    [DENIAL_FORBIDDEN] = {"forbidden", DENIAL_YOURS},
    [DENIAL_UNKNOWN] = {"unknown", DENIAL_YOURS},
    [DENIAL_VALUE] = {"value", DENIAL_YOURS},
    [DENIAL_PLAN] = {"plan", DENIAL_YOURS},
    [DENIAL_NO_BOT] = {"no_bot", DENIAL_YOURS},
    [DENIAL_NO_WORK] = {"no_work", DENIAL_YOURS},
    [DENIAL_NO_LOG] = {"no_log", DENIAL_YOURS},
    [DENIAL_NAME_TAKEN] = {"name_taken", DENIAL_YOURS},
    [DENIAL_TOO_LATE] = {"too_late", DENIAL_YOURS},
    [DENIAL_TOO_LARGE] = {"too_large", DENIAL_YOURS},
    [DENIAL_TOO_MANY] = {"too_many", DENIAL_YOURS},
    [DENIAL_CANNOT_RUN] = {"cannot_run", DENIAL_BOTS},
    [DENIAL_NOT_CONNECTED] = {"not_connected", DENIAL_BOTS},
    [DENIAL_BUSY] = {"busy", DENIAL_OURS},
    [DENIAL_ENDING] = {"ending", DENIAL_OURS},
    [DENIAL_DISK] = {"disk", DENIAL_OURS},
};

const char *denial_name(enum denial_code code)
{
    return codes[code].name;
}

enum denial_class denial_class(enum denial_code code)
{
    return codes[code].class;
}

const char *denial_class_name(enum denial_class class)
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

int deny(struct denial *denial, enum denial_code code, const char *format, ...)
{
    va_list arguments;

    denial->code = code;
    va_start(arguments, format);
    (void)vsnprintf(denial->words, sizeof denial->words, format, arguments);
    va_end(arguments);
    make_printable(denial->words);
    return -1;
}
