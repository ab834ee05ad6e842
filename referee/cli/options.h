#ifndef REFEREE_CLI_OPTIONS_H
#define REFEREE_CLI_OPTIONS_H

/* Command lines: one table of options for each subcommand, which its parser and its --help share. */

#include <stdbool.h>
#include <stddef.h>

/* One option. `value` names what follows it ("FILE"), or is NULL for a switch. */
struct option_row {
    const char *name; /* with the two dashes */
    const char *value;
    const char *help;
};

/* Everything that a command line can hold. */
struct options {
    const char *usage;    /* "rules [EDITION]" */
    const char *purpose;  /* a sentence or more, ended by a line end */
    const char *examples; /* lines, or NULL */
    const struct option_row *rows;
    size_t count;
    size_t most_words; /* arguments that are no options, at most */
};

/* Called for each option in the order of the command line, with its row in the table; `value` is
 * NULL for a switch. Returns 0, or -1 after it said what is wrong. */
typedef int options_take_fn(void *context, size_t row, const char *value);

/* What options_read() makes of a command line. */
enum options_result {
    OPTIONS_FINE,
    OPTIONS_HELP,  /* the help was asked for and printed */
    OPTIONS_WRONG, /* something is wrong, and was said */
};

/* Reads a command line: `--name value` or `--name=value`, in any order with the other words, which
 * are moved to the front of argv + 1 and counted in `words`. After `--` everything is a word. */
enum options_result options_read(const struct options *options, int argc, char **argv,
                                 options_take_fn *take, void *context, size_t *words);

/* Takes a value over, and wipes it out where others can read it: in the list of processes. The copy is
 * the caller's to free. */
char *options_take_secret(const char *value);

#endif
