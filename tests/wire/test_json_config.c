/* Documents that people write: where values stand, and what is said about those that cannot be
 * read. */

#include "wire/json_read.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define SOURCE(literal)                                                                            \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

struct fault_case {
    struct span source;
    unsigned line;
    unsigned column;
    const char *sentence;
};

static const char value_expected[] =
    "expected a value: a text in double quotes, a number, true, false, null, a list or a map";
static const char backslash[] = "after a backslash comes one of \" \\ / b f n r t, or u and four "
                                "hexadecimal digits; a backslash itself is \\\\";
static const char control[] =
    "write a control character in a text as \\t, \\n or \\u and four digits";
static const char no_quote[] = "this text has no closing quote on its line";
static const char no_utf8[] = "this byte is not UTF-8: save the file as UTF-8";
static const char no_key[] = "expected a key in double quotes";
static const char no_colon[] = "expected a colon between the key and its value";
static const char take_away[] = "nothing follows this comma: remove it";
static const char no_digit[] = "this number is not complete: a digit is missing";
static const char open_comment[] = "this comment has no end: */ is missing";
static const char too_deep[] = "lists and maps are nested too deeply here";
static const char behind[] = "this comes after the end of the document";

static const struct fault_case fault_cases[] = {
    {SOURCE(""), 1, 1, "there is nothing in the file"},
    {SOURCE(" \n\t// only a comment"), 1, 1, "there is nothing in the file"},
    {SOURCE("\xef\xbb\xbf{}"), 1, 1,
     "the file begins with a byte order mark: save it as UTF-8 without one"},
    {SOURCE("\xff\xfe{\0}\0"), 1, 1, "the file is UTF-16: save it as UTF-8"},
    {SOURCE("{\n  \"a\": [1, 2\n"), 3, 1,
     "the file ends here, but the list that begins in line 2 does not"},
    {SOURCE("{\"a\""), 1, 5, "the file ends here, but the map that begins in line 1 does not"},
    {SOURCE("{\"a\":"), 1, 6, "the file ends here, but the map that begins in line 1 does not"},
    {SOURCE("{"), 1, 2, "the file ends here, but the map that begins in line 1 does not"},
    {SOURCE("{\"a\": 1,"), 1, 9, "the file ends here, but the map that begins in line 1 does not"},
    {SOURCE("{\"a\": 1\n \"b\": 2}"), 2, 2,
     "expected a comma before this, or the end of the map that begins in line 1"},
    {SOURCE("\n[1 // one\n 2]"), 3, 2,
     "expected a comma before this, or the end of the list that begins in line 2"},
    {SOURCE("[true1]"), 1, 6,
     "expected a comma before this, or the end of the list that begins in line 1"},
    {SOURCE("[1\0]"), 1, 3,
     "expected a comma before this, or the end of the list that begins in line 1"},
    {SOURCE("[[1], 2}"), 1, 8, "the list that begins in line 1 ends with ], not with }"},
    {SOURCE("{\"a\": {\"b\": 1]"), 1, 14, "the map that begins in line 1 ends with }, not with ]"},
    {SOURCE("[}"), 1, 2, "the list that begins in line 1 ends with ], not with }"},
    {SOURCE("{]"), 1, 2, no_key},
    {SOURCE("[1, 2, // last\n]"), 1, 6, take_away},
    {SOURCE("{\"a\": 1 ,\r\n}"), 1, 9, take_away},
    {SOURCE("[1,,2]"), 1, 4, "there is an extra comma"},
    {SOURCE("[,1]"), 1, 2, "there is an extra comma"},
    {SOURCE("{a: 1}"), 1, 2, no_key},
    {SOURCE("{'a': 1}"), 1, 2, no_key},
    {SOURCE("{1: 1}"), 1, 2, no_key},
    {SOURCE("{\"a\" 1}"), 1, 6, no_colon},
    {SOURCE("{\"a\", 1}"), 1, 5, no_colon},
    {SOURCE("{\"a\": }"), 1, 7, "the key before this has no value"},
    {SOURCE("['a']"), 1, 2, "texts are written in double quotes"},
    {SOURCE("[True]"), 1, 2, value_expected},
    {SOURCE("[tru]"), 1, 2, value_expected},
    {SOURCE("tru"), 1, 1, value_expected},
    {SOURCE("[\0]"), 1, 2, value_expected},
    {SOURCE("[\xc3\xa9]"), 1, 2, value_expected},
    {SOURCE("[+1]"), 1, 2, "a number has no plus sign"},
    {SOURCE("[01]"), 1, 3, "a number has no leading zeros"},
    {SOURCE("[-]"), 1, 2, no_digit},
    {SOURCE("[3, 1.]"), 1, 5, no_digit},
    {SOURCE("[1e+]"), 1, 2, no_digit},
    {SOURCE("[.5]"), 1, 2, value_expected},
    {SOURCE("[\"\xc3\xa9\", \"open]\n]"), 1, 7, no_quote},
    {SOURCE("[\"open\r\n"), 1, 2, no_quote},
    {SOURCE("\"open"), 1, 1, no_quote},
    {SOURCE("[\"a\tb\"]"), 1, 4, control},
    {SOURCE("[\"a\0b\"]"), 1, 4, control},
    {SOURCE("[\"C:\\path\"]"), 1, 5, backslash},
    {SOURCE("[\"\\u12g4\"]"), 1, 3, backslash},
    {SOURCE("[\"\xc3\xa9\xff\"]"), 1, 4, no_utf8},
    {SOURCE("[\"\xc0\xaf\"]"), 1, 3, no_utf8},
    {SOURCE("{\"\xed\xa0\x80\": 1}"), 1, 3, no_utf8},
    {SOURCE("{\"a\\u0000\": 1}"), 1, 2, "a key cannot hold \\u0000"},
    {SOURCE("[1 /* open ]"), 1, 4, open_comment},
    {SOURCE("{} /*/"), 1, 4, open_comment},
    {SOURCE("{\"a\" /* open"), 1, 6, open_comment},
    {SOURCE("/[]"), 1, 1, "a comment begins with // or with /*"},
    {SOURCE("[1, # two\n2]"), 1, 5, value_expected},
    {SOURCE("{} {}"), 1, 4, behind},
    {SOURCE("1 2"), 1, 3, behind},
    {SOURCE("[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]"), 1, 17, too_deep},
};

Test(json_config, a_fault_is_reported_with_its_place)
{
    struct json_document *document = json_document_new();

    for (size_t i = 0; i < ARRAY_LEN(fault_cases); i++) {
        const struct fault_case *one = &fault_cases[i];
        struct json_place place;
        struct text problem;
        char words[300];
        size_t at = 0;

        text_start(&problem, words, sizeof words);
        cr_expect_null(json_read_commented(document, one->source, &at, &problem), "case %zu", i);
        cr_expect_str_eq(words, one->sentence, "case %zu: %s", i, words);
        place = json_place_at(one->source, at);
        cr_expect(place.line == one->line && place.column == one->column, "case %zu: %u:%u", i,
                  place.line, place.column);
    }
    json_document_free(document);
}

/* All values in the order of the document, each with where it stands: "KEY@2:3=" for its key,
 * then its kind as a letter, and "@2:8". */
static void list_places(struct span source, struct text *text)
{
    struct json_document *document = json_document_new();
    struct text problem;
    char words[300];
    size_t at = 0;
    const struct json_node *root;

    text_start(&problem, words, sizeof words);
    root = json_read_commented(document, source, &at, &problem);
    cr_assert_not_null(root, "%s", words);
    for (unsigned i = 0; i < root->size; i++) {
        struct json_place value = json_place_at(source, root[i].at);
        struct json_place key = json_place_at(source, root[i].key_at);
        char one[100];

        snprintf(one, sizeof one, "%s%c@%u:%u", i > 0 ? " " : "", "nbitlmf"[root[i].kind],
                 value.line, value.column);
        if (root[i].key != NULL)
            snprintf(one, sizeof one, " %s@%u:%u=%c@%u:%u", root[i].key, key.line, key.column,
                     "nbitlmf"[root[i].kind], value.line, value.column);
        text_add(text, one);
    }
    json_document_free(document);
}

struct place_case {
    struct span source;
    const char *places;
};

static const struct place_case place_cases[] = {
    {SOURCE("12"), "i@1:1"},
    {SOURCE("  12"), "i@1:3"},
    {SOURCE("-1.5e3 "), "f@1:1"},
    {SOURCE("true"), "b@1:1"},
    {SOURCE("\"a\""), "t@1:1"},
    {SOURCE("[] // end"), "l@1:1"},
    {SOURCE("// c\r\n/* [ \n ] */ [null,/**/true , [ ],{}]"), "l@3:7 n@3:8 b@3:17 l@3:24 m@3:28"},
    {SOURCE("{\n\t\"a\": 1,\r\n\t\"b\" /* : , */ : // x\n [ \"x\" ] }"),
     "m@1:1 a@2:2=i@2:7 b@3:2=l@4:2 t@4:4"},
    {SOURCE("[\"a\\\"b\\\\\", \"\\u00e9 // \", \"\xc3\xa9\xf0\x9f\x83\x8f\", 1]"),
     "l@1:1 t@1:2 t@1:12 t@1:26 i@1:32"},
    {SOURCE("{\"a\":{\"a\":{}},\"a\":1}"), "m@1:1 a@1:2=m@1:6 a@1:7=m@1:11 a@1:15=i@1:19"},
    {SOURCE("[9223372036854775807,9223372036854775808,-9223372036854775808,-0,1e0]"),
     "l@1:1 i@1:2 f@1:22 i@1:42 i@1:63 f@1:66"},
};

Test(json_config, every_value_and_key_has_its_place)
{
    for (size_t i = 0; i < ARRAY_LEN(place_cases); i++) {
        struct text text;
        char places[300];

        text_start(&text, places, sizeof places);
        list_places(place_cases[i].source, &text);
        cr_expect_str_eq(places, place_cases[i].places, "case %zu: %s", i, places);
    }
}

Test(json_config, values_are_as_they_were_written)
{
    static const struct span source =
        SOURCE("[1.50, 12345678901234567890, 7, \"a\\u0000b\", \"\\u00e9\", true, 99e99]");
    static const char *const texts[] = {"1.50", "12345678901234567890", "7", "a", "\xc3\xa9", NULL,
                                        "99e99"};
    struct json_document *document = json_document_new();
    struct text problem;
    char words[300];
    size_t at = 0;
    const struct json_node *root;

    text_start(&problem, words, sizeof words);
    root = json_read_commented(document, source, &at, &problem);
    cr_assert_not_null(root);
    cr_assert_eq(root->size, 8);
    for (unsigned i = 0; i < 7; i++) {
        if (texts[i] != NULL)
            cr_expect_str_eq(root[i + 1].text, texts[i], "value %u", i);
        else
            cr_expect_null(root[i + 1].text);
    }
    cr_assert_eq(root[3].number, 7);
    cr_assert_eq(root[4].length, 3);
    cr_assert_eq(root[6].number, 1);
    json_document_free(document);
}

Test(json_config, lines_of_logs_have_neither_comments_nor_fractions)
{
    static const char *const lines[] = {"{} // no", "[1.5]", "[12345678901234567890]"};
    struct json_document *document = json_document_new();
    struct text problem;
    char words[300];

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        text_start(&problem, words, sizeof words);
        cr_expect_null(json_read(document, lines[i], strlen(lines[i]), &problem), "line %zu", i);
        cr_expect_gt(problem.length, 0);
    }
    json_document_free(document);
}
