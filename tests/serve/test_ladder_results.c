/* The results of a ladder on the disk, and the ratings that are made from them. */

#include "serve/ladder/ladder_rating.h"
#include "serve/ladder/ladder_results.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *path;

static struct ladder_results *open_results(enum journal_mode mode)
{
    char message[500] = "";
    struct text problem;
    struct ladder_results *results;

    text_start(&problem, message, sizeof message);
    results = ladder_results_open(path, mode, &problem);
    cr_assert_not_null(results, "%s", message);
    return results;
}

static void set_up(void)
{
    scratch_begin();
    path = scratch_path("ladder.ndjson");
}

TestSuite(ladder_results, .init = set_up, .fini = scratch_end);

/* A table of two, of whom the first wins `wins` of `count` matches. */
static void add_table(struct ladder_results *results, unsigned job, const char *one,
                      const char *other, unsigned wins, unsigned count)
{
    struct ladder_table table = {.job = job, .ended_s = 1000 + job, .version_count = 2};
    const char *versions[] = {one, other};
    struct result *matches = calloc(count + 1, sizeof *matches);

    table.count = count;
    for (unsigned i = 0; i < count; i++)
        matches[i] = (struct result){.block = count - i,
                                     .seats = 2,
                                     .bots = {0, 1},
                                     .places = {i < wins ? 1 : 2, i < wins ? 2 : 1}};
    cr_assert_eq(ladder_results_add(results, &table, versions, matches), 0);
    free(matches);
}

Test(ladder_results, what_was_added_is_there_after_reopening)
{
    struct ladder_results *results = open_results(JOURNAL_WRITE);
    const struct result *list;
    size_t count;

    add_table(results, 3, "a@1", "b@1", 1, 2);
    add_table(results, 9, "b@1", "a@2", 0, 3);
    ladder_results_free(results);
    results = open_results(JOURNAL_READ);
    list = ladder_results_list(results, &count);
    cr_assert_eq(count, 5);
    cr_assert_eq(ladder_results_version_count(results), 3);
    cr_assert_str_eq(ladder_results_version(results, 2), "a@2");
    cr_assert_eq(ladder_results_find_table(results, 9)->deals, 3);
    cr_assert_null(ladder_results_find_table(results, 4));
    cr_assert_eq(list[2].block, 3, "deals of two tables must differ");
    cr_assert_eq(list[2].bots[0], 1);
    cr_assert_eq(list[2].bots[1], 2);
    ladder_results_free(results);
}

Test(ladder_results, a_table_counts_once)
{
    struct ladder_results *results = open_results(JOURNAL_WRITE);
    size_t count;

    add_table(results, 3, "a@1", "b@1", 1, 2);
    add_table(results, 4, "a@1", "b@1", 1, 2);
    add_table(results, 3, "a@1", "b@1", 1, 5);
    (void)ladder_results_list(results, &count);
    cr_assert_eq(count, 7);
    ladder_results_free(results);
    results = open_results(JOURNAL_READ);
    (void)ladder_results_list(results, &count);
    cr_assert_eq(count, 7);
    cr_assert_eq(ladder_results_table_count(results), 2);
    cr_assert_eq(ladder_results_find_table(results, 4)->first, 0);
    cr_assert_eq(ladder_results_find_table(results, 3)->count, 5);
    ladder_results_free(results);
}

static bool is_even(void *context, const struct ladder_table *table)
{
    (void)context;
    return table->job % 2 == 0;
}

Test(ladder_results, tables_that_the_ledger_does_not_know_are_removed)
{
    struct ladder_results *results = open_results(JOURNAL_WRITE);
    const struct result *list;
    size_t count;

    add_table(results, 1, "a@1", "b@1", 1, 2);
    add_table(results, 2, "c@1", "b@1", 2, 3);
    cr_assert_eq(ladder_results_filter(results, is_even, NULL), 0);
    ladder_results_free(results);
    results = open_results(JOURNAL_WRITE);
    list = ladder_results_list(results, &count);
    cr_assert_eq(count, 3);
    cr_assert_eq(ladder_results_table_count(results), 1);
    cr_assert_str_eq(ladder_results_version(results, list[0].bots[0]), "c@1");
    cr_assert_str_eq(ladder_results_version(results, list[0].bots[1]), "b@1");
    ladder_results_free(results);
}

/* The ratings as the daemon reads them. */
static unsigned rate(const struct ladder_results *results, const char *const *active,
                     struct ladder_rating *ratings, unsigned most)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    unsigned count = 0;

    ladder_rating_print(file, results, active);
    fclose(file);
    for (char *line = strtok(text, "\n"); line != NULL && count < most; line = strtok(NULL, "\n"))
        cr_assert_eq(ladder_rating_read(&ratings[count++], line), 0, "%s", line);
    free(text);
    return count;
}

Test(ladder_results, ranks_are_those_of_active_versions)
{
    static const char *const active[] = {"a@2", "b@1", "c@1", NULL};
    struct ladder_results *results = open_results(JOURNAL_WRITE);
    struct ladder_rating ratings[4];

    add_table(results, 1, "a@1", "b@1", 4, 40);
    add_table(results, 2, "a@2", "b@1", 90, 100);
    add_table(results, 3, "b@1", "c@1", 50, 100);
    add_table(results, 4, "a@2", "c@1", 90, 100);
    cr_assert_eq(rate(results, active, ratings, 4), 4);
    cr_assert_str_eq(ratings[0].version, "a@1");
    cr_assert_eq(ratings[0].best, 0, "an older version has no rank");
    cr_assert_lt(ratings[0].points, ratings[1].points);
    cr_assert_str_eq(ratings[2].version, "a@2");
    cr_assert_eq(ratings[2].best, 1, "and inherits nothing from the one before it");
    cr_assert_eq(ratings[2].worst, 1);
    for (unsigned i = 1; i < 4; i += 2) {
        cr_assert_eq(ratings[i].best, 2, "equal bots share their ranks");
        cr_assert_eq(ratings[i].worst, 3);
        cr_assert_lt(ratings[i].low, ratings[i].points);
        cr_assert_gt(ratings[i].high, ratings[i].points);
    }
    ladder_results_free(results);
}

Test(ladder_results, lines_that_are_no_ratings_are_refused)
{
    static const char *const lines[] = {"", "a@1", "a@1 1.5 - - 1", "a@1 x 0 0 1 1 0",
                                        "a@1 1 0 0 1 1"};
    struct ladder_rating rating;

    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        cr_assert_eq(ladder_rating_read(&rating, lines[i]), -1, "%s", lines[i]);
    cr_assert_eq(ladder_rating_read(&rating, "a@1 -1.5 - 3.0 1 2 1"), 0);
    cr_assert(isnan(rating.low) && rating.is_unbeaten && rating.worst == 2);
}
