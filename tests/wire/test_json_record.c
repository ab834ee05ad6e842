/* Members of records, taken by kind and range. */

#include "wire/json_record.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static char message[200];
static struct text problem;

/* A record that was read, lent until the next call. */
static struct json_record record_of(const char *text)
{
    static struct json_document *document;
    const struct json_node *node;

    if (document == NULL)
        document = json_document_new();
    text_start(&problem, message, sizeof message);
    node = json_read(document, text, strlen(text), &problem);
    cr_assert_not_null(node, "%s", text);
    return json_record_start(node, &problem);
}

Test(json_record, members_of_the_right_kind_and_range_are_taken)
{
    struct json_record record =
        record_of("{\"n\":7,\"flag\":true,\"text\":\"abc\",\"list\":[1,2],\"map\":{\"a\":0}}");
    const long long range[2] = {1, 2};
    long long numbers[3];

    cr_expect_eq(json_record_number(&record, "n", 7, 7), 7);
    cr_expect(json_record_flag(&record, "flag"));
    cr_expect_str_eq(json_record_text(&record, "text", 3), "abc");
    cr_expect_str_eq(json_record_line(&record, "text", 3), "abc");
    cr_expect_null(json_record_optional_text(&record, "none", 3));
    cr_expect_eq(json_record_numbers(&record, "list", range, numbers, 3), 2);
    cr_expect_eq(json_count(json_record_map(&record, "map", 1)), 1);
    cr_expect_not(record.is_refused);
    cr_expect_str_empty(message);
}

/* Each takes a member `x`. */
static void take_number(struct json_record *record)
{
    cr_expect_eq(json_record_number(record, "x", 2, 5), 2);
}

static void take_flag(struct json_record *record)
{
    cr_expect_not(json_record_flag(record, "x"));
}

static void take_line(struct json_record *record)
{
    cr_expect_str_empty(json_record_line(record, "x", 3));
}

static void take_list(struct json_record *record)
{
    cr_expect_null(json_record_list(record, "x", 2));
}

static void take_map(struct json_record *record)
{
    cr_expect_null(json_record_map(record, "x", 2));
}

static void take_numbers(struct json_record *record)
{
    const long long range[2] = {0, 9};
    long long numbers[2];

    cr_expect_eq(json_record_numbers(record, "x", range, numbers, 2), 0);
}

static const struct {
    void (*take)(struct json_record *record);
    const char *text;
} wrong[] = {
    {take_number, "{}"},
    {take_number, "{\"x\":1}"},
    {take_number, "{\"x\":6}"},
    {take_number, "{\"x\":\"3\"}"},
    {take_number, "{\"x\":true}"},
    {take_number, "{\"x\":null}"},
    {take_number, "{\"x\":[3]}"},
    {take_number, "[3]"},
    {take_number, "3"},
    {take_number, "{\"x\":3,\"x\":3}"},
    {take_flag, "{\"x\":1}"},
    {take_line, "{\"x\":\"abcd\"}"},
    {take_line, "{\"x\":\"a\\nb\"}"},
    {take_line, "{\"x\":3}"},
    {take_list, "{\"x\":{\"a\":1}}"},
    {take_list, "{\"x\":[1,2,3]}"},
    {take_map, "{\"x\":[\"a\"]}"},
    {take_numbers, "{\"x\":[1,2,3]}"},
    {take_numbers, "{\"x\":[1,10]}"},
    {take_numbers, "{\"x\":[\"1\"]}"},
    {take_numbers, "{\"x\":{\"a\":1}}"},
};

Test(json_record, other_members_refuse_the_record_with_one_sentence)
{
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct json_record record = record_of(wrong[i].text);
        size_t length;

        wrong[i].take(&record);
        cr_expect(record.is_refused, "%zu", i);
        cr_expect_neq(message[0], '\0', "%zu", i);
        length = strlen(message);
        wrong[i].take(&record);
        cr_expect_eq(strlen(message), length, "%zu: said twice: %s", i, message);
    }
}

Test(json_record, a_record_with_very_many_members_is_refused)
{
    char text[JSON_RECORD_MEMBERS_MAX * 12 + 40] = "{\"x\":3";
    struct json_record record;

    for (unsigned i = 0; i < JSON_RECORD_MEMBERS_MAX; i++)
        snprintf(text + strlen(text), 12, ",\"%u\":0", i);
    strcat(text, "}");
    record = record_of(text);
    cr_expect(record.is_refused);
    cr_expect_not_null(strstr(message, "too many"), "%s", message);
}
