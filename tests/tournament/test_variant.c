/* Editions and variants by name and by file, and every mistake with its place. */

#include "tournament/config/variant.h"

#include "tournament/config/config.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was reported, a line for each mistake. */
struct reported {
    char text[4000];
    size_t length;
};

static void add_line(struct reported *reported, const char *place, const char *sentence)
{
    reported->length +=
        (size_t)snprintf(reported->text + reported->length,
                         sizeof reported->text - reported->length, "%s%s\n", place, sentence);
    cr_assert_lt(reported->length, sizeof reported->text);
}

static void add_problem(void *context, const char *place, const char *sentence)
{
    add_line(context, place, sentence);
}

static int read_file(const char *file, struct variant *variant, struct reported *reported)
{
    *reported = (struct reported){.length = 0};
    return variant_read_bytes(span_of(file), "x.json", variant, add_problem, reported);
}

Test(variant, a_file_has_an_edition_its_changes_and_a_name)
{
    static const struct {
        const char *file;
        const char *name;
        enum allegra_edition edition;
        const char *changes;
    } cases[] = {
        {"{\"name\": \"plain\"}", "plain", ALLEGRA_EDITION_DE2026, ""},
        {"// ours\n{\"rules\": {\"rounds\": 7, \"knock\": false}, \"name\": \"a.b-c_1\",\n"
         "/* base */ \"edition\": \"fr2020\"}",
         "a.b-c_1", ALLEGRA_EDITION_FR2020, " knock=off rounds=7"},
        {"{\"name\": \"both\", \"edition\": \"en2020-66\", \"rules\": {\"knock\": \"off\"}}",
         "both", ALLEGRA_EDITION_EN2020, " knock=off score_limit=66"},
        {"{\"name\": \"en2020-66\", \"edition\": \"en2020\", \"rules\": {\"score_limit\": 66}}",
         "en2020-66", ALLEGRA_EDITION_EN2020, " score_limit=66"},
        {"{\"name\": \"A2345678901234567890123456789012\"}", "A2345678901234567890123456789012",
         ALLEGRA_EDITION_DE2026, ""},
    };
    static struct reported reported;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char changes[RULES_CHANGES_MAX];
        struct variant variant;
        struct text text;

        cr_assert_eq(read_file(cases[i].file, &variant, &reported), 0, "%s", reported.text);
        text_start(&text, changes, sizeof changes);
        rules_write_changes(&text, &variant.rules, " ");
        cr_expect_str_eq(variant.name, cases[i].name);
        cr_expect_eq(variant.rules.edition, cases[i].edition, "case %zu", i);
        cr_expect_str_eq(changes, cases[i].changes);
    }
}

#define NAME_TAKES "takes " RULES_VARIANT_NAME_TAKES ", not "

static const struct {
    const char *file;
    const char *reported;
} wrong_cases[] = {
    {"", "x.json:1:1: there is nothing in the file\n"},
    {"[]", "x.json:1:1: the file takes a map, {\"name\": ..., \"edition\": ..., \"rules\": {...}}, "
           "not a list\n"},
    {"{}", "x.json:1:1: name is missing: what the variant is called\n"},
    {"{\"name\": \"a b\"}", "x.json:1:10: name " NAME_TAKES "\"a b\"\n"},
    {"{\"name\": 66}", "x.json:1:10: name " NAME_TAKES "66\n"},
    {"{\"name\": \"\"}", "x.json:1:10: name " NAME_TAKES "\"\"\n"},
    {"{\"name\": \"a\\u0000\"}", "x.json:1:10: name " NAME_TAKES "\"a?\"\n"},
    {"{\"name\": \"a23456789012345678901234567890123\"}",
     "x.json:1:10: name " NAME_TAKES "\"a23456789012345678901234567890123\"\n"},
    {"{\"name\": \"fr2020\"}",
     "x.json:1:10: name: an edition has this name, choose another one for the variant: "
     "\"fr2020\"\n"},
    {"{\"name\": \"de2026-66\"}", "x.json:1:10: name: a bundled variant with other rules has this "
                                  "name, choose another one: \"de2026-66\"\n"},
    {"{\"name\": \"a\",\n \"edition\": \"fr2021\"}",
     "x.json:2:13: edition: there is no edition \"fr2021\"; did you mean \"fr2020\"?\n"},
    {"{\"name\": \"a\",\n \"edition\": null}",
     "x.json:2:13: edition takes the name of an edition or of a bundled variant, not null\n"},
    {"{\"name\": \"a\",\n \"edition\": \"other.json\"}",
     "x.json:2:13: edition: here it takes a name, not a file: write what is in the file into the "
     "keys \"edition\" and \"rules\"\n"},
    {"{\"nam\": \"a\",\n \"rules\": {\"rouns\": 5,\n  \"knock\": 2}, \"seats\": 3}",
     "x.json:1:1: name is missing: what the variant is called\n"
     "x.json:1:2: there is no key \"nam\"; did you mean \"name\"?\n"
     "x.json:2:12: rules: there is no rule key \"rouns\"; did you mean \"rounds\"?\n"
     "x.json:3:12: rules.knock cannot be \"2\": it takes off, on\n"
     "x.json:3:16: there is no key \"seats\"; there are edition, rules, name\n"},
    {"{\"name\": \"a\", \"name\": \"b\"}",
     "x.json:1:15: name is given twice: it is already in line 1\n"},
    {"{\"name\": \"a\",}", "x.json:1:13: nothing follows this comma: remove it\n"},
};

Test(variant, a_mistake_is_reported_with_its_place_and_what_is_allowed)
{
    static struct reported reported;
    struct variant variant;

    for (size_t i = 0; i < ARRAY_LEN(wrong_cases); i++) {
        cr_expect_eq(read_file(wrong_cases[i].file, &variant, &reported), -1, "case %zu", i);
        cr_expect_str_eq(reported.text, wrong_cases[i].reported, "case %zu: %s\n%s", i,
                         wrong_cases[i].file, reported.text);
    }
}

Test(variant, a_word_is_a_name_or_the_path_of_a_file)
{
    static const struct {
        const char *word;
        const char *name; /* NULL: it is refused */
        const char *reported;
    } cases[] = {
        {"nl2023", "", ""},
        {"nl2023-77", "nl2023-77", ""},
        {"nl2023-78", NULL, "there is no edition \"nl2023-78\"; did you mean \"nl2023-77\"?\n"},
        {"json", NULL,
         "there is no edition \"json\"; there are de2026 en2020 nl2023 fr2020 es2020 and variants "
         "such as de2026-66\n"},
        {"none.json", NULL, "none.json: cannot read it: No such file or directory\n"},
        {"./nl2023", NULL, "./nl2023: cannot read it: No such file or directory\n"},
        {"tests/", NULL, "tests/: cannot read it: Is a directory\n"},
        {"/dev/null", NULL, "/dev/null:1:1: there is nothing in the file\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reported reported = {.length = 0};
        struct variant variant;
        int result = variant_read(cases[i].word, &variant, add_problem, &reported);

        cr_expect_eq(result, cases[i].name != NULL ? 0 : -1, "%s", cases[i].word);
        cr_expect_str_eq(reported.text, cases[i].reported);
        if (cases[i].name != NULL)
            cr_expect_str_eq(variant.name, cases[i].name);
    }
}

/* In a tournament file. */

static void add_config_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    char place[40];

    snprintf(place, sizeof place, "%u:%u ", line, column);
    add_line(context, place, sentence);
}

#define BOTS "{\"bots\": [\"a\", \"b\"], "

Test(variant, the_name_of_rules_in_a_tournament_is_only_for_these_rules)
{
    static const struct {
        const char *file;
        const char *name; /* NULL: it is refused */
    } cases[] = {
        {BOTS "\"edition\": \"en2020\"}", ""},
        {BOTS "\"edition\": \"en2020-66\"}", "en2020-66"},
        {BOTS "\"edition\": \"en2020-66\", \"rules\": {\"score_limit\": 66}}", "en2020-66"},
        {BOTS "\"rules\": {\"talk\": false}, \"edition\": \"en2020-66\"}", ""},
        {BOTS "\"variant\": \"quiet\", \"rules\": {\"talk\": false}}", "quiet"},
        {BOTS "\"variant\": \"quiet\", \"edition\": \"en2020-66\"}", "quiet"},
        {BOTS "\"variant\": \"en2020-66\", \"edition\": \"en2020\", "
              "\"rules\": {\"score_limit\": 66}}",
         "en2020-66"},
        {BOTS "\"variant\": \"en2020-66\", \"edition\": \"en2020\"}", NULL},
        {BOTS "\"variant\": \"en2020\", \"edition\": \"en2020\"}", NULL},
        {BOTS "\"variant\": \"\"}", NULL},
        {BOTS "\"edition\": \"/etc/passwd\"}", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reported reported = {.length = 0};
        struct config *config = config_read(cases[i].file, strlen(cases[i].file), "x.json",
                                            add_config_problem, &reported);

        cr_expect_eq(config != NULL, cases[i].name != NULL, "case %zu: %s", i, reported.text);
        if (config != NULL && cases[i].name != NULL)
            cr_expect_str_eq(config->variant, cases[i].name);
        config_free(config);
    }
}

static void write_file(const char *path, const char *bytes)
{
    FILE *file = fopen(path, "we");

    cr_assert_not_null(file);
    fputs(bytes, file);
    cr_assert_eq(fclose(file), 0);
}

Test(variant, a_tournament_file_finds_a_variant_beside_it_and_passes_its_mistakes_on)
{
    char folder[] = "/tmp/test-variant-XXXXXX";
    char cup[60], ours[60], expected[200];
    struct reported reported = {.length = 0};
    struct config *config;

    cr_assert_not_null(mkdtemp(folder));
    snprintf(cup, sizeof cup, "%s/cup.json", folder);
    snprintf(ours, sizeof ours, "%s/ours.json", folder);
    write_file(cup, BOTS "\n\"edition\": \"ours.json\"}");
    write_file(ours, "{\"name\": \"ours\", \"rules\": {\"rounds\": 5}}");
    config = config_load(cup, add_config_problem, &reported);
    cr_assert_not_null(config, "%s", reported.text);
    cr_expect_str_eq(config->variant, "ours");
    cr_expect_eq(config->rules.rounds, 5);
    config_free(config);
    write_file(ours, "{\"name\": \"ours\",\n\"rules\": {\"rounds\": 500}}");
    cr_expect_null(config_load(cup, add_config_problem, &reported));
    snprintf(expected, sizeof expected,
             "2:12 edition: %s:2:21: rules.rounds cannot be \"500\": it takes 1..100\n", ours);
    cr_expect_str_eq(reported.text, expected);
    remove(cup);
    remove(ours);
    remove(folder);
}
