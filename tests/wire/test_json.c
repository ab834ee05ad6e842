/* Documents as they come out, and strings of all kinds of bytes. */

#include "wire/json_write.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static void assert_written(struct json_writer *writer, const char *expected)
{
    size_t length = 0;
    const char *bytes = json_writer_bytes(writer, &length);

    cr_assert_str_eq(bytes, expected);
    cr_assert_eq(length, strlen(expected));
}

static void write_document(struct json_writer *writer)
{
    json_open_map(writer);
    json_key(writer, "seats");
    json_open_list(writer);
    json_number(writer, LLONG_MIN);
    json_number(writer, 12);
    json_close_list(writer);
    json_key(writer, "is_over");
    json_flag(writer, true);
    json_key(writer, "seed");
    json_null(writer);
    json_key(writer, "name");
    json_text(writer, "a/b");
    json_close_map(writer);
}

Test(json, a_document_is_one_line_without_an_end)
{
    struct json_writer *writer = json_writer_new(false);

    write_document(writer);
    assert_written(writer, "{\"seats\":[-9223372036854775808,12],\"is_over\":true,\"seed\":null,"
                           "\"name\":\"a/b\"}");
    json_writer_free(writer);
}

Test(json, a_pretty_document_is_indented_and_ends_its_line)
{
    struct json_writer *writer = json_writer_new(true);

    json_open_map(writer);
    json_key(writer, "list");
    json_open_list(writer);
    json_flag(writer, false);
    json_close_list(writer);
    json_close_map(writer);
    assert_written(writer, "{\n    \"list\": [\n        false\n    ]\n}\n");
    json_writer_free(writer);
}

Test(json, a_cleared_writer_starts_over_even_in_the_middle)
{
    struct json_writer *writer = json_writer_new(false);

    assert_written(writer, "");
    json_open_map(writer);
    json_key(writer, "half");
    json_writer_clear(writer);
    assert_written(writer, "");
    for (int i = 0; i < 3; i++) {
        json_number(writer, i);
        json_writer_clear(writer);
    }
    json_text(writer, "new");
    assert_written(writer, "\"new\"");
    json_writer_free(writer);
}

Test(json, freeing_nothing_is_allowed)
{
    json_writer_free(NULL);
}

struct text_case {
    char bytes[16];
    size_t length;
    char expected[48];
};

#define BYTES(literal) literal, sizeof(literal) - 1

static const struct text_case text_cases[] = {
    {BYTES(""), "\"\""},
    {BYTES("plain"), "\"plain\""},
    {BYTES("a\"b\\c"), "\"a\\\"b\\\\c\""},
    {BYTES("a\nb\tc\r"), "\"a\\nb\\tc\\r\""},
    {BYTES("a\0b"), "\"a\\u0000b\""},
    {BYTES("\x01\x1f\x7f"), "\"\\u0001\\u001F\x7f\""},
    {BYTES("\xc3\xa9"), "\"\xc3\xa9\""},
    {BYTES("\xe2\x82\xac"), "\"\xe2\x82\xac\""},
    {BYTES("\xf0\x9f\x83\x8f"), "\"\xf0\x9f\x83\x8f\""},
    {BYTES("\xff"), "\"\xc3\xbf\""},
    {BYTES("\x80 \xbf"), "\"\xc2\x80 \xc2\xbf\""},
    {BYTES("a\xe9z"), "\"a\xc3\xa9z\""},
    {BYTES("\xc3"), "\"\xc3\x83\""},
    {BYTES("\xe2\x82"), "\"\xc3\xa2\xc2\x82\""},
    {"\xe2\x82\xac", 2, "\"\xc3\xa2\xc2\x82\""},
    {BYTES("\xe2\x82x"), "\"\xc3\xa2\xc2\x82x\""},
    {BYTES("\xf0\x9f\x83"), "\"\xc3\xb0\xc2\x9f\xc2\x83\""},
    {BYTES("\xc0\xaf"), "\"\xc3\x80\xc2\xaf\""},
    {BYTES("\xc1\xbf"), "\"\xc3\x81\xc2\xbf\""},
    {BYTES("\xe0\x9f\xbf"), "\"\xc3\xa0\xc2\x9f\xc2\xbf\""},
    {BYTES("\xe0\xa0\x80"), "\"\xe0\xa0\x80\""},
    {BYTES("\xed\x9f\xbf"), "\"\xed\x9f\xbf\""},
    {BYTES("\xed\xa0\x80"), "\"\xc3\xad\xc2\xa0\xc2\x80\""},
    {BYTES("\xee\x80\x80"), "\"\xee\x80\x80\""},
    {BYTES("\xf0\x8f\xbf\xbf"), "\"\xc3\xb0\xc2\x8f\xc2\xbf\xc2\xbf\""},
    {BYTES("\xf4\x8f\xbf\xbf"), "\"\xf4\x8f\xbf\xbf\""},
    {BYTES("\xf4\x90\x80\x80"), "\"\xc3\xb4\xc2\x90\xc2\x80\xc2\x80\""},
    {BYTES("\xf5\x80\x80\x80"), "\"\xc3\xb5\xc2\x80\xc2\x80\xc2\x80\""},
    {BYTES("\xff\xc3\xa9\""), "\"\xc3\xbf\xc3\xa9\\\"\""},
};

Test(json, any_bytes_become_a_valid_string)
{
    struct json_writer *writer = json_writer_new(false);

    for (size_t i = 0; i < ARRAY_LEN(text_cases); i++) {
        const char *bytes;
        size_t length = 0;

        json_writer_clear(writer);
        json_text_bytes(writer, text_cases[i].bytes, text_cases[i].length);
        bytes = json_writer_bytes(writer, &length);
        cr_assert_str_eq(bytes, text_cases[i].expected, "case %zu", i);
    }
    json_writer_free(writer);
}

Test(json, decimals_are_written_with_a_point_or_as_null)
{
    struct json_writer *writer = json_writer_new(false);

    json_open_list(writer);
    json_decimal(writer, -12.345, 2);
    json_decimal(writer, 0.5, 3);
    json_decimal(writer, 7, 0);
    json_decimal(writer, NAN, 2);
    json_decimal(writer, -INFINITY, 2);
    json_close_list(writer);
    assert_written(writer, "[-12.35,0.500,7,null,null]");
    json_writer_free(writer);
}

Test(json, a_decimal_without_a_key_is_fatal, .exit_code = 70)
{
    struct json_writer *writer = json_writer_new(false);

    json_open_map(writer);
    json_decimal(writer, 1, 1);
}

Test(json, sixty_four_levels_are_allowed)
{
    struct json_writer *writer = json_writer_new(false);

    for (int i = 0; i < 64; i++)
        json_open_list(writer);
    for (int i = 0; i < 64; i++)
        json_close_list(writer);
    json_writer_free(writer);
}

/* One letter a call: m opens a map and M closes it, l a list, k is a key, t a text. */
static void write_steps(struct json_writer *writer, const char *steps)
{
    for (; *steps != '\0'; steps++)
        switch (*steps) {
        case 'm':
            json_open_map(writer);
            break;
        case 'M':
            json_close_map(writer);
            break;
        case 'l':
            json_open_list(writer);
            break;
        case 'L':
            json_close_list(writer);
            break;
        case 'k':
            json_key(writer, "key");
            break;
        case 't':
            json_text(writer, "text");
            break;
        default:
            json_number(writer, 1);
            break;
        }
}

static void write_wrongly(const char *steps)
{
    struct json_writer *writer = json_writer_new(false);

    write_steps(writer, steps);
    json_writer_free(writer);
}

Test(json, a_value_without_a_key_is_fatal, .exit_code = 70)
{
    write_wrongly("m1");
}

Test(json, a_text_without_a_key_is_fatal, .exit_code = 70)
{
    write_wrongly("mt");
}

Test(json, a_key_in_a_list_is_fatal, .exit_code = 70)
{
    write_wrongly("lk");
}

Test(json, a_key_without_a_value_is_fatal, .exit_code = 70)
{
    write_wrongly("mkM");
}

Test(json, a_second_document_without_clearing_is_fatal, .exit_code = 70)
{
    write_wrongly("11");
}

Test(json, closing_what_was_never_opened_is_fatal, .exit_code = 70)
{
    write_wrongly("L");
}

Test(json, closing_a_list_as_a_map_is_fatal, .exit_code = 70)
{
    write_wrongly("lM");
}

Test(json, a_sixty_fifth_level_is_fatal, .exit_code = 70)
{
    write_wrongly("lllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll");
}
