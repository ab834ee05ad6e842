/* One row a code: its name and whose fault it is. */

#include "serve/refusal.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const class_names[REFUSAL_CLASS_COUNT] = {
    [REFUSAL_YOURS] = "yours",
    [REFUSAL_BOTS] = "bots",
    [REFUSAL_OURS] = "ours",
};

static const struct {
    const char *name;
    enum refusal_class class;
} codes[REFUSAL_CODE_COUNT] = {
    [REFUSAL_NONE] = {"none", REFUSAL_OURS},
    [REFUSAL_UNREADABLE] = {"unreadable", REFUSAL_YOURS},
    [REFUSAL_TOO_LONG] = {"too_long", REFUSAL_YOURS},
    [REFUSAL_NO_HELLO] = {"no_hello", REFUSAL_YOURS},
    [REFUSAL_VERSION] = {"version", REFUSAL_YOURS},
    [REFUSAL_TOKEN] = {"token", REFUSAL_YOURS},
    [REFUSAL_FORBIDDEN] = {"forbidden", REFUSAL_YOURS},
    [REFUSAL_UNKNOWN] = {"unknown", REFUSAL_YOURS},
    [REFUSAL_VALUE] = {"value", REFUSAL_YOURS},
    [REFUSAL_PLAN] = {"plan", REFUSAL_YOURS},
    [REFUSAL_NO_BOT] = {"no_bot", REFUSAL_YOURS},
    [REFUSAL_NO_WORK] = {"no_work", REFUSAL_YOURS},
    [REFUSAL_NO_LOG] = {"no_log", REFUSAL_YOURS},
    [REFUSAL_NAME_TAKEN] = {"name_taken", REFUSAL_YOURS},
    [REFUSAL_TOO_LATE] = {"too_late", REFUSAL_YOURS},
    [REFUSAL_TOO_LARGE] = {"too_large", REFUSAL_YOURS},
    [REFUSAL_TOO_MANY] = {"too_many", REFUSAL_YOURS},
    [REFUSAL_FRESH_DEALS] = {"fresh_deals", REFUSAL_YOURS},
    [REFUSAL_CANNOT_RUN] = {"cannot_run", REFUSAL_BOTS},
    [REFUSAL_NOT_CONNECTED] = {"not_connected", REFUSAL_BOTS},
    [REFUSAL_ENDING] = {"ending", REFUSAL_OURS},
    [REFUSAL_DISK] = {"disk", REFUSAL_OURS},
};

const char *refusal_name(enum refusal_code code)
{
    return codes[code].name;
}

enum refusal_class refusal_class(enum refusal_code code)
{
    return codes[code].class;
}

const char *refusal_class_name(enum refusal_class class)
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

int refuse(struct refusal *refusal, enum refusal_code code, const char *format, ...)
{
    va_list arguments;

    refusal->code = code;
    va_start(arguments, format);
    (void)vsnprintf(refusal->words, sizeof refusal->words, format, arguments);
    va_end(arguments);
    make_printable(refusal->words);
    return -1;
}
