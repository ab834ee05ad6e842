/* Luck of different versions (LUCK_VERSION) is never summed up: the matches of each are tested on
 * their own, and what counts is the test that says most against a bot.
 *
 * The test considers all bots at once. In a ladder their number grows while it is played, and
 * somebody looks all the time, so it is as careful from the beginning as if TESTS bots were there:
 * then at most one of PEEK_ALARM ladders of honest bots ever raises an alarm. With more bots than
 * that the test grows with them. Opponents are chosen by results; the mean of luck is zero
 * whoever plays. */

#include "serve/ladder/ladder_luck.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORD "luck" /* a line begins with it; no rating does */
#define TESTS 2000
#define PARTS 1000 /* of a point in a line */

/* Making them. */

/* The lowest version of luck above `last` in the results; 0 if there is none. */
static unsigned next_luck_version(const struct result *results, size_t count, unsigned last)
{
    unsigned next = 0;

    for (size_t i = 0; i < count; i++) {
        unsigned version = results[i].luck_version;

        if (results[i].has_luck && version > last && (next == 0 || version < next))
            next = version;
    }
    return next;
}

static unsigned count_luck_versions(const struct result *results, size_t count)
{
    unsigned versions = 0;

    for (unsigned last = 0; (last = next_luck_version(results, count, last)) > 0;)
        versions++;
    return versions;
}

/* The table that has a block of the list. Tables are in the order of their blocks. */
static const struct ladder_table *find_table(const struct ladder_results *results, uint32_t block)
{
    unsigned index = ladder_results_table_count(results) - 1;

    while (index > 0 && (ladder_results_table(results, index)->count == 0 ||
                         ladder_results_table(results, index)->block_offset >= block))
        index--;
    return ladder_results_table(results, index);
}

/* Takes a test over if it says more than the one before it. */
static void take_peek(struct ladder_luck *luck, const struct ladder_results *results,
                      const struct peek *peek)
{
    if (peek->matches == 0 || (luck->matches > 0 && luck->one_in > peek->one_in))
        return;
    luck->matches = peek->matches;
    luck->gain = peek->gain;
    luck->spread = peek->spread;
    luck->allowed = peek->allowed;
    luck->one_in = peek->one_in;
    luck->is_suspicious = peek->is_suspicious;
    luck->best_count = peek->is_suspicious ? peek->best_count : 0;
    for (unsigned i = 0; i < luck->best_count; i++) {
        const struct peek_match *match = &peek->best[i];
        const struct ladder_table *table = find_table(results, match->block);

        luck->best[i] = (struct ladder_luck_match){table->job, match->block - table->block_offset,
                                                   match->rotation, match->gain};
    }
}

/* Tests all bots by the luck of one version. */
static void test_luck(struct ladder_luck *lucks, const struct ladder_results *results,
                      unsigned luck_version, unsigned tests)
{
    size_t count, found = 0;
    const struct result *list = ladder_results_list(results, &count);
    struct result *measured = xcalloc(count + 1, sizeof *measured);
    struct peek *peeks = xcalloc(tests, sizeof *peeks);

    for (size_t i = 0; i < count; i++) {
        if (list[i].has_luck && list[i].luck_version == luck_version)
            measured[found++] = list[i];
    }
    peek_measure(measured, found, tests, peeks);
    for (unsigned i = 0; i < ladder_results_version_count(results); i++)
        take_peek(&lucks[i], results, &peeks[i]);
    free(peeks);
    free(measured);
}

void ladder_luck_print(FILE *file, const struct ladder_results *results)
{
    unsigned versions = ladder_results_version_count(results);
    struct ladder_luck *lucks = xcalloc(versions + 1U, sizeof *lucks);
    size_t count;
    const struct result *list = ladder_results_list(results, &count);
    unsigned tests = versions * count_luck_versions(list, count);

    if (tests < TESTS)
        tests = TESTS;
    for (unsigned last = 0; (last = next_luck_version(list, count, last)) > 0;)
        test_luck(lucks, results, last, tests);
    for (unsigned i = 0; i < versions; i++) {
        const char *version = ladder_results_version(results, i);
        char line[LADDER_LUCK_LINE_MAX];
        struct text text;

        if (lucks[i].matches == 0)
            continue;
        memcpy(lucks[i].version, version, strlen(version));
        text_start(&text, line, sizeof line);
        ladder_luck_write(&text, &lucks[i]);
        fprintf(file, "%s\n", line);
    }
    free(lucks);
}

/* Lines: the version and whole numbers. */

static void add_parts(struct text *text, double points)
{
    text_printf(text, " %ld",
                lround(fmin(fmax(points * PARTS, -RESULT_LUCK_MAX), RESULT_LUCK_MAX)));
}

void ladder_luck_write(struct text *text, const struct ladder_luck *luck)
{
    text_printf(text, WORD " %s %u", luck->version, luck->matches);
    add_parts(text, luck->gain);
    add_parts(text, luck->spread);
    add_parts(text, luck->allowed);
    text_printf(text, " %.0f %d", floor(luck->one_in), luck->is_suspicious);
    for (unsigned i = 0; i < luck->best_count; i++) {
        const struct ladder_luck_match *match = &luck->best[i];

        text_printf(text, " %u %u %u", match->job, match->block, match->rotation);
        add_parts(text, match->gain);
    }
}

static bool take_number(struct span *rest, long least, long most, long *number)
{
    return span_read_number(span_cut_word(rest), least, most, number) == 0;
}

static bool take_count(struct span *rest, long most, unsigned *count)
{
    long number = 0;
    bool is_fine = take_number(rest, 0, most, &number);

    *count = (unsigned)number;
    return is_fine;
}

static bool take_parts(struct span *rest, double *points)
{
    long number = 0;
    bool is_fine = take_number(rest, -RESULT_LUCK_MAX, RESULT_LUCK_MAX, &number);

    *points = (double)number / PARTS;
    return is_fine;
}

static bool take_match(struct span *rest, struct ladder_luck_match *match)
{
    return take_count(rest, INT_MAX, &match->job) && take_count(rest, INT_MAX, &match->block) &&
           take_count(rest, UINT16_MAX, &match->rotation) && take_parts(rest, &match->gain);
}

int ladder_luck_read(struct ladder_luck *luck, const char *line)
{
    struct span rest = span_of(line);
    bool is_line = span_is(span_cut_word(&rest), WORD);
    struct span version = span_cut_word(&rest);
    unsigned is_suspicious;
    long one_in;

    *luck = (struct ladder_luck){.matches = 0};
    if (!is_line || version.length == 0 || version.length >= sizeof luck->version)
        return -1;
    memcpy(luck->version, version.start, version.length);
    if (!take_count(&rest, INT_MAX, &luck->matches) || !take_parts(&rest, &luck->gain) ||
        !take_parts(&rest, &luck->spread) || !take_parts(&rest, &luck->allowed) ||
        !take_number(&rest, 1, PEEK_ONE_IN_MAX, &one_in) || !take_count(&rest, 1, &is_suspicious))
        return -1;
    luck->one_in = (double)one_in;
    luck->is_suspicious = is_suspicious != 0;
    while (luck->best_count < PEEK_MATCHES && take_match(&rest, &luck->best[luck->best_count]))
        luck->best_count++;
    return 0;
}

struct ladder_luck ladder_luck_find(const struct ladder_luck *list, unsigned count,
                                    const char *version)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(list[i].version, version) == 0)
            return list[i];
    }
    return (struct ladder_luck){.matches = 0};
}
