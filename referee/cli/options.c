/* Reads command lines by a table. A mistake is reported in one sentence that says what is allowed;
 * --help prints the table itself, so the two cannot drift apart. */

#include "cli/options.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/cli.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 40

/* A table with its groups written out, and the settings to fill. */
struct reading {
    const struct options *options;
    struct option_row rows[ROWS_MAX];
    size_t count;
    void *settings;
    const struct option_row *printing; /* the last one given that prints a document, or NULL */
};

static struct {
    options_describe_fn *describe; /* NULL: --help prints the help */
    void *context;
} on_help;

void options_on_help(options_describe_fn *describe, void *context)
{
    on_help.describe = describe;
    on_help.context = context;
}

bool options_are_described(void)
{
    return on_help.describe != NULL;
}

static void add_rows(struct reading *reading, const struct option_row *row, size_t offset)
{
    for (; row->name != NULL || row->group != NULL; row++) {
        if (row->group != NULL) {
            add_rows(reading, row->group, offset + row->offset);
            continue;
        }
        if (reading->count == ROWS_MAX)
            fatal("too many options in the table of %s", reading->options->command);
        reading->rows[reading->count] = *row;
        reading->rows[reading->count++].offset += offset;
    }
}

static void print_help(const struct reading *reading)
{
    const struct options *options = reading->options;

    if (on_help.describe != NULL) {
        on_help.describe(on_help.context, options, reading->rows, reading->count);
        return;
    }
    printf("usage: referee %s %s\n\n%s", options->command, options->usage, options->purpose);
    if (reading->count > 0)
        puts("\noptions:");
    for (size_t i = 0; i < reading->count; i++) {
        const struct option_row *row = &reading->rows[i];
        char left[40];

        snprintf(left, sizeof left, "%s %s", row->name, row->value != NULL ? row->value : "");
        printf("  %-22s %s\n", left, row->help);
    }
    if (options->examples != NULL)
        printf("\nexamples:\n%s", options->examples);
}

static const struct option_row *find_row(const struct reading *reading, struct span name)
{
    const char *names[ROWS_MAX];
    const char *nearest;

    for (size_t i = 0; i < reading->count; i++) {
        names[i] = reading->rows[i].name;
        if (span_is(name, names[i]))
            return &reading->rows[i];
    }
    nearest = text_nearest(name, names, reading->count);
    if (nearest != NULL)
        message_say("there is no option %.*s; did you mean %s?", (int)name.length, name.start,
                    nearest);
    else
        message_say("there is no option %.*s; see `referee %s --help`", (int)name.length,
                    name.start, reading->options->command);
    return NULL;
}

/* Names the long options that begin like a short one. */
static void refuse_short(const struct reading *reading, const char *option)
{
    size_t length = strcspn(option, "=");
    char message[400];
    struct text text;
    bool is_first = true;

    text_start(&text, message, sizeof message);
    text_printf(&text, "there is no option %.*s", (int)(length < 20 ? length : 20), option);
    for (size_t i = 0; i < reading->count; i++) {
        if (strncmp(reading->rows[i].name + 2, option + 1, length - 1) != 0)
            continue;
        text_printf(&text, "%s%s", is_first ? "; did you mean " : " or ", reading->rows[i].name);
        is_first = false;
    }
    if (is_first)
        text_printf(&text, "; see `referee %s --help`", reading->options->command);
    else
        text_add_char(&text, '?');
    message_say("%s", message);
}

static int read_number(const struct option_row *row, void *destination, const char *value)
{
    long number;

    if (span_read_number(span_of(value), row->least, row->most, &number) != 0) {
        if (row->least == LONG_MIN)
            message_say("%s takes a number, not `%s`", row->name, value);
        else
            message_say("%s takes %ld to %ld, not `%s`", row->name, row->least, row->most, value);
        return -1;
    }
    if (row->size == sizeof number)
        *(long *)destination = number;
    else
        *(int *)destination = (int)number;
    return 0;
}

static int read_decimal(const struct option_row *row, double *number, const char *value)
{
    char *end;

    *number = strtod(value, &end);
    if (*value != '\0' && *end == '\0' && isfinite(*number))
        return 0;
    message_say("%s takes a number such as 0.05, not `%s`", row->name, value);
    return -1;
}

static int add_to_list(const struct option_row *row, const char **list, const char *value)
{
    long count = 0;

    while (count < row->most && list[count] != NULL)
        count++;
    if (count == row->most) {
        message_say("%s can be given at most %ld times", row->name, row->most);
        return -1;
    }
    list[count] = value;
    return 0;
}

/* Takes over a value and erases it in the list of processes. */
static void read_secret(char **secret, char *value)
{
    free(*secret);
    *secret = xstrdup(value);
    memset(value, ' ', strlen(value));
}

static int read_value(const struct option_row *row, void *destination, char *value)
{
    switch (row->kind) {
    case OPTION_KIND_FLAG:
        *(bool *)destination = true;
        return 0;
    case OPTION_KIND_TEXT:
    case OPTION_KIND_PAIR:
        *(const char **)destination = value;
        return 0;
    case OPTION_KIND_SECRET:
        read_secret(destination, value);
        return 0;
    case OPTION_KIND_NUMBER:
        return read_number(row, destination, value);
    case OPTION_KIND_DECIMAL:
        return read_decimal(row, destination, value);
    case OPTION_KIND_LIST:
        if (row->read == NULL || row->read(NULL, row->name, value) == 0)
            return add_to_list(row, destination, value);
        break;
    case OPTION_KIND_READ:
        if (row->read(destination, row->name, value) == 0)
            return 0;
        break;
    }
    if (row->takes != NULL)
        message_say("%s takes %s, not `%s`", row->name, row->takes, value);
    return -1;
}

int options_read_switch(void *destination, const char *name, const char *value)
{
    enum option_switch *read = destination;

    (void)name;
    if (strcmp(value, "on") != 0 && strcmp(value, "off") != 0)
        return -1;
    *read = strcmp(value, "on") == 0 ? OPTION_ON : OPTION_OFF;
    return 0;
}

/* The second word of a pair. */
static int read_second(const struct reading *reading, const struct option_row *row, char **argv,
                       int *next)
{
    const char **pair = (const char **)(void *)((char *)reading->settings + row->offset);

    if (argv[*next] == NULL || argv[*next][0] == '\0' || strncmp(argv[*next], "--", 2) == 0) {
        message_say("%s needs two values: %s %s", row->name, row->name, row->value);
        return -1;
    }
    pair[1] = argv[(*next)++];
    return 0;
}

static void refuse_value(const struct option_row *row, const char *value)
{
    if (row->prints)
        message_say("%s takes no value: it prints to stdout; use `%s ... >%s`", row->name,
                    row->name, value[0] != '\0' ? value : "FILE");
    else
        message_say("%s takes no value", row->name);
}

/* A file for a document is a mistake of its own: it came as one argument too many. */
static void refuse_argument(const struct reading *reading, const char *argument)
{
    const struct options *options = reading->options;

    if (reading->printing != NULL)
        message_say("unexpected argument `%s`: %s takes %s; %s prints to stdout, so put `>FILE` at "
                    "the end",
                    argument, options->command, options->takes, reading->printing->name);
    else
        message_say("unexpected argument `%s`: %s takes %s", argument, options->command,
                    options->takes);
}

/* Reads the option at argv[*next] and advances past it. */
static int read_option(struct reading *reading, char **argv, int *next)
{
    char *option = argv[(*next)++];
    char *equals = strchr(option, '=');
    char *value = equals != NULL ? equals + 1 : NULL;
    struct span name = {option, equals != NULL ? (size_t)(equals - option) : strlen(option)};
    const struct option_row *row = find_row(reading, name);

    if (row == NULL)
        return -1;
    if (row->value == NULL && value != NULL) {
        refuse_value(row, value);
        return -1;
    }
    if (row->prints)
        reading->printing = row;
    if (row->value != NULL && value == NULL && argv[*next] != NULL &&
        strncmp(argv[*next], "--", 2) != 0)
        value = argv[(*next)++];
    if (row->value != NULL && value == NULL) {
        message_say("%s needs a value: %s %s", row->name, row->name, row->value);
        return -1;
    }
    if (row->kind == OPTION_KIND_PAIR && read_second(reading, row, argv, next) != 0)
        return -1;
    if (value != NULL && value[0] == '\0' &&
        (row->kind == OPTION_KIND_TEXT || row->kind == OPTION_KIND_PAIR)) {
        message_say("%s takes %s, not an empty text", row->name, row->value);
        return -1;
    }
    if (read_value(row, (char *)reading->settings + row->offset, value != NULL ? value : option) !=
        0)
        return -1;
    if (reading->options->on_option != NULL)
        reading->options->on_option(reading->settings, row->name, value);
    return 0;
}

int options_read(const struct options *options, int argc, char **argv, void *settings, int *code)
{
    struct reading reading = {.options = options, .settings = settings};
    bool takes_options = true;
    size_t count = 0;

    if (options->rows != NULL)
        add_rows(&reading, options->rows, 0);
    *code = CLI_USAGE;
    for (int next = 1; next < argc;) {
        char *argument = argv[next];

        if (takes_options && (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)) {
            print_help(&reading);
            *code = CLI_FINE;
            return -1;
        }
        if (takes_options && strcmp(argument, "--") == 0) {
            takes_options = false;
            next++;
        } else if (takes_options && strncmp(argument, "--", 2) == 0) {
            if (read_option(&reading, argv, &next) != 0)
                return -1;
        } else if (takes_options && !options->takes_command && argument[0] == '-' &&
                   isalpha((unsigned char)argument[1])) {
            refuse_short(&reading, argument);
            return -1;
        } else if (count == options->most) {
            refuse_argument(&reading, argument);
            return -1;
        } else {
            argv[1 + count++] = argument;
            next++;
        }
    }
    if (count < options->least) {
        message_say("%s takes %s; see `referee %s --help`", options->command, options->takes,
                    options->command);
        return -1;
    }
    for (int i = 1 + (int)count; i < argc; i++)
        argv[i] = NULL;
    *code = CLI_FINE;
    return (int)count;
}
