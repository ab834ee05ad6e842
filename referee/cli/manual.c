/* A page of a command has the sections that readers of manuals expect, in mdoc(7), filled from the
 * table that --help prints. `referee manual` is for the Makefile: without an argument it writes
 * referee(1), with a command the page of that command, with --pages the names of all of them.
 *
 * A manual is looked for where `make install` puts it, next to the program, and then where the
 * Makefile made it, so that `referee help protocol` works in a build that is not installed. */

#include "cli/manual.h"

#include "base/message.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 4096
#define TEXT_COLUMNS 56 /* after which a line of the source ends: escapes make it longer */

static const struct topic {
    const char *name;
    const char *page;
    const char *section;
    const char *about;
} topics[] = {
    {"library", "liballegra", "3", "the rules as a library for bots in C"},
    {"control", "referee-control", "5", "what clients and the daemon say to each other"},
    {"log", "referee-log", "5", "what is in a log, and positions as text"},
    {"protocol", "referee-protocol", "5", "the game, and what bots and referee say"},
    {"tournament-file", "referee-tournament", "5", "tournaments: their file, keys and output"},
    {"daemon", "referee-daemon", "7", "a referee for a club or a class"},
    {"debugging", "referee-debugging", "7", "why did my bot lose, and is it better now?"},
    {"distribute", "referee-distribute", "7", "tournaments on more than one machine"},
    {"matches", "referee-matches", "7", "rules, time, logs and opponents of a match"},
    {"python", "referee-python", "7", "the rules as a module for bots in Python that learn"},
    {"sandbox", "referee-sandbox", "7", "what bots of strangers cannot do"},
};

static const struct topic *find_topic(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(topics); i++) {
        if (strcmp(name, topics[i].name) == 0 || strcmp(name, topics[i].page) == 0)
            return &topics[i];
    }
    return NULL;
}

void manual_print_topics(FILE *file)
{
    for (size_t i = 0; i < ARRAY_LEN(topics); i++)
        fprintf(file, "  %-16s %s\n", topics[i].name, topics[i].about);
}

size_t manual_topic_count(void)
{
    return ARRAY_LEN(topics);
}

const char *manual_topic_name(size_t index)
{
    return topics[index].name;
}

const char *manual_topic_about(size_t index)
{
    return topics[index].about;
}

bool manual_has_topic(const char *topic)
{
    return find_topic(topic) != NULL;
}

/* Texts. */

/* A character of a text: what roff would take for its own is escaped, and `code` is bold. */
static void put_char(char c, bool *is_code)
{
    if (c == '\\')
        fputs("\\e", stdout);
    else if (c == '-')
        fputs("\\-", stdout);
    else if (c == '`')
        fputs((*is_code = !*is_code) ? "\\fB" : "\\fP", stdout);
    else
        putchar(c);
}

/* Running text: a sentence per line, and lines that are not long. */
static void put_text(const char *text, size_t length)
{
    bool is_code = false;
    size_t column = 0;

    for (size_t i = 0; i < length; i++, column++) {
        bool is_end = text[i] == ' ' && i > 0 && (text[i - 1] == '.' || column >= TEXT_COLUMNS);

        /* There it would start a macro. */
        if (column == 0 && (text[i] == '.' || text[i] == '\''))
            fputs("\\&", stdout);
        put_char(is_end ? '\n' : text[i], &is_code);
        if (is_end)
            column = SIZE_MAX;
    }
    putchar('\n');
}

static size_t line_length(const char *text)
{
    return strcspn(text, "\n");
}

/* Lines as they are. */
static const char *put_literal(const char *text)
{
    puts(".Bd -literal -offset indent");
    while (strncmp(text, "  ", 2) == 0) {
        bool is_code = false;
        size_t length = line_length(text);

        for (size_t i = 2; i < length; i++) {
            if (text[i] == '`')
                putchar('`');
            else
                put_char(text[i], &is_code);
        }
        putchar('\n');
        text += length + (text[length] == '\n');
    }
    puts(".Ed");
    return text;
}

/* Several lines, of which those that are indented stay as they are. */
static void put_lines(const char *text)
{
    while (*text != '\0') {
        size_t length = line_length(text);

        if (strncmp(text, "  ", 2) == 0) {
            text = put_literal(text);
            continue;
        }
        if (length == 0)
            puts(".Pp");
        else
            put_text(text, length);
        text += length + (text[length] == '\n');
    }
}

/* Usage. */

/* One word of a usage: an option, an argument, or a word to be typed. The first of a line is a
 * macro without a blank before it. */
static void put_word(struct span word, bool is_first)
{
    bool has_more = word.length > 3 && memcmp(word.start + word.length - 3, "...", 3) == 0;

    if (has_more)
        word.length -= 3;
    if (!is_first)
        putchar(' ');
    if (word.length > 2 && memcmp(word.start, "--", 2) == 0)
        printf("Fl -%.*s", (int)word.length - 2, word.start + 2);
    else if (isupper((unsigned char)word.start[0]))
        printf("Ar %.*s", (int)word.length, word.start);
    else if (isalpha((unsigned char)word.start[0]))
        printf("Cm %.*s", (int)word.length, word.start);
    else
        printf("%s%.*s", is_first ? "No " : "", (int)word.length, word.start);
    if (has_more)
        fputs(" ...", stdout);
}

static void put_usage(const struct options *options)
{
    const char *rest = options->usage;

    printf(".Nm referee\n.Cm %s\n", options->command);
    while (*rest != '\0') {
        bool is_optional = *rest == '[';
        size_t length = strcspn(rest, is_optional ? "]" : " ");
        struct span part = {rest + is_optional, length - is_optional};
        struct span word;

        fputs(is_optional ? ".Op" : ".", stdout);
        for (bool is_first = !is_optional; (word = span_cut_word(&part)).length > 0;
             is_first = false)
            put_word(word, is_first);
        putchar('\n');
        rest += length + is_optional;
        rest += strspn(rest, " ");
    }
}

/* Pages. */

static void put_head(const char *page, const char *section, const char *about)
{
    printf(".Dd " REFEREE_DATE "\n.Dt ");
    for (const char *c = page; *c != '\0'; c++)
        putchar(toupper((unsigned char)*c));
    printf(" %s\n.Os\n.Sh NAME\n.Nm %s\n.Nd ", section, page);
    put_text(about, strlen(about));
}

static const char exit_status[] =
    ".Sh EXIT STATUS\n0 on success, 1 on failure, 2 for a mistake on the command line,\n"
    "3 if a bot was at fault.";

static void put_options(const struct option_row *rows, size_t count)
{
    puts(".Bl -tag -width Ds");
    for (size_t i = 0; i < count; i++) {
        printf(".It Fl -%s", rows[i].name + 2);
        if (rows[i].value != NULL)
            printf(" Ar %s", rows[i].value);
        putchar('\n');
        put_text(rows[i].help, strlen(rows[i].help));
    }
    puts(".El");
}

struct page {
    const struct cli_command *command;
    unsigned tables; /* described so far */
    const char *examples;
};

/* The first table is that of the command, further ones are those of its kinds. */
static void put_table(void *context, const struct options *options, const struct option_row *rows,
                      size_t count)
{
    struct page *page = context;
    char name[60];

    if (page->tables++ == 0) {
        snprintf(name, sizeof name, "referee-%s", page->command->name);
        put_head(name, "1", page->command->summary);
        puts(".Sh SYNOPSIS");
        put_usage(options);
        puts(".Sh DESCRIPTION");
        put_lines(options->purpose);
        if (count > 0)
            puts(".Pp\nThe options are:");
    } else {
        printf(".Ss referee %s\n", options->command);
        put_usage(options);
        puts(".Pp");
        put_lines(options->purpose);
        if (count > 0)
            puts(".Pp\nIts options are:");
    }
    if (count > 0)
        put_options(rows, count);
    if (page->tables == 1) {
        page->examples = options->examples;
    } else if (options->examples != NULL) {
        puts(".Pp\nExamples:");
        put_lines(options->examples);
    }
}

static int put_command(const struct cli_command *command)
{
    struct page page = {.command = command};
    char name[40];
    char option[] = "--help";
    char *argv[] = {name, option, NULL};

    snprintf(name, sizeof name, "%s", command->name);
    options_on_help(put_table, &page);
    (void)command->run(2, argv);
    puts(exit_status);
    if (page.examples != NULL) {
        puts(".Sh EXAMPLES");
        put_lines(page.examples);
    }
    puts(".Sh SEE ALSO\n.Xr referee 1");
    return CLI_FINE;
}

static bool has_page(const struct cli_command *command)
{
    return command->summary != NULL && command->options[0] == NULL;
}

static void put_command_list(void)
{
    puts(".Sh COMMANDS\n.Bl -tag -width Ds");
    for (size_t i = 0; i < cli_command_count(); i++) {
        const struct cli_command *command = cli_command_at(i);

        if (command->summary == NULL)
            continue;
        if (has_page(command))
            printf(".It Xr referee-%s 1\n", command->name);
        else
            printf(".It Nm referee Cm %s\n", command->name);
        put_text(command->summary, strlen(command->summary));
    }
    puts(".El");
}

static int put_program(void)
{
    put_head("referee", "1", "a referee for programs that play the card game ALLEGRA");
    puts(".Sh SYNOPSIS\n.Nm\n.Cm command\n.Op Ar ARGUMENT ...");
    puts(".Sh DESCRIPTION");
    put_lines("Bots are programs in any language that read and write lines. The referee starts "
              "them, asks them questions, times their answers, enforces the rules of five printed "
              "editions and their variants, and writes logs from which whole matches can be "
              "reproduced.\n\n"
              "`referee rules --explain` explains the game, `referee help COMMAND` describes a "
              "command. Data goes to stdout, messages to stderr. Ctrl-C, SIGTERM and SIGHUP let "
              "running matches end; a second one stops at once.\n");
    put_command_list();
    puts(".Sh ENVIRONMENT\n.Bl -tag -width Ds");
    puts(".It Ev REFEREE_SOCKET\nThe socket of the daemon, for\n.Nm\n.Cm serve\nand its clients.");
    puts(".It Ev REFEREE_TOKEN\nThe token of a user, for clients that connect over TCP.");
    puts(".It Ev REFEREE_UIDS\nThe range of user numbers for bots if the referee runs as root: "
         "FIRST\\-LAST.");
    puts(".It Ev TMPDIR\nWhere scratch folders of bots are made.");
    puts(".It Ev XDG_RUNTIME_DIR\nThe folder of the socket, without\n.Ev REFEREE_SOCKET ;\n"
         "for root it is in /run.");
    puts(".It Ev XDG_CACHE_HOME\nThe folder in which\n.Nm\n.Cm worker\nkeeps bots.");
    puts(".It Ev NO_COLOR\nIf it is set, tables on a terminal are not coloured.\n.El");
    puts(exit_status);
    puts(".Sh SEE ALSO");
    for (size_t i = 0; i < ARRAY_LEN(topics); i++)
        printf(".Xr %s %s%s\n", topics[i].page, topics[i].section,
               i + 1 < ARRAY_LEN(topics) ? " ," : "");
    return CLI_FINE;
}

static int list_pages(void)
{
    for (size_t i = 0; i < cli_command_count(); i++) {
        if (has_page(cli_command_at(i)))
            puts(cli_command_at(i)->name);
    }
    return CLI_FINE;
}

int cli_manual(int argc, char **argv)
{
    const struct cli_command *command;

    if (argc < 2)
        return put_program();
    if (strcmp(argv[1], "--pages") == 0)
        return list_pages();
    command = cli_command_find(argv[1]);
    if (command == NULL)
        return CLI_USAGE;
    if (has_page(command))
        return put_command(command);
    message_say("%s has no manual of its own", command->name);
    return CLI_USAGE;
}

/* Showing. */

/* The folder of the program, with a `/` at its end. */
static int find_program(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    char *slash;

    if (length < 0)
        return -1;
    path[length] = '\0';
    slash = strrchr(path, '/');
    if (slash == NULL)
        return -1;
    slash[1] = '\0';
    return 0;
}

/* Where a page may be below the folder of the program; packages have compressed ones. */
static const char *const places[] = {"../share/man/man%s/%s.%s", "../share/man/man%s/%s.%s.gz",
                                     "man/man%s/%s.%s"};

/* Returns 0, or -1 if there is no such page. */
static int find_page(const struct topic *topic, const char *program, char *path, size_t size)
{
    size_t length = strlen(program);

    memcpy(path, program, length);
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        snprintf(path + length, size - length, places[i], topic->section, topic->page,
                 topic->section);
        if (access(path, R_OK) == 0)
            return 0;
    }
    return -1;
}

void manual_show(const char *name)
{
    const struct topic *topic = find_topic(name);
    char program[PATH_BYTES];
    char path[PATH_BYTES + 100];

    if (find_program(program, sizeof program) != 0) {
        message_say("cannot find the manuals: %s", strerror(errno));
        return;
    }
    if (find_page(topic, program, path, sizeof path) != 0) {
        message_say("the manual %s(%s) is not installed; in the sources, `make manuals` makes it",
                    topic->page, topic->section);
        return;
    }
    (void)fflush(stdout);
    execlp("man", "man", path, (char *)NULL);
    /* The man of BSD and Alpine. */
    execlp("mandoc", "mandoc", "-a", path, (char *)NULL);
    message_say("cannot run man to show %s: %s", path, strerror(errno));
}
