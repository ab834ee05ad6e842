/* Bots without a command: those that a catalogue knows by name, and those that run elsewhere. */

#include "base/memory.h"
#include "tournament/config/config.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was reported: "LINE:COLUMN sentence" and a line end for each mistake. */
static char reported[4000];

static void add_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    size_t length = strlen(reported);

    (void)context;
    snprintf(reported + length, sizeof reported - length, "%u:%u %s\n", line, column, sentence);
}

static int find(void *context, const char *name, struct config_bot *bot, struct text *problem)
{
    ++*(unsigned *)context;
    if (strcmp(name, "ann") == 0) {
        bot->command = xstrdup("./ann.py");
        bot->folder = xstrdup("/bots/ann/3");
        bot->build = xstrdup("make");
        bot->memory_mb = 64;
        return 0;
    }
    if (strcmp(name, "far") == 0) {
        bot->remote = xstrdup("/run/socket");
        return 0;
    }
    text_add(problem, "there is no bot ");
    text_add_quoted(problem, span_of(name));
    return -1;
}

static unsigned asked;
static const struct config_catalogue catalogue = {find, &asked};

static struct config *read_with(const char *file, const struct config_catalogue *known)
{
    reported[0] = '\0';
    asked = 0;
    return config_read_with(span_of(file), "/x/file.json", known, add_problem, NULL);
}

static void check_ann(const struct config_bot *bot, const char *name, long memory_mb)
{
    cr_expect_str_eq(bot->name, name);
    cr_expect_str_eq(bot->source, "ann");
    cr_expect_str_eq(bot->command, "./ann.py");
    cr_expect_str_eq(bot->folder, "/bots/ann/3");
    cr_expect_str_eq(bot->build, "make");
    cr_expect_null(bot->remote);
    cr_expect_eq(bot->memory_mb, memory_mb);
}

Test(config_bots, a_bot_without_a_command_is_looked_up)
{
    struct config *config = read_with("{\"bots\": [\"ann\", {\"bot\": \"ann\", \"name\": \"b\"},\n"
                                      "{\"name\": \"c\", \"bot\": \"ann\", \"memory_mb\": 99, "
                                      "\"environment\": {\"A\": \"1\"}}]}",
                                      &catalogue);

    cr_assert_not_null(config, "%s", reported);
    check_ann(&config->bots[0], "ann", 64);
    check_ann(&config->bots[1], "b", 64);
    check_ann(&config->bots[2], "c", 99);
    cr_expect_str_eq(config->bots[2].environment[0], "A=1");
    cr_expect_eq(config->bots[2].line, 2);
    config_free(config);
    config = read_with("{\"bots\": [{\"name\": \"ann\"}, \"bob\"]}", &catalogue);
    cr_assert_not_null(config, "%s", reported);
    check_ann(&config->bots[0], "ann", 64);
    config_free(config);
    config = read_with("{\"bots\": [{\"bot\": \"ann\"}, \"bob\"]}", &catalogue);
    cr_assert_not_null(config, "%s", reported);
    check_ann(&config->bots[0], "ann", 64);
    config_free(config);
}

Test(config_bots, a_bot_with_a_command_is_not)
{
    struct config *config =
        read_with("{\"bots\": [{\"name\": \"ann\", \"command\": \"x\"}, \"bob\", "
                  "\"./far\", \"ann -v\"], \"seats\": 2}",
                  &catalogue);
    static const char *const commands[] = {"x", "bob", "./far", "ann -v"};

    cr_assert_null(config);
    cr_assert_str_eq(reported,
                     "1:60 bots[3].name is \"ann\", and bots[0] in line 1 is \"ann\": names "
                     "must differ in more than case\n");
    config = read_with("{\"bots\": [{\"name\": \"ann\", \"command\": \"x\"}, \"bob\", \"./far\", "
                       "{\"name\": \"d\", \"command\": \"ann -v\"}], \"seats\": 2}",
                       &catalogue);
    cr_assert_not_null(config, "%s", reported);
    cr_assert_eq(asked, 1);
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        cr_expect_str_eq(config->bots[i].command, commands[i]);
        cr_expect(config->bots[i].source == NULL && config->bots[i].remote == NULL);
    }
    config_free(config);
}

Test(config_bots, without_a_catalogue_a_text_is_a_command)
{
    struct config *config = read_with("{\"bots\": [\"ann\", \"far\"]}", NULL);

    cr_assert_not_null(config, "%s", reported);
    cr_assert_str_eq(config->bots[0].command, "ann");
    cr_assert(config->bots[0].source == NULL && config->bots[1].remote == NULL);
    config_free(config);
}

Test(config_bots, a_remote_bot_has_a_socket_and_a_name_there)
{
    struct config *config = read_with("{\"bots\": [{\"name\": \"a\", \"remote\": \"s\"}, {\"bot\": "
                                      "\"b\", \"remote\": \"/t\"}, {\"bot\": \"b\", \"remote\": "
                                      "\"/t\", \"name\": \"c\"}], \"seatings\": \"single\"}",
                                      NULL);

    cr_assert_not_null(config, "%s", reported);
    cr_expect_str_eq(config->bots[0].name, "a");
    cr_expect_null(config->bots[0].source);
    cr_expect_str_eq(config->bots[0].remote, "/x/s");
    cr_expect_str_eq(config->bots[1].name, "b");
    cr_expect_str_eq(config->bots[1].source, "b");
    cr_expect_str_eq(config->bots[2].name, "c");
    cr_expect_str_eq(config->bots[2].source, "b");
    cr_expect_null(config->bots[2].command);
    config_free(config);
    config = read_with("{\"bots\": [\"far\", \"ann\"], \"seatings\": \"single\"}", &catalogue);
    cr_assert_not_null(config, "%s", reported);
    cr_expect_str_eq(config->bots[0].remote, "/run/socket");
    cr_expect_str_eq(config->bots[0].source, "far");
    cr_expect_str_eq(config->bots[0].name, "far");
    cr_expect_null(config->bots[0].command);
    config_free(config);
}

#define WITH_REMOTE " does not go with a remote bot\n"
#define WITH_NAME                                                                                  \
    " goes only with a command: the daemon knows how to run a bot that is given by name\n"
#define NAME_TAKES                                                                                 \
    " takes 1 to 32 letters, digits, \".\", \"-\" and \"_\", the first a letter or digit, not "

static const struct {
    bool has_catalogue;
    const char *file;
    const char *reported;
} wrong_cases[] = {
    {true, "{\"bots\": [{\"bot\": \"eve\"},\n {\"name\": \"bob\"}]}",
     "1:12 bots[0].bot: there is no bot \"eve\"\n2:3 bots[1].name: there is no bot \"bob\"\n"},
    {true, "{\"bots\": [{\"bot\": \"e/e\"}, {\"bot\": 7}]}",
     "1:19 bots[0].bot" NAME_TAKES "\"e/e\"\n1:35 bots[1].bot" NAME_TAKES "7\n"},
    {true, "{\"bots\": [{}, \"ann\"]}",
     "1:11 bots[0] takes a \"bot\", the name of a bot that the daemon knows, or a \"command\"\n"},
    {true, "{\"bots\": [\"ann\", {\"bot\": \"ann\"}]}",
     "1:18 bots[1].name is \"ann\", and bots[0] in line 1 is \"ann\": names must differ "
     "in more than case\n"},
    {true, "{\"bots\": [\"x\", {\"bot\": \"ann\", \"folder\": \"y\", \"build\": \"z\"}]}",
     "1:31 bots[1].folder" WITH_NAME "1:46 bots[1].build" WITH_NAME},
    {true, "{\"bots\": [\"x\", {\"bot\": \"ann\", \"command\": \"y\"}]}",
     "1:17 bots[1].bot does not go with a command\n"},
    {true, "{\"bots\": [\"x\", {\"bot\": \"ann\", \"remote\": \"y\"}]}",
     "1:31 bots[1].remote is not for files that are submitted to a daemon, which knows "
     "where a bot runs\n"},
    {true,
     "{\"seatings\": \"single\", \"bots\": [\"x\", {\"bot\": \"far\", \"memory_mb\": 16, "
     "\"environment\": {}}]}",
     "1:53 bots[1].memory_mb" WITH_REMOTE "1:70 bots[1].environment" WITH_REMOTE},
    {true, "{\"bots\": [\"x\", \"far\"], \"seatings\": \"all\"}",
     "1:36 seatings takes \"single\" with a remote bot such as bots[1]: nobody may see a "
     "deal twice\n"},
    {true, "{\"bots\": [\"x\", \"far\"], \"seatings\": \"one\"}",
     "1:36 seatings takes \"single\", \"rotations\" or \"all\", not \"one\"\n"},
    {false, "{\"bots\": [\"x\", {\"bot\": \"ann\"}]}",
     "1:17 bots[1].bot is for files that are submitted to a daemon: "
     "here a bot takes a \"command\"\n"},
    {false, "{\"bots\": [\"x\", {\"bot\": \"ann\", \"command\": \"y\"}]}",
     "1:17 bots[1].bot is for files that are submitted to a daemon: "
     "here a bot takes a \"command\"\n"},
    {false,
     "{\"bots\": [\"x\", {\"remote\": \"s\", \"name\": \"y\"}], \"seatings\": \"rotations\"}",
     "1:59 seatings takes \"single\" with a remote bot such as bots[1]: nobody may see a "
     "deal twice\n"},
    {false, "{\"seatings\": \"single\", \"bots\": [\"x\", {\"remote\": \"s\"}]}",
     "1:38 bots[1].name is missing: it takes 1 to 32 letters, digits, \".\", \"-\" and \"_\", the "
     "first a letter or digit\n"},
    {false,
     "{\"seatings\": \"single\", \"bots\": [\"x\", {\"remote\": \"s\", \"name\": \"y\", "
     "\"command\": \"a\",\n"
     "\"folder\": \"b\", \"environment\": {}, \"memory_mb\": 20, \"build\": \"c\"}]}",
     "1:67 bots[1].command" WITH_REMOTE "2:1 bots[1].folder" WITH_REMOTE
     "2:16 bots[1].environment" WITH_REMOTE "2:35 bots[1].memory_mb" WITH_REMOTE
     "2:52 bots[1].build" WITH_REMOTE},
};

Test(config_bots, a_mistake_is_reported_with_its_place_and_what_is_allowed)
{
    for (size_t i = 0; i < ARRAY_LEN(wrong_cases); i++) {
        const struct config_catalogue *known = wrong_cases[i].has_catalogue ? &catalogue : NULL;

        cr_expect_null(read_with(wrong_cases[i].file, known), "case %zu", i);
        cr_expect_str_eq(reported, wrong_cases[i].reported, "case %zu: %s\n%s", i,
                         wrong_cases[i].file, reported);
    }
}

Test(config_bots, a_bot_is_named_after_the_file_in_its_command)
{
    static const struct {
        const char *command; /* as in the file */
        const char *name;
    } cases[] = {
        {"./ann", "ann"},
        {"python3 bots/ann.py --fast", "ann"},
        {"'/my bots/ann'", "ann"},
        {"python3 '/my bots/ann.py' --fast", "ann"},
        {"\\\"/my bots/ann\\\" x/y", "ann"},
        {"it's", "it_s"},
        {"'bots/ann", "ann"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char file[200];
        struct config *config;

        snprintf(file, sizeof file, "{\"bots\": [\"%s\", \"b\"]}", cases[i].command);
        config = read_with(file, NULL);
        cr_assert_not_null(config, "%s", reported);
        cr_expect_str_eq(config->bots[0].name, cases[i].name, "case %zu: %s", i,
                         config->bots[0].name);
        config_free(config);
    }
}
