/* The builder, the readers and the nearest word, each by a table of cases. */

#include "base/text.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

Test(text, a_new_text_is_an_empty_string)
{
    char buffer[4] = "abc";
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    cr_assert_str_eq(buffer, "");
    cr_assert_eq(text.length, 0);
    cr_assert_not(text.is_cut);
}

Test(text, pieces_are_added_one_after_the_other)
{
    char buffer[40];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    text_add(&text, "seat");
    text_add_char(&text, ' ');
    text_add_number(&text, -12);
    text_add_bytes(&text, "!?", 1);
    text_add_bytes(&text, NULL, 0);
    cr_assert_str_eq(buffer, "seat -12!");
    cr_assert_eq(text.length, strlen(buffer));
    cr_assert_not(text.is_cut);
}

Test(text, what_does_not_fit_is_left_out_and_remembered)
{
    char buffer[6] = "#####";
    struct text text;

    text_start(&text, buffer, 5);
    text_add(&text, "abcd");
    cr_assert_not(text.is_cut);
    text_add(&text, "");
    cr_assert_not(text.is_cut);
    text_add_char(&text, 'e');
    cr_assert(text.is_cut);
    cr_assert_str_eq(buffer, "abcd");
    cr_assert_eq(buffer[5], '\0', "the byte behind the buffer is untouched");

    text_start(&text, buffer, 3);
    text_add(&text, "abcd");
    cr_assert_str_eq(buffer, "ab");
    cr_assert(text.is_cut);

    text_start(&text, buffer, 1);
    text_add_number(&text, 7);
    cr_assert_str_eq(buffer, "");
    cr_assert(text.is_cut);
}

Test(text, nothing_is_written_past_the_capacity)
{
    char buffer[16];
    struct text text;

    for (size_t capacity = 1; capacity < 10; capacity++) {
        memset(buffer, '#', sizeof buffer);
        text_start(&text, buffer, capacity);
        text_add(&text, "abc");
        text_add_number(&text, -12345);
        cr_assert_eq(strlen(buffer), text.length);
        cr_assert_lt(text.length, capacity);
        for (size_t i = capacity; i < sizeof buffer; i++)
            cr_assert_eq(buffer[i], '#', "capacity %zu, byte %zu", capacity, i);
    }
}

Test(text, every_long_is_written_in_decimal)
{
    static const long numbers[] = {0, 1, -1, 9, 10, -10, 1234567890, LONG_MAX, LONG_MIN};
    char buffer[40], expected[40];
    struct text text;

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        snprintf(expected, sizeof expected, "%ld", numbers[i]);
        text_start(&text, buffer, sizeof buffer);
        text_add_number(&text, numbers[i]);
        cr_assert_str_eq(buffer, expected);
    }
}

static const struct decimal_case {
    double value;
    unsigned digits;
    const char *expected; /* NULL: refused */
} decimal_cases[] = {
    {0, 0, "0"},
    {0, 2, "0.00"},
    {1.5, 0, "2"},
    {-1.5, 0, "-2"},
    {-0.4, 0, "0"},
    {-0.004, 2, "0.00"},
    {-0.006, 2, "-0.01"},
    {12.345, 1, "12.3"},
    {0.0625, 4, "0.0625"},
    {9.999, 2, "10.00"},
    {1234567, 3, "1234567.000"},
    {999999999, 9, "999999999.000000000"},
    {1e9, 9, NULL},
    {1e17, 0, "100000000000000000"},
    {1e18, 0, NULL},
    {-1e300, 2, NULL},
    {INFINITY, 1, NULL},
    {-INFINITY, 1, NULL},
    {NAN, 3, NULL},
};

Test(text, decimals_have_a_point_and_as_many_digits_as_wanted)
{
    char buffer[40];
    struct text text;

    for (size_t i = 0; i < ARRAY_LEN(decimal_cases); i++) {
        const struct decimal_case *each = &decimal_cases[i];
        bool is_written;

        text_start(&text, buffer, sizeof buffer);
        is_written = text_add_decimal(&text, each->value, each->digits);
        cr_assert_eq(is_written, each->expected != NULL, "case %zu", i);
        cr_assert_str_eq(buffer, is_written ? each->expected : "", "case %zu", i);
    }
}

Test(span, a_span_is_a_word_only_if_all_of_it_is)
{
    cr_assert(span_is(span_of("draw"), "draw"));
    cr_assert(span_is((struct span){"drawer", 4}, "draw"));
    cr_assert(span_is((struct span){NULL, 0}, ""));
    cr_assert_not(span_is(span_of("draw"), "dra"));
    cr_assert_not(span_is(span_of("draw"), "drawn"));
    cr_assert_not(span_is(span_of("draw"), "DRAW"));
    cr_assert_not(span_is((struct span){NULL, 0}, "draw"));
}

Test(span, cutting_gives_every_piece_between_separators)
{
    static const char *const pieces[] = {"a", "", "bc", ""};
    struct span rest = span_of("a,,bc,");

    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        cr_assert_not_null(rest.start);
        cr_assert(span_is(span_cut(&rest, ','), pieces[i]), "piece %zu", i);
    }
    cr_assert_null(rest.start);
    cr_assert_eq(span_cut(&rest, ',').length, 0);
    cr_assert_null(rest.start);
}

Test(span, words_are_cut_without_the_blanks_around_them)
{
    static const char *const words[] = {"keep", "A1", "x", ""};
    struct span rest = span_of(" \tkeep  A1\r\n x \n");

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        cr_assert(span_is(span_cut_word(&rest), words[i]), "word %zu", i);
    cr_assert_eq(rest.length, 0);
    rest = (struct span){NULL, 0};
    cr_assert_eq(span_cut_word(&rest).length, 0);
}

Test(span, a_cut_never_looks_past_the_end)
{
    struct span rest = {"ab cd,ef", 4};

    cr_assert(span_is(span_cut_word(&rest), "ab"));
    cr_assert(span_is(span_cut_word(&rest), "c"));
    rest = (struct span){"ab cd,ef", 4};
    cr_assert(span_is(span_cut(&rest, ','), "ab c"));
    cr_assert_null(rest.start);
}

struct number_case {
    char words[32];
    long least, most;
    bool is_number;
    long number;
};

static const struct number_case number_cases[] = {
    {"0", -5, 5, true, 0},
    {"7", 0, 10, true, 7},
    {"-7", -10, 10, true, -7},
    {"10", 0, 10, true, 10},
    {"11", 0, 10, false, 0},
    {"-1", 0, 10, false, 0},
    {"-10", -10, -10, true, -10},
    {"", 0, 10, false, 0},
    {"-", -10, 10, false, 0},
    {"--1", -10, 10, false, 0},
    {"+1", 0, 10, false, 0},
    {"01", 0, 10, false, 0},
    {"00", 0, 10, false, 0},
    {"-0", -10, 10, false, 0},
    {"-01", -10, 10, false, 0},
    {" 1", 0, 10, false, 0},
    {"1 ", 0, 10, false, 0},
    {"1x", 0, 10, false, 0},
    {"0x1", 0, 10, false, 0},
    {"1.5", 0, 10, false, 0},
    {"9223372036854775807", LONG_MIN, LONG_MAX, true, LONG_MAX},
    {"-9223372036854775808", LONG_MIN, LONG_MAX, true, LONG_MIN},
    {"9223372036854775808", LONG_MIN, LONG_MAX, false, 0},
    {"-9223372036854775809", LONG_MIN, LONG_MAX, false, 0},
    {"92233720368547758070", LONG_MIN, LONG_MAX, false, 0},
    {"18446744073709551617", LONG_MIN, LONG_MAX, false, 0},
};

Test(span, a_number_is_read_only_in_its_one_form_and_its_limits)
{
    for (size_t i = 0; i < ARRAY_LEN(number_cases); i++) {
        const struct number_case *test = &number_cases[i];
        long number = 4711;
        int status = span_read_number(span_of(test->words), test->least, test->most, &number);

        cr_assert_eq(status, test->is_number ? 0 : -1, "case %zu: %s", i, test->words);
        cr_assert_eq(number, test->is_number ? test->number : 4711, "case %zu: %s", i, test->words);
    }
}

Test(span, a_number_ends_where_its_span_ends)
{
    long number = 0;

    cr_assert_eq(span_read_number((struct span){"1234", 2}, 0, 9999, &number), 0);
    cr_assert_eq(number, 12);
    cr_assert_eq(span_read_number((struct span){NULL, 0}, 0, 9999, &number), -1);
}

struct distance_case {
    char one[16], other[16];
    size_t distance;
};

static const struct distance_case distance_cases[] = {
    {"", "", 0},           {"rules", "rules", 0},         {"", "abc", 3},
    {"rules", "rule", 1},  {"rules", "rulers", 1},        {"rules", "rulez", 1},
    {"rules", "ruels", 2}, {"kitten", "sitting", 3},      {"saturday", "sunday", 3},
    {"abc", "xyz", 3},     {"intention", "execution", 5},
};

Test(text, the_distance_counts_single_character_changes_both_ways)
{
    for (size_t i = 0; i < ARRAY_LEN(distance_cases); i++) {
        struct span one = span_of(distance_cases[i].one);
        struct span other = span_of(distance_cases[i].other);

        cr_assert_eq(text_distance(one, other), distance_cases[i].distance, "case %zu", i);
        cr_assert_eq(text_distance(other, one), distance_cases[i].distance, "case %zu", i);
    }
}

Test(text, words_over_63_characters_are_as_far_apart_as_the_longer_is_long)
{
    char word[100];

    memset(word, 'w', sizeof word);
    cr_assert_eq(text_distance((struct span){word, 63}, (struct span){word, 63}), 0);
    cr_assert_eq(text_distance((struct span){word, 0}, (struct span){word, 63}), 63);
    cr_assert_eq(text_distance((struct span){word, 64}, (struct span){word, 64}), 64);
    cr_assert_eq(text_distance((struct span){word, 64}, (struct span){word, 3}), 64);
    cr_assert_eq(text_distance((struct span){word, 3}, (struct span){word, 64}), 64);
}

struct nearest_case {
    char word[80];
    char nearest[16];
};

static const char *const nearest_names[] = {"rules", "replay", "play", "ask", "rulers"};

static const struct nearest_case nearest_cases[] = {
    {"rules", "rules"},
    {"ruels", "rules"},
    {"plya", "play"},
    {"repaly", "replay"},
    {"rulrs", "rules"},
    {"sk", "ask"},
    {"as", "ask"},
    {"xyzzy", ""},
    {"", ""},
    {"axx", ""},
    {"pxxy", "play"},
    {"pxxxy", ""},
    {"rulesrulesrulesrulesrulesrulesrulesrulesrulesrulesrulesrulesrules", ""},
};

Test(text, the_nearest_name_is_found_unless_all_are_too_far)
{
    for (size_t i = 0; i < ARRAY_LEN(nearest_cases); i++) {
        const char *nearest =
            text_nearest(span_of(nearest_cases[i].word), nearest_names, ARRAY_LEN(nearest_names));

        if (nearest_cases[i].nearest[0] == '\0')
            cr_assert_null(nearest, "case %zu: %s", i, nearest_cases[i].word);
        else
            cr_assert_str_eq(nearest, nearest_cases[i].nearest, "case %zu", i);
    }
    cr_assert_null(text_nearest(span_of("rules"), nearest_names, 0));
}

Test(text, printf_appends_to_what_is_there)
{
    char buffer[32];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    text_add(&text, "seat ");
    text_printf(&text, "%u of %s", 3U, "six");
    cr_assert_str_eq(buffer, "seat 3 of six");
    cr_assert_eq(text.length, strlen(buffer));
    cr_assert_not(text.is_cut);
}

Test(text, printf_cuts_at_the_capacity_and_remembers_it)
{
    char buffer[9] = "........";
    struct text text;

    text_start(&text, buffer, 8);
    text_printf(&text, "%s", "1234567");
    cr_assert_not(text.is_cut);
    text_printf(&text, "%d", 8);
    cr_assert(text.is_cut);
    cr_assert_str_eq(buffer, "1234567");
    cr_assert_eq(text.length, 7U);
    cr_assert_eq(buffer[8], '\0', "nothing is written past the capacity");
}
