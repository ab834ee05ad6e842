/* Lines of the feed and events: what is written is read again. */

#include "wire/feed_line.h"

#include <criterion/criterion.h>

static const char *const feed_lines[] = {
    "begin 0 12",
    "match 3.1 anna 1 12.5 - bert 2 3.0 late",
    "block 3 6 12",
    "standings",
    "note the disk is full",
    "bot anna 12 7 1500 22000",
    "bot anna 12 7 1500 22000 late=1 illegal=2",
    "end finished",
};

static const char *const events[] = {
    "7 queued anna the spring cup",
    "7 playing",
    "7 begin 0 12",
    "7 match 3.1 anna 1 12.5 -",
    "7 over done",
    "7 over failed its bot cannot run",
    "0 bot anna 3 bert",
    "0 ending",
    "7 bot anna 12 7 1500 22000 late=1",
};

static void expect_same(const char *line, bool is_event)
{
    char buffer[FEED_LINE_MAX + 1];
    struct text text;
    struct feed_line read;

    cr_assert_eq((is_event ? feed_line_read_event : feed_line_read)(&read, span_of(line)), 0, "%s",
                 line);
    text_start(&text, buffer, sizeof buffer);
    (is_event ? feed_line_write_event : feed_line_write)(&text, &read);
    cr_expect_str_eq(buffer, line);
}

Test(feed_line, lines_and_events_are_read_and_written_back)
{
    for (size_t i = 0; i < ARRAY_LEN(feed_lines); i++)
        expect_same(feed_lines[i], false);
    for (size_t i = 0; i < ARRAY_LEN(events); i++)
        expect_same(events[i], true);
}

Test(feed_line, lines_of_unknown_kinds_or_without_a_field_are_refused)
{
    static const char *const bad[] = {"",          "x",           "begin",    "begin 1",
                                      "begin a 1", "match",       "match 31", "match 3.x a 1 2 -",
                                      "block 1 2", "bot a 1 2 3", "end",      "ending"};
    struct feed_line line;

    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        cr_expect_eq(feed_line_read(&line, span_of(bad[i])), -1, "%s", bad[i]);
    cr_expect_eq(feed_line_read_event(&line, span_of("x playing")), -1);
    cr_expect_eq(feed_line_read_event(&line, span_of("0 playing")), -1);
    cr_expect_eq(feed_line_read_event(&line, span_of("1 ending")), -1);
}

Test(feed_line, seats_and_faults_are_cut_off_one_by_one)
{
    struct span seats = span_of("anna 1 12.5 - bert 2 3.0 late cut 3");
    struct span faults = span_of("late=1 illegal=22 cut");
    struct feed_line_seat seat;
    struct span code;
    long count;

    cr_expect(feed_line_cut_seat(&seats, &seat));
    cr_expect(span_is(seat.name, "anna") && seat.place == 1 && span_is(seat.fault, "-"));
    cr_expect(feed_line_cut_seat(&seats, &seat));
    cr_expect(span_is(seat.score, "3.0") && span_is(seat.fault, "late"));
    cr_expect_not(feed_line_cut_seat(&seats, &seat));
    cr_expect(feed_line_cut_fault(&faults, &code, &count) && span_is(code, "late") && count == 1);
    cr_expect(feed_line_cut_fault(&faults, &code, &count) && count == 22);
    cr_expect_not(feed_line_cut_fault(&faults, &code, &count));
}
