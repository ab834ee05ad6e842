/* Command lines are read into the settings of a command, as its table says. */

#include "cli/cli.h"
#include "cli/options_match.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    bool is_json;
    const char *log_path;
    char *seed;
    unsigned seats;
    long at;
    double margin;
    const char *field[3];
    struct options_match match;
};

static const struct option_row rows[] = {
    {"--json", NULL, "", OPTION_FLAG(struct settings, is_json)},
    {"--log", "FILE", "", OPTION_TEXT(struct settings, log_path)},
    {"--seed", "TEXT", "", OPTION_SECRET(struct settings, seed)},
    {"--seats", "N", "", OPTION_NUMBER(struct settings, seats, 2, 6)},
    {"--at", "N", "", OPTION_NUMBER(struct settings, at, -5, 1000000000000)},
    {"--margin", "POINTS", "", OPTION_DECIMAL(struct settings, margin)},
    {"--field", "BOT", "", OPTION_LIST(struct settings, field, 2)},
    {OPTIONS_MATCH(struct settings, match)},
    {.name = NULL},
};

static const struct options options = {
    .command = "test",
    .usage = "[OPTION...] A [B]",
    .purpose = "",
    .rows = rows,
    .takes = "A and at most one B",
    .least = 1,
    .most = 2,
};

/* Reads a line of words with one space between them; argv points into it. */
static int read_line(char *line, char *argv[20], struct settings *settings, int *code)
{
    int argc = 0;

    *settings = (struct settings){.match = options_match_default()};
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    return options_read(&options, argc, argv, settings, code);
}

Test(options, each_kind_of_value_reaches_its_destination)
{
    char line[] = "test --json a --log=x=y --seats 6 --at -5 --margin 0.5 --field p --field q";
    char *argv[20];
    struct settings settings;
    int code;

    cr_assert_eq(read_line(line, argv, &settings, &code), 1);
    cr_assert_eq(code, CLI_FINE);
    cr_assert(settings.is_json);
    cr_assert_str_eq(settings.log_path, "x=y");
    cr_assert_eq(settings.seats, 6);
    cr_assert_eq(settings.at, -5);
    cr_assert_eq(settings.margin, 0.5);
    cr_assert_str_eq(settings.field[0], "p");
    cr_assert_str_eq(settings.field[1], "q");
    cr_assert_null(settings.field[2]);
}

Test(options, a_group_fills_the_member_that_it_belongs_to)
{
    char line[] = "test --edition en2020 --rounds 2 --bank-ms 7 --clock wall a";
    char *argv[20];
    struct settings settings;
    int code;

    cr_assert_eq(read_line(line, argv, &settings, &code), 1);
    cr_assert_eq(settings.match.game.rules.edition, ALLEGRA_EDITION_EN2020);
    cr_assert_eq(settings.match.game.rules.rounds, 2);
    cr_assert_eq(settings.match.bank_ms, 7);
    cr_assert_eq(settings.match.clock, CLOCK_WALL);
}

Test(options, the_name_of_a_variant_is_only_for_its_own_rules)
{
    static const char *const lines[][2] = {
        {"test a", ""},
        {"test a --edition en2020", ""},
        {"test a --edition en2020-66", "en2020-66"},
        {"test a --edition en2020-66 --set score_limit=66", "en2020-66"},
        {"test a --edition en2020-66 --set knock=off", ""},
        {"test a --edition en2020-66 --set knock=off --variant own", "own"},
        {"test a --edition en2020-66 --variant own", "own"},
        {"test a --edition en2020 --set score_limit=66 --variant en2020-66", "en2020-66"},
    };

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        char line[100], *argv[20];
        struct settings settings;
        int code;

        strcpy(line, lines[i][0]);
        cr_assert_eq(read_line(line, argv, &settings, &code), 1, "%s", lines[i][0]);
        cr_expect_str_eq(settings.match.game.variant, lines[i][1]);
    }
}

Test(options, arguments_move_to_the_front_with_null_behind_them)
{
    char line[] = "test --json a --seats 2 -- --json";
    char *argv[20];
    struct settings settings;
    int code;

    cr_assert_eq(read_line(line, argv, &settings, &code), 2);
    cr_assert_str_eq(argv[1], "a");
    cr_assert_str_eq(argv[2], "--json");
    cr_assert_null(argv[3]);
}

Test(options, a_secret_is_erased_in_the_list_of_processes)
{
    char line[] = "test a --seed=first --seed second";
    char *argv[20];
    struct settings settings;
    int code;

    cr_assert_eq(read_line(line, argv, &settings, &code), 1);
    cr_assert_str_eq(settings.seed, "second");
    cr_assert_str_eq(line + strlen("test") + 1, "a");
    cr_assert_null(strstr(line + 7, "first"));
    cr_assert_str_eq(line + sizeof line - 1 - strlen("second"), "      ");
    free(settings.seed);
}

Test(options, a_wrong_command_line_is_a_usage_error)
{
    static const char *const lines[] = {
        "test",
        "test a b c",
        "test a --seats 1",
        "test a --seats 7",
        "test a --seats x",
        "test a --margin nan",
        "test a --margin 1x",
        "test a --field 1 --field 2 --field 3",
        "test a --clock sand",
        "test a --json=yes",
        "test a --log",
        "test a --log --json",
        "test a --nothing",
        "test a -s",
        "test -seats 3 a",
        "test a --rounds 2 --edition en2020",
        "test a --edition en2020 --edition en2020",
        "test a --variant own --edition en2020",
        "test a --variant own --set knock=off",
        "test a --variant en2020",
        "test a --variant en2020-66",
        "test a --variant /own",
        "test a --edition en2020-67",
        "test a --edition none.json",
    };

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        char line[100], *argv[20];
        struct settings settings;
        int code;

        strcpy(line, lines[i]);
        cr_assert_eq(read_line(line, argv, &settings, &code), -1, "%s", lines[i]);
        cr_assert_eq(code, CLI_USAGE, "%s", lines[i]);
    }
}
