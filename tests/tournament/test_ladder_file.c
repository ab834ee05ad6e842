/* The file of a ladder. */

#include "tournament/config/ladder_file.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static char said[1000];

static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    (void)context;
    if (said[0] == '\0')
        snprintf(said, sizeof said, "%u:%u: %s", line, column, sentence);
}

static struct ladder_file *read_text(const char *text)
{
    said[0] = '\0';
    return ladder_file_read(span_of(text), on_problem, NULL);
}

Test(ladder_file, a_name_is_enough)
{
    struct ladder_file *file = read_text("{\"name\": \"club\"} // that is all");

    cr_assert_not_null(file, "%s", said);
    cr_assert_str_eq(file->name, "club");
    cr_assert_eq(file->config.schedule.seats, 4);
    cr_assert_eq(file->config.schedule.deals, 6);
    cr_assert_eq(file->config.schedule.seatings, SCHEDULE_ROTATIONS);
    cr_assert_eq(file->final.schedule.deals, 100);
    cr_assert_eq(file->final.schedule.matches, 2000);
    cr_assert_eq(file->versions, LADDER_NEWEST);
    cr_assert_not(file->has_deadline);
    ladder_file_free(file);
}

Test(ladder_file, every_key_is_read)
{
    struct ladder_file *file = read_text(
        "{\"name\": \"two\", \"versions\": \"all\", \"enough\": 50, \"at_once\": 3, \"keep\": 7, "
        "\"deadline\": \"2030-01-31T18:00Z\", \"final\": {\"deals\": 9, \"matches\": 0, "
        "\"seatings\": \"rotations\"}, \"edition\": \"en2020\", \"seats\": 2, \"deals\": 5, "
        "\"move_ms\": 77, \"rules\": {\"rounds\": 2}}");

    cr_assert_not_null(file, "%s", said);
    cr_assert_eq(file->versions, LADDER_ALL);
    cr_assert_eq(file->enough, 50);
    cr_assert_eq(file->at_once, 3);
    cr_assert_eq(file->keep, 7);
    cr_assert(file->has_deadline);
    cr_assert_eq(file->deadline_s, 1896112800);
    cr_assert_eq(file->final.schedule.deals, 9);
    cr_assert_eq(file->final.schedule.matches, 0);
    cr_assert_eq(file->final.schedule.seatings, SCHEDULE_ROTATIONS);
    cr_assert_eq(file->config.schedule.seats, 2);
    cr_assert_eq(file->config.schedule.deals, 5);
    cr_assert_eq(file->config.move_ms, 77);
    cr_assert_eq(file->config.rules.rounds, 2);
    ladder_file_free(file);
}

Test(ladder_file, mistakes_are_reported_with_their_places)
{
    static const struct {
        const char *text;
        const char *sentence;
    } cases[] = {
        {"{}", "1:1: name is missing"},
        {"{\"name\": \"a b\"}", "1:10: name takes 1 to 32 letters"},
        {"{\"name\": \"a\", \"bots\": []}", "bots"},
        {"{\"name\": \"a\", \"deadline\": \"tomorrow\"}", "1:27: deadline takes a time"},
        {"{\"name\": \"a\", \"deadline\": \"2030-02-31T18:00Z\"}", "deadline takes a time"},
        {"{\"name\": \"a\", \"final\": {\"dealz\": 3}}", "dealz"},
        {"{\"name\": \"a\", \"final\": 3}", "final takes a map"},
        {"{\"name\": \"a\", \"enough\": 0}", "enough takes"},
        {"{\"name\": \"a\", \"seats\": 6, \"seatings\": \"all\"}", "seatings takes"},
        {"[]", "the file takes a map"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        cr_assert_null(read_text(cases[i].text), "%s", cases[i].text);
        cr_assert_not_null(strstr(said, cases[i].sentence), "%s: %s", cases[i].text, said);
    }
}
