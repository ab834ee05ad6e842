/* The rows are made from the ledger, which has the versions, from the results, and from the last
 * ratings. A version is active if it was submitted before the deadline and runs here, if it is the
 * newest one of its bot or all versions play, and if the bot is not disqualified. A bot that was
 * removed has no row. */

#include "base/memory.h"
#include "serve/ladder/ladder_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FAILURES_MAX 3 /* in a row; then it is left out */

bool ladder_is_closed(const struct ladder *ladder)
{
    return ladder->file->has_deadline && time(NULL) >= ladder->file->deadline_s;
}

static bool is_in_time(const struct ladder *ladder, const struct ledger_bot *bot)
{
    return !ladder->file->has_deadline || bot->submitted_s < ladder->file->deadline_s;
}

/* Whether a later version of the same bot is in time, too. One that did not say hello replaces
 * nothing. */
static bool is_replaced(const struct ladder *ladder, const struct ledger *ledger, unsigned place)
{
    const struct ledger_bot *bot = ledger_bot(ledger, place);

    for (unsigned i = ledger_bot_count(ledger) - 1; i > place; i--) {
        if (strcmp(ledger_bot(ledger, i)->name, bot->name) == 0 &&
            !ledger_bot(ledger, i)->is_removed && is_in_time(ladder, ledger_bot(ledger, i)) &&
            trial_is_passed(ledger_bot(ledger, i)))
            return true;
    }
    return false;
}

static bool is_active(const struct ladder *ladder, const struct ledger *ledger, unsigned place)
{
    const struct ledger_bot *bot = ledger_bot(ledger, place);

    return bot->command != NULL && !bot->is_disqualified && !bot->is_removed &&
           is_in_time(ladder, bot) && trial_is_passed(bot) &&
           (ladder->file->versions == LADDER_ALL || !is_replaced(ladder, ledger, place));
}

/* What a version has done, by its number in the results. */
struct record {
    unsigned deals, failures;
    unsigned long matches, wins;
};

static void count_table(const struct ladder *ladder, const struct ladder_table *table,
                        struct record *records)
{
    size_t total;
    const struct result *results = ladder_results_list(ladder->results, &total);

    for (unsigned i = 0; i < table->version_count; i++) {
        struct record *record = &records[table->versions[i]];

        record->deals += table->deals;
        record->failures = table->count > 0 ? 0 : record->failures + table->is_failed;
    }
    for (size_t i = table->first; i < table->first + table->count; i++) {
        for (unsigned seat = 0; seat < results[i].seats; seat++) {
            records[results[i].bots[seat]].matches++;
            records[results[i].bots[seat]].wins += results[i].places[seat] == 1;
        }
    }
}

static const struct ladder_rating *rating_of(const struct ladder *ladder, const char *version)
{
    for (unsigned i = 0; i < ladder->rating_count; i++) {
        if (strcmp(ladder->ratings[i].version, version) == 0)
            return &ladder->ratings[i];
    }
    return NULL;
}

static void fill_row(const struct ladder *ladder, struct ladder_row *row,
                     const struct record *records)
{
    char version[LADDER_VERSION_MAX];
    const struct ladder_rating *rating;
    int number;

    ladder_name_version(queue_ledger(ladder->all->setup.queue), row->place, version);
    number = ladder_results_find_version(ladder->results, version);
    rating = rating_of(ladder, version);
    row->luck = ladder_luck_find(ladder->lucks, ladder->luck_count, version);
    row->rating =
        rating != NULL ? *rating : (struct ladder_rating){.points = NAN, .low = NAN, .high = NAN};
    if (ledger_bot(queue_ledger(ladder->all->setup.queue), row->place)->is_disqualified)
        row->rating.best = row->rating.worst = 0;
    if (number < 0)
        return;
    row->deals = records[number].deals;
    row->matches = records[number].matches;
    row->wins = records[number].wins;
    row->is_broken = records[number].failures >= FAILURES_MAX;
}

/* Active first; then the best rating; then who was there first. */
static int compare_rows(const void *left, const void *right)
{
    const struct ladder_row *a = left;
    const struct ladder_row *b = right;
    double one = isnan(a->rating.points) ? -INFINITY : a->rating.points;
    double other = isnan(b->rating.points) ? -INFINITY : b->rating.points;

    if (a->is_active != b->is_active)
        return a->is_active ? -1 : 1;
    if (one != other)
        return one > other ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* Whether the same versions are active in two lists. */
static bool has_same_active(const struct ladder_row *one, unsigned one_count,
                            const struct ladder_row *other, unsigned other_count)
{
    unsigned same = 0, actives = 0;

    for (unsigned i = 0; i < one_count; i++) {
        for (unsigned j = 0; j < other_count && one[i].is_active; j++)
            same += other[j].is_active && other[j].place == one[i].place;
        actives += one[i].is_active;
    }
    for (unsigned j = 0; j < other_count; j++)
        actives += other[j].is_active;
    return 2 * same == actives;
}

bool ladder_make_rows(struct ladder *ladder)
{
    const struct ledger *ledger = queue_ledger(ladder->all->setup.queue);
    struct record *records =
        xcalloc(ladder_results_version_count(ladder->results) + 1U, sizeof *records);
    struct ladder_row *rows = xcalloc(ledger_bot_count(ledger) + 1U, sizeof *rows);
    unsigned count = 0;
    bool has_changed;

    for (unsigned i = 0; i < ladder_results_table_count(ladder->results); i++)
        count_table(ladder, ladder_results_table(ladder->results, i), records);
    for (unsigned place = 0; place < ledger_bot_count(ledger); place++) {
        struct ladder_row *row = &rows[count];

        *row = (struct ladder_row){.place = place, .is_active = is_active(ladder, ledger, place)};
        fill_row(ladder, row, records);
        count += row->is_active || (row->matches > 0 && !ledger_bot(ledger, place)->is_removed);
    }
    qsort(rows, count, sizeof *rows, compare_rows);
    has_changed = !has_same_active(ladder->rows, ladder->row_count, rows, count);
    free(records);
    free(ladder->rows);
    ladder->rows = rows;
    ladder->row_count = count;
    return has_changed;
}
