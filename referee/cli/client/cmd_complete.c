/* `referee complete WORD...` is for shells: the words of a command line after `referee`, the last
 * of which is being typed. It prints what that word can become, one candidate per line, with a tab
 * and a description behind some; `:files` and `:folders` ask the shell to add those of its own.
 *
 * What is possible follows from the tables that --help prints: an option by its name, a value or an
 * argument by what the help calls it. */

#include "base/text.h"
#include "bot/clock_rule.h"
#include "cli/cli.h"
#include "cli/client/connection.h"
#include "cli/manual.h"
#include "cli/options.h"
#include "game/rules.h"
#include "sandbox/sandbox.h"
#include "tournament/report/report_language.h"
#include "wire/request.h"

#include <stdio.h>
#include <string.h>

/* The word that is being typed, and what stands before it. */
struct completion {
    const char *typed;
    const char *before; /* the word before it, or "" */
    char **words;       /* of the subcommand, after its name, without the one being typed */
    int count;
    bool is_done; /* the table was found */
};

static void offer(const struct completion *completion, const char *word, const char *about)
{
    if (strncmp(word, completion->typed, strlen(completion->typed)) != 0)
        return;
    fputs(word, stdout);
    if (about != NULL)
        printf("\t%s", about);
    putchar('\n');
}

/* What values can be. */

static void offer_editions(const struct completion *completion)
{
    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++)
        offer(completion, allegra_edition_name((enum allegra_edition)i), NULL);
    for (size_t i = 0; i < RULES_VARIANT_COUNT; i++)
        offer(completion, rules_variant_at(i)->name, rules_variant_at(i)->meaning);
    puts(":files");
}

/* Keys with `=` behind them, and behind that the values of the key. */
static void offer_rules(const struct completion *completion)
{
    bool has_key = strchr(completion->typed, '=') != NULL;
    char pair[100];

    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);

        snprintf(pair, sizeof pair, "%s=", key->name);
        if (!has_key)
            offer(completion, pair, key->meaning);
        for (size_t k = 0; has_key && key->kind == RULES_KEY_NAME && key->names[k] != NULL; k++) {
            snprintf(pair, sizeof pair, "%s=%s", key->name, key->names[k]);
            offer(completion, pair, NULL);
        }
    }
}

static void offer_levels(const struct completion *completion)
{
    for (unsigned i = 0; i < SANDBOX_LEVEL_COUNT; i++)
        offer(completion, sandbox_level_name((enum sandbox_level)i), NULL);
}

static void offer_clocks(const struct completion *completion)
{
    offer(completion, clock_rule_name(CLOCK_FAIR), NULL);
    offer(completion, clock_rule_name(CLOCK_WALL), NULL);
}

static void offer_forms(const struct completion *completion)
{
    static const char *const forms[] = {"text", "json", "csv", "cross", "matches", "html"};

    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        offer(completion, forms[i], NULL);
}

static void offer_languages(const struct completion *completion)
{
    for (unsigned i = 0; i < REPORT_LANGUAGE_COUNT; i++)
        offer(completion, report_language_code((enum report_language)i),
              report_language_name((enum report_language)i));
}

/* What was typed behind an option that says where the daemon is, or NULL. */
static const char *value_of(const struct completion *completion, const char *option)
{
    for (int i = 0; i + 1 < completion->count; i++) {
        if (strcmp(completion->words[i], option) == 0)
            return completion->words[i + 1];
    }
    return NULL;
}

/* The first field of each line of a list of the daemon, if there is one. */
static void offer_list(const struct completion *completion, enum request_verb verb)
{
    struct dial dial = {.socket = value_of(completion, "--socket"),
                        .host_port = value_of(completion, "--connect"),
                        .token_file = value_of(completion, "--token-file")};
    struct request_line request;
    struct request_reply reply;
    struct text problem;
    struct span rest;
    char sentence[200];
    int code;
    struct connection *client;

    text_start(&problem, sentence, sizeof sentence);
    client = connection_open(&dial, &code, &problem);
    if (client == NULL)
        return;
    request_line_start(&request, verb);
    if (verb == REQUEST_QUEUE)
        request_line_add(&request, "all", "yes");
    if (connection_send(client, &request, span_of(""), &problem) == 0) {
        connection_read(client, &reply);
        rest = span_of(reply.kind == REQUEST_REPLY_BLOCK ? reply.block : "");
        while (rest.length > 0) {
            struct span line = span_cut(&rest, '\n');
            struct span name = span_cut_word(&line);
            char word[100];

            snprintf(word, sizeof word, "%.*s", (int)name.length, name.start);
            if (word[0] != '\0')
                offer(completion, word, NULL);
        }
    }
    connection_free(client);
}

static void offer_jobs(const struct completion *completion)
{
    offer_list(completion, REQUEST_QUEUE);
}

static void offer_bots(const struct completion *completion)
{
    offer_list(completion, REQUEST_BOTS);
}

static void offer_ladders(const struct completion *completion)
{
    offer_list(completion, REQUEST_LADDER);
}

static void offer_files(const struct completion *completion)
{
    (void)completion;
    puts(":files");
}

static void offer_folders(const struct completion *completion)
{
    (void)completion;
    puts(":folders");
}

/* By what the help calls a value or an argument; of a command only if one is named. */
static const struct {
    const char *name;
    const char *command;
    void (*offer)(const struct completion *completion);
} values[] = {
    {"EDITION", NULL, offer_editions},   {"KEY=VALUE", NULL, offer_rules},
    {"LEVEL", NULL, offer_levels},       {"RULE", NULL, offer_clocks},
    {"CODE", NULL, offer_languages},     {"JOB", NULL, offer_jobs},
    {"BOT", "submit match", offer_bots}, {"BOT", "output", offer_bots},
    {"BOT", "ladder", offer_bots},       {"BOT", NULL, offer_files},
    {"NEW", NULL, offer_files},          {"OLD", NULL, offer_files},
    {"COMMAND", NULL, offer_files},      {"FILE", NULL, offer_files},
    {"PATH", NULL, offer_files},         {"LOG", NULL, offer_files},
    {"POSITION", NULL, offer_files},     {"DIR", NULL, offer_folders},
    {"STORE", NULL, offer_folders},      {"NAME", "disqualify", offer_bots},
    {"NAME", "remove", offer_bots},      {"NAME", "replay-bot", offer_bots},
    {"CERT KEY", NULL, offer_files},     {"NAME", "ladder", offer_ladders},
    {"FORM", NULL, offer_forms},
};

/* `on|off` is its own list; of `days=N|best=N` only `days=` and `best=` can be offered. */
static void offer_choices(const struct completion *completion, struct span choices)
{
    while (choices.start != NULL && choices.length > 0) {
        struct span choice = span_cut(&choices, '|');
        const char *equals = memchr(choice.start, '=', choice.length);
        char word[60];

        if (equals != NULL)
            choice.length = (size_t)(equals - choice.start) + 1;
        snprintf(word, sizeof word, "%.*s", (int)choice.length, choice.start);
        offer(completion, word, NULL);
    }
}

static void offer_value(const struct completion *completion, const char *command, struct span name)
{
    if (memchr(name.start, '|', name.length) != NULL) {
        offer_choices(completion, name);
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        if (span_is(name, values[i].name) &&
            (values[i].command == NULL || strcmp(values[i].command, command) == 0)) {
            values[i].offer(completion);
            return;
        }
    }
}

/* The argument of that number in a usage, or its last one: "[OPTION...] BOT BOT..." has BOT. */
static struct span argument_name(const char *usage, unsigned number)
{
    struct span rest = span_of(usage);
    struct span found = span_of("");
    struct span word;

    while ((word = span_cut_word(&rest)).length > 0) {
        while (word.length > 0 && (word.start[0] == '[' || word.start[0] == '|')) {
            word.start++;
            word.length--;
        }
        while (word.length > 0 && strchr("].", word.start[word.length - 1]) != NULL)
            word.length--;
        if (word.length == 0 || word.start[0] == '-' || span_is(word, "OPTION"))
            continue;
        found = word;
        if (number-- == 0)
            break;
    }
    return found;
}

static const struct option_row *find_option(const struct option_row *rows, size_t count,
                                            const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    }
    return NULL;
}

/* How many arguments were given: words that are neither options nor their values. */
static unsigned count_arguments(const struct completion *completion, const struct option_row *rows,
                                size_t count)
{
    unsigned arguments = 0;

    for (int i = 0; i < completion->count; i++) {
        const struct option_row *row = find_option(rows, count, completion->words[i]);

        if (row != NULL && row->value != NULL)
            i += row->kind == OPTION_KIND_PAIR ? 2 : 1;
        else if (completion->words[i][0] != '-')
            arguments++;
    }
    return arguments;
}

static void complete_by_table(void *context, const struct options *options,
                              const struct option_row *rows, size_t count)
{
    struct completion *completion = context;
    const struct option_row *row = find_option(rows, count, completion->before);
    const struct option_row *pair =
        completion->count >= 2 ? find_option(rows, count, completion->words[completion->count - 2])
                               : NULL;

    if (pair != NULL && pair->kind == OPTION_KIND_PAIR)
        row = pair;
    if (completion->is_done)
        return;
    completion->is_done = true;
    if (row != NULL && row->value != NULL) {
        offer_value(completion, options->command, span_of(row->value));
    } else if (completion->typed[0] == '-') {
        for (size_t i = 0; i < count; i++)
            offer(completion, rows[i].name, rows[i].help);
        offer(completion, "--help", "describe the command");
    } else {
        offer_value(completion, options->command,
                    argument_name(options->usage, count_arguments(completion, rows, count)));
    }
}

static void offer_commands(const struct completion *completion)
{
    for (size_t i = 0; i < cli_command_count(); i++) {
        const struct cli_command *command = cli_command_at(i);

        if (command->summary != NULL)
            offer(completion, command->name, command->summary);
    }
}

static cli_command_fn *find_command(const char *name)
{
    for (size_t i = 0; i < cli_command_count(); i++) {
        if (strcmp(cli_command_at(i)->name, name) == 0 && cli_command_at(i)->summary != NULL)
            return cli_command_at(i)->run;
    }
    return NULL;
}

/* The table of the command describes itself: of `submit bot` that of its kind, of `submit` its own,
 * whose usage has the kinds. */
static void complete_command(struct completion *completion, char **argv, int argc)
{
    cli_command_fn *run = find_command(argv[0]);
    bool has_kind = strcmp(argv[0], "submit") == 0 && argc > 2;
    char option[] = "--help";
    char *asked[] = {argv[0], has_kind ? argv[1] : option, has_kind ? option : NULL, NULL};

    if (run == NULL)
        return;
    completion->words = argv + 1 + has_kind;
    completion->count = argc - 2 - has_kind;
    options_on_help(complete_by_table, completion);
    (void)run(2 + has_kind, asked);
}

int cli_complete(int argc, char **argv)
{
    struct completion completion = {.typed = argc > 1 ? argv[argc - 1] : "",
                                    .before = argc > 2 ? argv[argc - 2] : ""};

    bool is_help = argc == 3 && strcmp(argv[1], "help") == 0;

    if (argc <= 2 || is_help)
        offer_commands(&completion);
    for (size_t i = 0; is_help && i < manual_topic_count(); i++)
        offer(&completion, manual_topic_name(i), manual_topic_about(i));
    if (argc <= 2 || is_help)
        return CLI_FINE;
    complete_command(&completion, argv + 1, argc - 1);
    return CLI_FINE;
}
