#ifndef REFEREE_CLI_OPTIONS_H
#define REFEREE_CLI_OPTIONS_H

/* Command lines. Each subcommand has one table of options, which its parser and its --help
 * share. A row says where its value belongs in the settings of the command, a struct of its own. */

#include <stdbool.h>
#include <stddef.h>

enum option_kind {
    OPTION_KIND_FLAG,    /* a bool, set to true */
    OPTION_KIND_TEXT,    /* a const char *, lent */
    OPTION_KIND_SECRET,  /* a char *, owned; erased in argv, where other users can see it */
    OPTION_KIND_NUMBER,  /* an int, unsigned or long */
    OPTION_KIND_DECIMAL, /* a double */
    OPTION_KIND_PAIR,    /* two const char *, lent: two words follow the option */
    OPTION_KIND_LIST,    /* an array of const char *, filled up from its first NULL */
    OPTION_KIND_READ,    /* whatever a function makes of the value */
};

/* Reads the value of option `name` into its destination; of a list, whose destination is NULL then,
 * only checks it. Returns 0 or -1. */
typedef int option_read_fn(void *destination, const char *name, const char *value);

/* One option, or a group of options that several commands have. The last row of a table is
 * empty. */
struct option_row {
    const char *name;  /* with the two dashes */
    const char *value; /* what follows it in the help ("FILE"); NULL for a flag */
    const char *help;
    enum option_kind kind;
    size_t offset; /* of the destination in the settings */
    size_t size;   /* of a number */
    long least, most;
    option_read_fn *read;
    const char *takes; /* the values that `read` knows; NULL if it reports a wrong value itself */
    bool prints;       /* a flag: prints a document, for which users may try to name a file */
    const struct option_row *group; /* instead of all the above, except its offset */
};

/* The destination of a row. A member of another type does not compile. */
#define OPTION_MEMBER(type, member, ...)                                                           \
    .offset = (offsetof(type, member) + _Generic(((type *)0)->member, __VA_ARGS__ : 0))
#define OPTION_FLAG(type, member) .kind = OPTION_KIND_FLAG, OPTION_MEMBER(type, member, bool)
#define OPTION_TEXT(type, member)                                                                  \
    .kind = OPTION_KIND_TEXT, OPTION_MEMBER(type, member, const char *)
#define OPTION_SECRET(type, member) .kind = OPTION_KIND_SECRET, OPTION_MEMBER(type, member, char *)
#define OPTION_PAIR(type, member)                                                                  \
    .kind = OPTION_KIND_PAIR, OPTION_MEMBER(type, member, const char **)
#define OPTION_NUMBER(type, member, first, last)                                                   \
    .kind = OPTION_KIND_NUMBER, OPTION_MEMBER(type, member, int : 0, unsigned : 0, long),          \
    .size = sizeof(((type *)0)->member), .least = (first), .most = (last)
#define OPTION_DECIMAL(type, member)                                                               \
    .kind = OPTION_KIND_DECIMAL, OPTION_MEMBER(type, member, double)
#define OPTION_LIST(type, member, count)                                                           \
    .kind = OPTION_KIND_LIST, OPTION_MEMBER(type, member, const char **), .most = (count)
#define OPTION_LIST_OF(type, member, count, function, values)                                      \
    OPTION_LIST(type, member, count), .read = (function), .takes = (values)
#define OPTION_READ(type, member, function, values)                                                \
    .kind = OPTION_KIND_READ, .offset = offsetof(type, member), .read = (function),                \
    .takes = (values)
#define OPTION_GROUP(type, member, wanted, rows)                                                   \
    OPTION_MEMBER(type, member, wanted), .group = (rows)

/* The value of an option that takes `on` or `off`. */
enum option_switch {
    OPTION_NOT_GIVEN,
    OPTION_ON,
    OPTION_OFF,
};

/* Reads one; OPTION_SWITCH is the destination of such a row. */
int options_read_switch(void *destination, const char *name, const char *value);

#define OPTION_SWITCH(type, member) OPTION_READ(type, member, options_read_switch, "on or off")

/* Everything that a command line can contain. */
struct options {
    const char *command;  /* "submit bot" */
    const char *usage;    /* what follows it: "[OPTION...] NAME [FILE]" */
    const char *purpose;  /* one or more lines */
    const char *examples; /* lines, or NULL */
    const struct option_row *rows;
    const char *takes; /* its arguments, for messages: "at most 6 bots" */
    size_t least, most;
    bool takes_command; /* the last arguments are a command, which may have options like -x */
    /* Called after each option that was read; or NULL. */
    void (*on_option)(void *settings, const char *name, const char *value);
};

/* Reads a command line into `settings`: `--name value` or `--name=value`, mixed with arguments,
 * which are moved to the front of argv + 1 with NULL after them. There are no short options but -h.
 * After `--` everything is an argument. Returns the number of arguments; or -1 if the command ends
 * here, after printing the help or a message, with the exit code in `code`. */
int options_read(const struct options *options, int argc, char **argv, void *settings, int *code);

/* Gets what the help of a command says: its table, with all groups written out in `rows`. */
typedef void options_describe_fn(void *context, const struct options *options,
                                 const struct option_row *rows, size_t count);

/* From now on --help calls `describe` and prints nothing: for manuals and completion. */
void options_on_help(options_describe_fn *describe, void *context);

/* Whether it does. A command with several tables then has each of them described. */
bool options_are_described(void);

#endif
