/* Reads command lines after a table. A mistake is answered with one sentence that names the nearest
 * right option; --help prints the table itself, so the two cannot drift apart. */

#include "cli/options.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(const struct options *options)
{
    printf("usage: referee %s\n\n%s", options->usage, options->purpose);
    if (options->count > 0)
        puts("\noptions:");
    for (size_t i = 0; i < options->count; i++) {
        const struct option_row *row = &options->rows[i];
        char left[40];

        snprintf(left, sizeof left, "%s%s%s", row->name, row->value != NULL ? " " : "",
                 row->value != NULL ? row->value : "");
        printf("  %-22s %s\n", left, row->help);
    }
    if (options->examples != NULL)
        printf("\nexamples:\n%s", options->examples);
}

static void refuse(const struct options *options, struct span name)
{
    const char **names = xcalloc(options->count + 1, sizeof *names);
    const char *nearest;

    for (size_t i = 0; i < options->count; i++)
        names[i] = options->rows[i].name;
    nearest = text_nearest(name, names, options->count);
    if (nearest != NULL)
        message_say("there is no option %.*s; did you mean %s?", (int)name.length, name.start,
                    nearest);
    else
        message_say("there is no option %.*s; see `referee %.*s --help`", (int)name.length,
                    name.start, (int)strcspn(options->usage, " "), options->usage);
    free(names);
}

static const struct option_row *find_row(const struct options *options, struct span name)
{
    for (size_t i = 0; i < options->count; i++) {
        if (span_is(name, options->rows[i].name))
            return &options->rows[i];
    }
    return NULL;
}

/* Takes one option at argv[*next] and moves on behind it. */
static int take_option(const struct options *options, char **argv, int *next, options_take_fn *take,
                       void *context)
{
    struct span value = span_of(argv[(*next)++]);
    struct span name = span_cut(&value, '=');
    const struct option_row *row = find_row(options, name);
    const char *given = value.start;

    if (row == NULL) {
        refuse(options, name);
        return -1;
    }
    if (row->value == NULL && given != NULL) {
        message_say("%s takes no value", row->name);
        return -1;
    }
    if (row->value != NULL && given == NULL)
        given = argv[*next] != NULL ? argv[(*next)++] : NULL;
    if (row->value != NULL && given == NULL) {
        message_say("%s needs a value: %s", row->name, row->value);
        return -1;
    }
    return take(context, (size_t)(row - options->rows), given);
}

enum options_result options_read(const struct options *options, int argc, char **argv,
                                 options_take_fn *take, void *context, size_t *words)
{
    bool takes_options = true;
    size_t count = 0;

    for (int next = 1; next < argc;) {
        char *word = argv[next];

        if (takes_options && strcmp(word, "--help") == 0) {
            print_help(options);
            return OPTIONS_HELP;
        }
        if (takes_options && strcmp(word, "--") == 0) {
            takes_options = false;
            next++;
        } else if (takes_options && word[0] == '-' && word[1] == '-') {
            if (take_option(options, argv, &next, take, context) != 0)
                return OPTIONS_WRONG;
        } else if (count == options->most_words) {
            message_say("`%s` is one argument too many; see `referee %.*s --help`", word,
                        (int)strcspn(options->usage, " "), options->usage);
            return OPTIONS_WRONG;
        } else {
            argv[1 + count++] = word;
            next++;
        }
    }
    *words = count;
    return OPTIONS_FINE;
}

char *options_take_secret(const char *value)
{
    char *secret = xstrdup(value);

    memset((char *)value, ' ', strlen(value));
    return secret;
}
