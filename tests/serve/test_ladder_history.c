/* How the ratings of a ladder became what they are, on the disk. */

#include "serve/ladder/ladder_history.h"

#include "support/scratch.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DAY_S 86400

static char path[300];

static void set_up(void)
{
    scratch_begin();
    snprintf(path, sizeof path, "%s", scratch_path("ladder.history"));
}

TestSuite(ladder_history, .init = set_up, .fini = scratch_end);

static struct ladder_rating rate(const char *version, double points)
{
    struct ladder_rating rating = {
        .points = points, .low = points - 50, .high = NAN, .best = 2, .worst = 4};

    memcpy(rating.version, version, strlen(version));
    return rating;
}

static void note(struct ladder_history *history, const char *version, unsigned deals,
                 int64_t time_s)
{
    struct ladder_rating rating = rate(version, 10.5 + deals);

    ladder_history_note(history, &rating, deals, time_s);
}

static unsigned count_of(const struct ladder_history *history)
{
    unsigned count;

    (void)ladder_history_list(history, &count);
    return count;
}

/* How many there are in the file. */
static unsigned count_again(void)
{
    struct ladder_history *history = ladder_history_open(path);
    unsigned count = count_of(history);

    ladder_history_free(history);
    return count;
}

Test(ladder_history, what_was_written_is_there_after_reopening)
{
    struct ladder_history *history = ladder_history_open(path);
    const struct ladder_moment *moments;
    unsigned count;

    note(history, "anna@1", 6, 1000);
    cr_assert_eq(ladder_history_write(history), 0);
    note(history, "bert@12", 7, 1001);
    note(history, "anna@1", 12, 1002);
    cr_assert_eq(ladder_history_write(history), 0);
    ladder_history_free(history);
    history = ladder_history_open(path);
    moments = ladder_history_list(history, &count);
    cr_assert_eq(count, 3);
    cr_expect_str_eq(moments[1].rating.version, "bert@12");
    cr_expect_eq(moments[1].time_s, 1001);
    cr_expect_eq(moments[1].deals, 7);
    cr_expect_eq(moments[1].rating.points, 17.5);
    cr_expect_eq(moments[1].rating.low, -32.5);
    cr_expect(isnan(moments[1].rating.high));
    cr_expect_eq(moments[1].rating.best, 2);
    cr_expect_eq(moments[1].rating.worst, 4);
    cr_expect_eq(moments[2].deals, 12);
    ladder_history_free(history);
}

Test(ladder_history, only_what_is_new_is_noted)
{
    static const struct {
        const char *version;
        unsigned deals;
        int64_t time_s;
        unsigned count; /* of moments afterwards */
    } rows[] = {
        {"a@1", 8, 1000, 1},          {"a@1", 8, 1001, 1},         {"a@1", 10, 1002, 1},
        {"a@1", 11, 1003, 2},         {"a@2", 8, 1003, 3},         {"a@1", 11, 1003 + DAY_S - 1, 3},
        {"a@1", 11, 1003 + DAY_S, 4}, {"a@2", 8, 1003 + DAY_S, 5},
    };
    struct ladder_history *history = ladder_history_open(path);
    struct ladder_rating unrated = rate("b@1", NAN);

    for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
        note(history, rows[i].version, rows[i].deals, rows[i].time_s);
        cr_expect_eq(count_of(history), rows[i].count, "row %u: %u", i, count_of(history));
    }
    ladder_history_note(history, &unrated, 4, 2000);
    cr_expect_eq(count_of(history), 5);
    cr_assert_eq(ladder_history_write(history), 0);
    ladder_history_free(history);
    /* After a restart it goes on from there. */
    history = ladder_history_open(path);
    note(history, "a@1", 11, 1004 + DAY_S);
    cr_expect_eq(count_of(history), 5);
    ladder_history_free(history);
}

Test(ladder_history, a_damaged_line_is_passed_over)
{
    static const char lines[] = "1000 4 a@1 1 - - 1 1 0\n"
                                "nonsense\n"
                                "1000 4\n"
                                "1000 4 b@1 - - - 1 1 0\n"
                                "1001 9 a@1 2 - - 1 1 0\n"
                                "1002 12 a@1 3 -";
    struct ladder_history *history;

    scratch_write("ladder.history", lines, sizeof lines - 1);
    history = ladder_history_open(path);
    cr_expect_eq(count_of(history), 2);
    note(history, "a@1", 20, 1003);
    cr_assert_eq(ladder_history_write(history), 0);
    ladder_history_free(history);
    cr_expect_eq(count_again(), 3);
}

Test(ladder_history, what_cannot_be_written_comes_later)
{
    struct ladder_history *history = ladder_history_open(path);

    cr_assert_eq(symlink("elsewhere", path), 0);
    note(history, "a@1", 4, 1000);
    cr_expect_eq(ladder_history_write(history), -1);
    cr_expect_eq(count_of(history), 1);
    cr_assert_eq(unlink(path), 0);
    note(history, "a@1", 8, 1001);
    cr_expect_eq(ladder_history_write(history), 0);
    ladder_history_free(history);
    cr_expect_eq(count_again(), 2);
}

Test(ladder_history, the_file_has_a_size)
{
    char *lines = calloc(LADDER_HISTORY_BYTES_MAX, 1);
    struct ladder_history *history;

    memset(lines, '\n', LADDER_HISTORY_BYTES_MAX);
    scratch_write("ladder.history", lines, LADDER_HISTORY_BYTES_MAX - 300);
    free(lines);
    history = ladder_history_open(path);
    note(history, "a@1", 1, 1000);
    cr_assert_eq(ladder_history_write(history), 0);
    note(history, "a@1", 8, 1001);
    cr_expect_eq(count_of(history), 1, "more is noted");
    ladder_history_free(history);
    cr_expect_eq(count_again(), 1);
}
