/* Tournament files: what good ones mean, and every mistake with its place and its sentence. */

#include "tournament/config/config.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOTS "\"bots\": [\"a\", \"b\", \"c\"]"

/* What was reported: "LINE:COLUMN sentence" and a line end for each mistake. */
struct reported {
    char text[20000];
    size_t length;
    unsigned count;
};

static void add_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    struct reported *reported = context;

    reported->length += (size_t)snprintf(reported->text + reported->length,
                                         sizeof reported->text - reported->length, "%u:%u %s\n",
                                         line, column, sentence);
    cr_assert_lt(reported->length, sizeof reported->text);
    reported->count++;
}

static struct config *read_bytes(const char *bytes, size_t length, struct reported *reported)
{
    *reported = (struct reported){.count = 0};
    return config_read(bytes, length, "folder/file.json", add_problem, reported);
}

/* A file that must be good. */
static struct config *read_good(const char *file)
{
    static struct reported reported;
    struct config *config = read_bytes(file, strlen(file), &reported);

    cr_assert_not_null(config, "%s: %s", file, reported.text);
    return config;
}

Test(config, a_file_with_bots_alone_has_every_default)
{
    static const char *const names[] = {"a", "b-1", "run_me", "bot", "x"};
    struct config *config =
        read_good("{\"bots\": [\"a\", \"./b-1.py\",\n \"python3 dir/run,me.sh -v\", "
                  "{\"command\": \"/usr/bin/bot.exe x\"}, \"x\"]}");
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);

    cr_assert_str_eq(config->name, "file");
    cr_assert_str_eq(config->folder, "folder");
    cr_assert_str_eq(config->output, "folder/file");
    cr_assert_eq(config->bot_count, 5);
    cr_assert_not_null(config->bots);
    for (unsigned i = 0; i < 5; i++) {
        cr_expect_str_eq(config->bots[i].name, names[i]);
        cr_expect_eq(config->bots[i].line, i < 2 ? 1 : 2);
        cr_expect(config->bots[i].folder == NULL && config->bots[i].build == NULL &&
                  config->bots[i].environment[0] == NULL && config->bots[i].memory_mb == 0);
    }
    cr_assert_str_eq(config->bots[2].command, "python3 dir/run,me.sh -v");
    cr_assert_arr_eq(&config->rules, &rules, sizeof rules);
    cr_assert_eq(config->schedule.format, SCHEDULE_ROUND_ROBIN);
    cr_assert_eq(config->schedule.seatings, SCHEDULE_SINGLE);
    cr_assert_eq(config->schedule.seats, 4);
    cr_assert_eq(config->schedule.bots, 5);
    cr_assert_eq(config->schedule.hero, 0);
    cr_assert_eq(config->schedule.deals, 100);
    cr_assert_eq(config->schedule.rounds, 0);
    cr_assert_eq(config->schedule.matches, 0);
    cr_assert_eq(config->schedule.seed, 1);
    cr_assert_null(config->schedule.generation);
    cr_assert_eq(config->clock, CLOCK_FAIR);
    cr_assert_eq(config->start_ms, 10000);
    cr_assert_eq(config->move_ms, 1000);
    cr_assert_eq(config->bank_ms, 0);
    cr_assert_str_eq(config->sandbox, "auto");
    cr_assert(config->workers == 0 && config->tables == 0 && config->max_faults == 0);
    cr_assert_not(config->keeps_bots);
    config_free(config);
}

/* Each key with a value that is not its default; rules before the edition that they change; a BOT
 * as a map; comments wherever blanks may be; CRLF and tabs. */
static const char full_file[] =
    "// a\r\n/* b */ { /* c */ \"max_faults\" /* d */ : /* e */ 3 /* f */ , // g\r\n"
    "\t\"reuse\": true, \"tables\": 256, \"workers\": 2, \"contain\": \"sealed\",\r\n"
    "\t\"bank_ms\": 86400000, \"move_ms\": 1, \"start_ms\": 60000, \"clock\": \"wall\",\r\n"
    "\t\"schedule_seed\": 9007199254740992, \"seatings\": \"rotations\", \"matches\": 10000000,\r\n"
    "\t\"deals\": 100000, \"hero\": \"Bob\", \"format\": \"gauntlet\", \"seats\": 2,\r\n"
    "\t\"rules\": {\"rounds\": 7, \"talk\": false, \"knock\": \"off\", \"discard_return\": "
    "true,\r\n"
    "\t\t\"deck\": \"9,9,9,9,9,9,9,9,9,9,9,9,9\"}, \"edition\": \"en2020\",\r\n"
    "\t\"bots\": [ /* h */ \"al\" /* i */ , // j\r\n"
    "\t\t{\"memory_mb\": 16, \"environment\": {\"A_1\": \"x=y\", \"B\": \"\"},\r\n"
    "\t\t \"build\": \"make\\n\", \"folder\": \"../bob\", \"command\": \"./bob 'a b'\",\r\n"
    "\t\t \"name\": \"Bob\"} ],\r\n"
    "\t\"output\": \"/var/out\", \"name\": \"Caf\xc3\xa9 \\u00e9\" } // k";

Test(config, every_key_sets_its_value)
{
    struct config *config = read_good(full_file);
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020);

    rules.rounds = 7;
    rules.talk = 0;
    rules.knock = 0;
    rules.discard_return = 1;
    memset(rules.deck, 9, sizeof rules.deck);
    cr_assert_arr_eq(&config->rules, &rules, sizeof rules);
    cr_assert_str_eq(config->name, "Caf\xc3\xa9 \xc3\xa9");
    cr_assert_str_eq(config->output, "/var/out");
    cr_assert_str_eq(config->bots[1].name, "Bob");
    cr_assert_str_eq(config->bots[1].command, "./bob 'a b'");
    cr_assert_str_eq(config->bots[1].folder, "folder/../bob");
    cr_assert_str_eq(config->bots[1].build, "make\n");
    cr_assert_str_eq(config->bots[1].environment[0], "A_1=x=y");
    cr_assert_str_eq(config->bots[1].environment[1], "B=");
    cr_assert_null(config->bots[1].environment[2]);
    cr_assert_eq(config->bots[1].memory_mb, 16);
    cr_assert_eq(config->bots[1].line, 10);
    cr_assert_eq(config->schedule.format, SCHEDULE_GAUNTLET);
    cr_assert_eq(config->schedule.seatings, SCHEDULE_ROTATIONS);
    cr_assert_eq(config->schedule.seats, 2);
    cr_assert_eq(config->schedule.hero, 1);
    cr_assert_eq(config->schedule.deals, 100000);
    cr_assert_eq(config->schedule.matches, 10000000);
    cr_assert_eq(config->schedule.seed, UINT64_C(1) << 53);
    cr_assert_eq(config->clock, CLOCK_WALL);
    cr_assert_eq(config->start_ms, 60000);
    cr_assert_eq(config->move_ms, 1);
    cr_assert_eq(config->bank_ms, 86400000);
    cr_assert_str_eq(config->sandbox, "sealed");
    cr_assert(config->workers == 2 && config->tables == 256 && config->max_faults == 3);
    cr_assert(config->keeps_bots);
    config_free(config);
}

Test(config, defaults_depend_on_the_other_keys)
{
    static const struct {
        const char *file;
        unsigned seats;
        unsigned rounds;
        unsigned deals;
    } cases[] = {
        {"{\"bots\": [\"a\", \"b\"]}", 2, 0, 100},
        {"{\"bots\": [\"a\", \"b\", \"c\"], \"format\": \"swiss\"}", 3, 3, 100},
        {"{\"bots\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\"], "
         "\"format\": \"swiss\", \"seats\": 6, \"seatings\": \"rotations\"}",
         6, 3, 10},
        {"{\"bots\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\"], "
         "\"format\": \"swiss\", \"seatings\": \"all\"}",
         4, 4, 10},
        {"{\"bots\": [\"a\", \"b\"], \"format\": \"swiss\", \"rounds\": 1, \"deals\": 7}", 2, 1, 7},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct config *config = read_good(cases[i].file);

        cr_expect_eq(config->schedule.seats, cases[i].seats, "case %zu", i);
        cr_expect_eq(config->schedule.rounds, cases[i].rounds, "case %zu", i);
        cr_expect_eq(config->schedule.deals, cases[i].deals, "case %zu", i);
        config_free(config);
    }
}

Test(config, paths_begin_at_the_folder_of_the_file)
{
    static const struct {
        const char *path;
        const char *name;
        const char *folder;
        const char *output; /* with "o" in the file */
        const char *otherwise;
    } cases[] = {
        {"a.json", "a", ".", "o", "a"},
        {"/a.json", "a", "/", "/o", "/a"},
        {"/x/a.b.json", "a.b", "/x", "/x/o", "/x/a.b"},
        {"x/y/a", "a", "x/y", "x/y/o", "x/y/a-store"},
        {"../a.jsonc", "a", "..", "../o", "../a.jsonc-store"},
        {"x/.json", ".json", "x", "x/o", "x/.json-store"},
    };
    static const char with[] = "{" BOTS ", \"output\": \"o\"}";
    static const char without[] = "{" BOTS "}";
    static struct reported reported;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct config *one = config_read(with, strlen(with), cases[i].path, add_problem, &reported);
        struct config *other =
            config_read(without, strlen(without), cases[i].path, add_problem, &reported);

        cr_expect_str_eq(one->name, cases[i].name, "case %zu", i);
        cr_expect_str_eq(one->folder, cases[i].folder, "case %zu", i);
        cr_expect_str_eq(one->output, cases[i].output, "case %zu", i);
        cr_expect_str_eq(other->output, cases[i].otherwise, "case %zu", i);
        config_free(one);
        config_free(other);
    }
}

struct wrong_case {
    const char *file;
    const char *reported;
};

#define NAME_TAKES                                                                                 \
    "takes 1 to 32 letters, digits, \".\", \"-\" and \"_\", the first a letter or digit, not "

static const struct wrong_case wrong_cases[] = {
    {"[]", "1:1 the file takes a map, {\"bots\": [...]}, not a list\n"},
    {"// x\n 7", "2:2 the file takes a map, {\"bots\": [...]}, not 7\n"},
    {"{}", "1:1 bots is missing: a list of the bots that play\n"},
    {"{" BOTS ",\n \"seets\": 3}", "2:2 there is no key \"seets\"; did you mean \"seats\"?\n"},
    {"{" BOTS ",\n \"seats\": 3, \"seats\": 2}",
     "2:14 seats is given twice: it is already in line 2\n"},
    {"{" BOTS ", \"\": 0}",
     "1:27 there is no key \"\"; there are name, output, bots, edition, rules, variant, seats, "
     "format, hero, deals, matches, rounds, seatings, schedule_seed, clock, ponder, "
     "clock_scale, start_ms, "
     "move_ms, "
     "bank_ms, contain, workers, tables, reuse, luck, max_faults\n"},
    /* Values. */
    {"{" BOTS ", \"seats\": 7}", "1:36 seats takes a number from 2 to 6, not 7\n"},
    {"{" BOTS ", \"seats\": 1}", "1:36 seats takes a number from 2 to 6, not 1\n"},
    {"{" BOTS ", \"seats\": \"3\"}", "1:36 seats takes a number from 2 to 6, not \"3\"\n"},
    {"{" BOTS ", \"seats\": 3.0}", "1:36 seats takes a number from 2 to 6, not 3.0\n"},
    {"{" BOTS ", \"deals\": 0}", "1:36 deals takes a number from 1 to 100000, not 0\n"},
    {"{" BOTS ", \"deals\": -1}", "1:36 deals takes a number from 1 to 100000, not -1\n"},
    {"{" BOTS ", \"deals\": 4294967297}",
     "1:36 deals takes a number from 1 to 100000, not 4294967297\n"},
    {"{" BOTS ", \"deals\": 99999999999999999999999999999999999999999999}",
     "1:36 deals takes a number from 1 to 100000, not "
     "9999999999999999999999999999999999999999...\n"},
    {"{" BOTS ", \"deals\": 1e999}", "1:36 deals takes a number from 1 to 100000, not 1e999\n"},
    {"{" BOTS ", \"matches\": 10000001}",
     "1:38 matches takes a number from 0 to 10000000, not 10000001\n"},
    {"{" BOTS ", \"schedule_seed\": 9007199254740993}",
     "1:44 schedule_seed takes a number from 0 to 9007199254740992, not 9007199254740993\n"},
    {"{" BOTS ", \"start_ms\": 0}", "1:39 start_ms takes a number from 1 to 86400000, not 0\n"},
    {"{" BOTS ", \"move_ms\": null}", "1:38 move_ms takes a number from 1 to 86400000, not null\n"},
    {"{" BOTS ", \"bank_ms\": true}", "1:38 bank_ms takes a number from 0 to 86400000, not true\n"},
    {"{" BOTS ", \"workers\": 257}", "1:38 workers takes a number from 0 to 256, not 257\n"},
    {"{" BOTS ", \"tables\": {}}", "1:37 tables takes a number from 0 to 256, not a map\n"},
    {"{" BOTS ", \"max_faults\": []}",
     "1:41 max_faults takes a number from 0 to 10000000, not a list\n"},
    {"{" BOTS ", \"reuse\": 1}", "1:36 reuse takes true or false, not 1\n"},
    {"{" BOTS ", \"clock\": \"wal\"}",
     "1:36 clock takes \"fair\" or \"wall\", not \"wal\"; did you mean \"wall\"?\n"},
    {"{" BOTS ", \"contain\": \"jail\"}",
     "1:38 contain takes \"auto\", \"sealed\", \"guarded\" or \"none\", not \"jail\"\n"},
    {"{" BOTS ", \"format\": \"Swiss\"}",
     "1:37 format takes \"round-robin\", \"gauntlet\" or \"swiss\", not \"Swiss\"; "
     "did you mean \"swiss\"?\n"},
    {"{" BOTS ", \"format\": \"swiss\\u0000\"}",
     "1:37 format takes \"round-robin\", \"gauntlet\" or \"swiss\", not \"swiss?\"; "
     "did you mean \"swiss\"?\n"},
    {"{" BOTS ", \"name\": \"\"}",
     "1:35 name takes a text of 1 to 100 bytes, no control characters, not \"\"\n"},
    {"{" BOTS ", \"name\": \"a\\nb\"}",
     "1:35 name takes a text of 1 to 100 bytes, no control characters, not \"a?b\"\n"},
    {"{" BOTS ", \"output\": \" \"}", "1:37 output takes a path, not \" \"\n"},
    {"{" BOTS ", \"output\": \"a\\u0000\"}", "1:37 output takes a path, not \"a?\"\n"},
    /* Rules. */
    {"{" BOTS ", \"edition\": \"en2021\"}",
     "1:38 edition: there is no edition \"en2021\"; did you mean \"en2020\"?\n"},
    {"{" BOTS ", \"edition\": 2020}",
     "1:38 edition takes the name of an edition or variant, or the file of a variant, not 2020\n"},
    {"{" BOTS ", \"rules\": [\"talk=off\"]}",
     "1:36 rules takes a map of rule keys, {\"rounds\": 3}, not a list\n"},
    {"{" BOTS ", \"rules\": {\"rounds\": 500}}",
     "1:47 rules.rounds cannot be \"500\": it takes 1..100\n"},
    {"{" BOTS ", \"rules\": {\"rouns\": 5, \"talk\": 2}}",
     "1:37 rules: there is no rule key \"rouns\"; did you mean \"rounds\"?\n"
     "1:57 rules.talk cannot be \"2\": it takes off, on\n"},
    {"{" BOTS ", \"rules\": {\"talk\": null, \"starter\": true}}",
     "1:45 rules.talk takes off, on, not null\n"
     "1:62 rules.starter cannot be \"true\": it takes dealer, left\n"},
    {"{" BOTS ", \"rules\": {\"talk\": true,\n\"talk\": \"on\"}}",
     "2:1 rules.talk is given twice: it is already in line 1\n"},
    {"{" BOTS ", \"rules\": {\"deck\": \"3,3,3,3,3,3,3,3,3,3,3,3,3\"}}",
     "1:45 rules: deck has 13 cards for 3 seats, which need at least 37\n"},
    /* Bots. */
    {"{\"bots\": {}}", "1:10 bots takes a list of 2 to 1000 bots, not a map\n"},
    {"{\"bots\": []}", "1:10 bots takes a list of 2 to 1000 bots, not 0\n"},
    {"{\"bots\": [\"a\"]}", "1:10 bots takes a list of 2 to 1000 bots, not 1\n"},
    {"{\"bots\": [\"a\", 7,\n \"\"]}",
     "1:16 bots[1] takes a map with a \"command\", or a command alone as a text, not 7\n"
     "2:2 bots[2] takes a map with a \"command\", or a command alone as a text, not \"\"\n"},
    {"{\"bots\": [\"a\",\n {}]}",
     "2:2 bots[1].command is missing: the path of a program, or a command line\n"},
    {"{\"bots\": [\"x/a.py\",\n \"y/A\"]}",
     "2:2 bots[1].name is \"A\", and bots[0] in line 1 is \"a\": names must differ in "
     "more than case\n"},
    {"{\"bots\": [\"a\", {\"command\": \"b\", \"name\": \"A\"}]}",
     "1:41 bots[1].name is \"A\", and bots[0] in line 1 is \"a\": names must differ in "
     "more than case\n"},
    {"{\"bots\": [\"a\", \"./.hidden\"]}",
     "1:16 bots[1].name is missing, and none can be made from the command: it takes 1 to 32 "
     "letters, "
     "digits, \".\", \"-\" and \"_\", the first a letter or digit\n"},
    {"{\"bots\": [\"a\", {\"command\": \"b\", \"name\": \"b/c\"}]}",
     "1:41 bots[1].name " NAME_TAKES "\"b/c\"\n"},
    {"{\"bots\": [\"a\", {\"command\": \"b\", \"name\": \"..\"}]}",
     "1:41 bots[1].name " NAME_TAKES "\"..\"\n"},
    {"{\"bots\": [\"a\", {\"command\": \"b\", \"name\": \"abcdefghijklmnopqrstuvwxyz1234567\"}]}",
     "1:41 bots[1].name " NAME_TAKES "\"abcdefghijklmnopqrstuvwxyz1234567\"\n"},
    {"{\"bots\": [\"a\", {\"command\": \"b\", \"comand\": \"c\"}]}",
     "1:33 bots[1]: there is no key \"comand\"; did you mean \"command\"?\n"},
    {"{\"bots\": [\"a\", {\"command\": \"b\", \"memory_mb\": 15}]}",
     "1:46 bots[1].memory_mb takes a number from 16 to 65536, not 15\n"},
    {"{\"bots\": [\"a\", {\"command\": \"b\", \"build\": \"make\"}]}",
     "1:33 bots[1].build runs in the folder of the bot: the key \"folder\" is missing\n"},
    {"{\"bots\": [\"a\", {\"command\": \"b\", \"environment\": {\"A\": 1, \"2\": \"x\", \"A\": "
     "\"\"}}]}",
     "1:54 bots[1].environment: \"A\" takes a text, not 1\n"
     "1:57 bots[1].environment: \"2\" is not a variable name: letters, digits and _, no digit "
     "first\n"
     "1:67 bots[1].environment.A is given twice: it is already in line 1\n"},
    {"{\"bots\": [\"a\", {\"command\": \"b\", \"environment\": [\"A=1\"]}]}",
     "1:48 bots[1].environment takes a map of texts, {\"NAME\": \"value\"}, not a list\n"},
    /* Mistakes that involve several keys. */
    {"{" BOTS ", \"seats\": 4}", "1:36 seats is 4, but there are only 3 bots\n"},
    {"{" BOTS ", \"hero\": \"a\"}",
     "1:27 hero goes with the format \"gauntlet\", not with \"round-robin\"\n"},
    {"{" BOTS ", \"rounds\": 3, \"matches\": 8}",
     "1:27 rounds goes with the format \"swiss\", not with \"round-robin\"\n"},
    {"{" BOTS ", \"matches\": 8, \"format\": \"swiss\"}",
     "1:27 matches goes with the format \"round-robin\" or \"gauntlet\", not with \"swiss\"\n"},
    {"{\"hero\": \"gredy\", \"format\": \"gauntlet\", \"bots\": [\"greedy\", \"b\"]}",
     "1:10 hero takes the name of one of the bots, not \"gredy\"; did you mean \"greedy\"?\n"},
    {"{\"bots\": [\"a\", \"b\", \"c\", \"d\", \"e\"], \"seats\": 5, \"seatings\": \"all\"}",
     "1:61 seatings takes \"rotations\" or \"single\" with 5 seats: \"all\" is for 4 at most\n"},
    /* Not JSON at all. */
    {"", "1:1 there is nothing in the file\n"},
    {"\xef\xbb\xbf{}",
     "1:1 the file begins with a byte order mark: save it as UTF-8 without one\n"},
    {"{\r\n\t" BOTS "\r\n\t\"seats\": 3\r\n}",
     "3:2 expected a comma before this, or the end of the map that begins in line 1\n"},
    {"{\r\n\t" BOTS ",\r\n}", "2:25 nothing follows this comma: remove it\n"},
    {"{\"name\": \"\xe9\"}", "1:11 this byte is not UTF-8: save the file as UTF-8\n"},
    {"{\"bots\": [[[[[[[[[[[[[[[[[[[[[[[[", "1:25 lists and maps are nested too deeply here\n"},
};

Test(config, a_mistake_is_reported_with_its_place_and_what_is_allowed)
{
    static struct reported reported;

    for (size_t i = 0; i < ARRAY_LEN(wrong_cases); i++) {
        cr_expect_null(read_bytes(wrong_cases[i].file, strlen(wrong_cases[i].file), &reported),
                       "case %zu", i);
        cr_expect_str_eq(reported.text, wrong_cases[i].reported, "case %zu: %s\n%s", i,
                         wrong_cases[i].file, reported.text);
    }
}

static const char twenty_mistakes[] = "{\n"
                                      "  \"name\": 1,\n"
                                      "  \"output\": 2,\n"
                                      "  \"max_faults\": -1,\n"
                                      "  \"bots\": [\n"
                                      "    {\"name\": \"?\", \"command\": \"\"},\n"
                                      "    {\"command\": 1, \"folder\": 2, \"memory_mb\": 3},\n"
                                      "    4\n"
                                      "  ],\n"
                                      "  \"edition\": \"xx\",\n"
                                      "  \"rules\": {\"rounds\": 0, \"talk\": \"loud\"},\n"
                                      "  \"seats\": 9, \"deals\": 0, \"seats\": 3,\n"
                                      "  \"format\": \"cup\", \"clock\": \"sun\",\n"
                                      "  \"contain\": null, \"workers\": 1000,\n"
                                      "  \"reuse\": \"yes\"\n"
                                      "}\n";

Test(config, a_file_with_twenty_mistakes_reports_twenty)
{
    static const char *const places[] = {
        "2:11",  "3:13",  "4:17",  "6:14",  "6:30",  "7:17",  "7:30",  "7:46",  "8:5",   "10:14",
        "11:23", "11:34", "12:12", "12:24", "12:27", "13:13", "13:29", "14:14", "14:31", "15:12"};
    static struct reported reported;
    char *line;
    char *rest = reported.text;

    cr_assert_null(read_bytes(twenty_mistakes, strlen(twenty_mistakes), &reported));
    cr_assert_eq(reported.count, ARRAY_LEN(places), "%s", reported.text);
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        line = strsep(&rest, "\n");
        cr_expect(strncmp(line, places[i], strlen(places[i])) == 0 &&
                      line[strlen(places[i])] == ' ',
                  "%zu: %s", i, line);
    }
}

/* `count` unknown keys, one per line. */
static char *unknown_keys(unsigned count, size_t *length)
{
    char *file = calloc(count + 10, 16);

    *length = (size_t)sprintf(file, "{" BOTS);
    for (unsigned i = 0; i < count; i++)
        *length += (size_t)sprintf(file + *length, ",\n\"%u\":0", i);
    *length += (size_t)sprintf(file + *length, "}");
    return file;
}

Test(config, the_mistakes_beyond_fifty_are_counted)
{
    static const struct {
        unsigned mistakes;
        unsigned reported;
        const char *last;
    } cases[] = {
        {50, 50, NULL},
        {51, 51, NULL},
        {52, 51, "\n52:1 and 2 more mistakes from here on\n"},
        {62, 51, "\n52:1 and 12 more mistakes from here on\n"},
    };
    static struct reported reported;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t length;
        char *file = unknown_keys(cases[i].mistakes, &length);

        cr_assert_null(read_bytes(file, length, &reported));
        cr_expect_eq(reported.count, cases[i].reported, "case %zu: %u", i, reported.count);
        cr_expect((strstr(reported.text, "from here on") != NULL) == (cases[i].last != NULL));
        if (cases[i].last != NULL)
            cr_expect_str_eq(reported.text + reported.length - strlen(cases[i].last),
                             cases[i].last);
        free(file);
    }
}

static char *many_bots(unsigned count, size_t *length)
{
    char *file = calloc(count + 10, 16);

    *length = (size_t)sprintf(file, "{\"bots\": [");
    for (unsigned i = 0; i < count; i++)
        *length += (size_t)sprintf(file + *length, "%s\"b%u\"", i > 0 ? ",\n" : "", i);
    *length += (size_t)sprintf(file + *length, "]}");
    return file;
}

Test(config, a_thousand_bots_are_allowed_and_one_more_is_not)
{
    static struct reported reported;
    size_t length;
    char *file = many_bots(CONFIG_BOTS_MAX, &length);
    struct config *config = read_bytes(file, length, &reported);

    cr_assert_not_null(config);
    cr_assert_eq(config->bot_count, CONFIG_BOTS_MAX);
    cr_assert_eq(config->bots[999].line, 1000);
    config_free(config);
    free(file);
    file = many_bots(CONFIG_BOTS_MAX + 1, &length);
    cr_assert_null(read_bytes(file, length, &reported));
    cr_assert_str_eq(reported.text, "1:10 bots takes a list of 2 to 1000 bots, not 1001\n");
    free(file);
}

Test(config, nul_bytes_and_too_many_bytes_are_mistakes)
{
    static const char nul[] = "{\"bots\"\0: 1}";
    static struct reported reported;
    char *large = calloc(CONFIG_FILE_MAX + 1, 1);

    cr_assert_null(read_bytes(nul, sizeof nul - 1, &reported));
    cr_assert_str_eq(reported.text, "1:8 expected a colon between the key and its value\n");
    memset(large, ' ', CONFIG_FILE_MAX + 1);
    cr_assert_null(read_bytes(large, CONFIG_FILE_MAX + 1, &reported));
    cr_assert_str_eq(reported.text, "1:1 the file is larger than 1048576 bytes\n");
    cr_assert_null(read_bytes(large, CONFIG_FILE_MAX, &reported));
    cr_assert_str_eq(reported.text, "1:1 there is nothing in the file\n");
    free(large);
}

Test(config, a_file_that_cannot_be_read_is_reported_with_line_0)
{
    static struct reported reported;

    cr_assert_null(config_load("tests/no-such-file.json", add_problem, &reported));
    cr_assert_str_eq(reported.text, "0:0 cannot read it: No such file or directory\n");
    reported = (struct reported){.count = 0};
    cr_assert_null(config_load("tests", add_problem, &reported));
    cr_assert_str_eq(reported.text, "0:0 cannot read it: Is a directory\n");
}

Test(config, the_files_that_come_with_the_program_have_no_mistake)
{
    static struct reported reported;
    glob_t found;

    cr_assert_eq(glob("tournaments/*.json", 0, NULL, &found), 0);
    cr_assert_geq(found.gl_pathc, 4);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct config *config = config_load(found.gl_pathv[i], add_problem, &reported);

        cr_expect_not_null(config, "%s: %s", found.gl_pathv[i], reported.text);
        config_free(config);
    }
    globfree(&found);
}

/* The file that teaches every key of a round robin, and those of the other formats. */
Test(config, the_help_and_the_examples_name_every_key)
{
    static const char *const keys[] = {
        "name",     "output",        "bots",        "edition",   "rules",         "variant",
        "seats",    "format",        "hero",        "deals",     "matches",       "rounds",
        "seatings", "schedule_seed", "clock",       "start_ms",  "move_ms",       "bank_ms",
        "contain",  "workers",       "tables",      "reuse",     "max_faults",    "command",
        "folder",   "build",         "environment", "memory_mb", "  bots[].bot ", "bots[].remote"};
    static char help[CONFIG_KEYS_MAX];
    struct text text;

    text_start(&text, help, sizeof help);
    config_write_keys(&text);
    cr_assert_not(text.is_cut);
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        cr_expect_not_null(strstr(help, keys[i]), "%s", keys[i]);
    cr_assert_not_null(strstr(help,
                              "  seats               how many bots sit at a table\n"
                              "                      a number from 2 to 6; default: 4, or all "
                              "bots if they are fewer\n"));
    cr_assert_not_null(strstr(help, "a list of 2 to 1000 bots; required\n"));
}

Test(config, freeing_nothing_is_allowed)
{
    config_free(NULL);
}
