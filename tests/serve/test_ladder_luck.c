/* The luck in the records of a ladder, and the test for versions that know the cards. */

#include "serve/ladder/ladder_luck.h"

#include "base/memory.h"
#include "support/journal_seal.h"
#include "support/luck_match.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSIONS 4
#define CHEAT 2
#define DEALS 2
#define ROTATIONS 2
#define TABLE_MATCHES (DEALS * ROTATIONS)

static const char *path;

static const char *const names[VERSIONS] = {"calm@1", "calm@2", "seer@7", "wild@1"};
static const enum luck_player players[VERSIONS] = {LUCK_PLAYER_SWIFT, LUCK_PLAYER_FIRST,
                                                   LUCK_PLAYER_PEEKING, LUCK_PLAYER_RANDOM};

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

TestSuite(ladder_luck, .init = set_up, .fini = scratch_end, .timeout = 300);

/* What the daemon reads. Returns how many versions have luck. */
static unsigned test_luck(struct ladder_luck *lucks)
{
    struct ladder_results *results = open_results(JOURNAL_READ);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    unsigned count = 0;

    ladder_luck_print(file, results);
    fclose(file);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        cr_assert_eq(ladder_luck_read(&lucks[count++], line), 0, "%s", line);
    free(text);
    ladder_results_free(results);
    return count;
}

static void add_table(struct ladder_results *results, unsigned job, const unsigned pair[2],
                      struct result *matches, size_t count)
{
    struct ladder_table table = {
        .job = job, .ended_s = 1000 + job, .version_count = 2, .count = count};
    const char *versions[] = {names[pair[0]], names[pair[1]]};

    cr_assert_eq(ladder_results_add(results, &table, versions, matches), 0);
}

/* Each deal from both seats, as a table of a ladder is played. */
static void play_table(struct result matches[TABLE_MATCHES], const unsigned pair[2],
                       struct allegra_dice *dice)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);

    rules.rounds = 1;
    for (unsigned i = 0; i < TABLE_MATCHES; i++) {
        struct allegra_dice deal = *dice;
        unsigned rotation = i % ROTATIONS;
        enum luck_player seated[2] = {players[pair[rotation]], players[pair[1 - rotation]]};

        matches[i] = (struct result){.block = 1 + i / ROTATIONS,
                                     .rotation = (uint16_t)rotation,
                                     .seats = 2,
                                     .bots = {(uint16_t)rotation, (uint16_t)(1 - rotation)}};
        luck_match_play(&matches[i], &rules, seated, &deal);
        matches[i].has_luck = true;
        matches[i].luck_version = 3;
        if (rotation + 1 == ROTATIONS)
            *dice = deal;
    }
}

static void expect_evidence(const struct ladder_luck *luck, const unsigned (*pairs)[2])
{
    cr_assert_eq(luck->best_count, PEEK_MATCHES);
    cr_assert(luck->gain > luck->allowed);
    for (unsigned i = 0; i < luck->best_count; i++) {
        const struct ladder_luck_match *match = &luck->best[i];

        cr_assert(pairs[match->job][0] == CHEAT || pairs[match->job][1] == CHEAT);
        cr_assert(match->block >= 1 && match->block <= DEALS, "block %u", match->block);
        cr_assert(match->rotation < ROTATIONS && match->gain > 0);
    }
}

Test(ladder_luck, a_version_that_knows_the_cards_is_suspected_and_no_other_is)
{
    enum { TABLES = 90 };
    struct allegra_dice dice = allegra_dice_from(5);
    struct ladder_results *results = open_results(JOURNAL_WRITE);
    struct ladder_luck lucks[VERSIONS];
    unsigned pairs[TABLES + 1][2];

    for (unsigned job = 1; job <= TABLES; job++) {
        struct result matches[TABLE_MATCHES];
        struct peek peeks[2];

        pairs[job][0] = job % VERSIONS;
        pairs[job][1] = (pairs[job][0] + 1 + job / VERSIONS % (VERSIONS - 1)) % VERSIONS;
        play_table(matches, pairs[job], &dice);
        peek_measure(matches, TABLE_MATCHES, 2, peeks);
        cr_assert(!peeks[0].is_suspicious && !peeks[1].is_suspicious, "one table tells it all");
        add_table(results, job, pairs[job], matches, TABLE_MATCHES);
    }
    ladder_results_free(results);
    cr_assert_eq(test_luck(lucks), VERSIONS);
    for (unsigned i = 0; i < VERSIONS; i++)
        cr_assert(lucks[i].is_suspicious == (strcmp(lucks[i].version, names[CHEAT]) == 0),
                  "%s: one in %g", lucks[i].version, lucks[i].one_in);
    lucks[0] = ladder_luck_find(lucks, VERSIONS, names[CHEAT]);
    expect_evidence(&lucks[0], (const unsigned(*)[2])pairs);
}

/* A match in which the first bot gains so much by its choices, with luck of that version. */
static struct result made_up(unsigned block, unsigned luck_version, double gain)
{
    struct result match = {.block = block,
                           .rotation = 1,
                           .seats = 2,
                           .bots = {0, 1},
                           .places = {1, 2},
                           .has_luck = luck_version > 0,
                           .luck_version = (uint16_t)luck_version};

    for (unsigned seat = 0; seat < match.seats && match.has_luck; seat++) {
        match.luck[seat].choice = seat == 0 ? (int32_t)(-1000 * gain) : 0;
        match.luck[seat].choice_spread = 100 * 1000;
    }
    return match;
}

static void add_made_up(unsigned job, unsigned blocks, unsigned luck_version, double gain)
{
    struct ladder_results *results = open_results(JOURNAL_WRITE);
    struct result *matches = xcalloc(blocks, sizeof *matches);

    for (unsigned i = 0; i < blocks; i++)
        matches[i] = made_up(blocks - i, luck_version, gain);
    add_table(results, job, (const unsigned[]){0, 1}, matches, blocks);
    free(matches);
    ladder_results_free(results);
}

Test(ladder_luck, tables_of_one_version_of_luck_are_summed_up)
{
    struct ladder_luck lucks[2];

    add_made_up(1, 20, 3, 11);
    cr_assert_eq(test_luck(lucks), 2);
    cr_assert(!lucks[0].is_suspicious);
    add_made_up(2, 20, 3, 11);
    cr_assert_eq(test_luck(lucks), 2);
    cr_assert(lucks[0].is_suspicious && !lucks[1].is_suspicious);
    cr_assert_eq(lucks[0].matches, 40);
}

Test(ladder_luck, different_versions_of_luck_are_not_mixed)
{
    struct ladder_luck lucks[2];

    add_made_up(1, 20, 3, 11);
    add_made_up(2, 20, 4, 11);
    cr_assert_eq(test_luck(lucks), 2);
    cr_assert(!lucks[0].is_suspicious, "one in %g", lucks[0].one_in);
    cr_assert_eq(lucks[0].matches, 20);
}

Test(ladder_luck, a_suspicion_outlives_the_version_of_luck)
{
    struct ladder_luck lucks[2];

    add_made_up(1, 40, 3, 11);
    add_made_up(2, 5, 4, 0);
    cr_assert_eq(test_luck(lucks), 2);
    cr_assert(lucks[0].is_suspicious);
    cr_assert_eq(lucks[0].best[0].job, 1);
}

Test(ladder_luck, matches_without_measured_luck_do_not_count)
{
    struct ladder_luck lucks[2];

    add_made_up(1, 40, 0, 11);
    cr_assert_eq(test_luck(lucks), 0);
    cr_assert_eq(ladder_luck_find(lucks, 0, names[0]).matches, 0);
}

static bool is_not_first(void *context, const struct ladder_table *table)
{
    (void)context;
    return table->job != 1;
}

Test(ladder_luck, evidence_keeps_its_numbers_when_tables_before_it_are_removed)
{
    struct result matches[3] = {made_up(7, 3, 90), made_up(4, 3, 80), made_up(5, 3, 10)};
    struct ladder_results *results;
    struct ladder_luck lucks[2];

    add_made_up(1, 40, 3, 11);
    results = open_results(JOURNAL_WRITE);
    add_table(results, 2, (const unsigned[]){0, 1}, matches, 3);
    cr_assert_eq(ladder_results_filter(results, is_not_first, NULL), 0);
    ladder_results_free(results);
    cr_assert_eq(test_luck(lucks), 2);
    cr_assert_eq(lucks[0].matches, 3);
    cr_assert(lucks[0].is_suspicious, "one in %g", lucks[0].one_in);
    cr_assert(lucks[0].best[0].job == 2 && lucks[0].best[0].block == 7 &&
              lucks[0].best[0].rotation == 1 && lucks[0].best[1].block == 4);
}

Test(ladder_luck, what_was_measured_is_there_after_reopening)
{
    struct ladder_results *results;
    const struct result *list;
    size_t count;

    add_made_up(1, 2, 3, -1.5);
    add_made_up(2, 1, 0, 0);
    results = open_results(JOURNAL_READ);
    list = ladder_results_list(results, &count);
    cr_assert_eq(count, 3);
    cr_assert(list[1].has_luck && list[1].luck_version == 3 && list[1].rotation == 1);
    cr_assert(list[1].luck[0].choice == 1500 && list[1].luck[1].choice_spread == 100000);
    cr_assert(!list[2].has_luck && list[2].luck_version == 0);
    ladder_results_free(results);
}

/* Luck as a record has it, with a right checksum: whether the record is refused. */
static bool is_refused(const char *luck)
{
    char record[300], message[500] = "";
    struct ladder_results *results;
    struct text problem;

    snprintf(record, sizeof record,
             "{\"table\":1,\"ended_s\":5,\"is_failed\":0,\"versions\":[\"a@1\",\"b@1\"],"
             "\"matches\":[[1,0,1,1,2%s]]\n",
             luck);
    journal_seal_write(path, (const uint8_t *)record, strlen(record));
    text_start(&problem, message, sizeof message);
    results = ladder_results_open(path, JOURNAL_READ, &problem);
    ladder_results_free(results);
    cr_assert((results == NULL) == (message[0] != '\0'));
    return results == NULL;
}

Test(ladder_luck, impossible_luck_is_refused)
{
    static const char *const wrong[] = {
        ",[]",
        ",3",
        ",[3,0,1,2,3]",
        ",[3,0,1,2,3,4,5,6]",
        ",[3,0,1,2,3,4],[3,0,1,2,3,4]",
        ",[3,0,1,2,3,4],5",
        ",[0,0,1,2,3,4]",
        ",[65536,0,1,2,3,4]",
        ",[3,-1,1,2,3,4]",
        ",[3,24,1,2,3,4]",
        ",[3,0,1,-2,3,4]",
        ",[3,0,1000000001,2,3,4]",
        ",[3,0,-1000000001,2,3,4]",
        ",[3,0,1,1000000001,3,4]",
        ",[3,0,1,2,3,null]",
        ",[3,0,1,2,3,[4]]",
        ",[3,0,1.0,2,3,4]",
        ",null",
    };

    cr_assert(!is_refused(""));
    cr_assert(!is_refused(",[3,0,-1,2,3,4]"));
    cr_assert(!is_refused(",[65535,23,1000000000,0,-1000000000,1000000000]"));
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        cr_assert(is_refused(wrong[i]), "%s", wrong[i]);
}

Test(ladder_luck, lines_that_are_no_luck_are_refused)
{
    static const char *const lines[] = {"",
                                        "luck",
                                        "luck a@1",
                                        "a@1 1.5 - - 1 2 1",
                                        "luck a@1 2 3 4 5 0 0",
                                        "luck a@1 2 3 4 5 6",
                                        "luck a@1 2 3 4 5 6 2",
                                        "luck a@1 -2 3 4 5 6 1",
                                        "skill a@1 2 3 4 5 6 1"};
    struct ladder_luck luck;

    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        cr_assert_eq(ladder_luck_read(&luck, lines[i]), -1, "%s", lines[i]);
    cr_assert_eq(ladder_luck_read(&luck, "luck a@1 2 -1500 4 5000 6 1 7 3 1 2500"), 0);
    cr_assert(luck.gain == -1.5 && luck.is_suspicious && luck.best_count == 1);
    cr_assert(luck.best[0].job == 7 && luck.best[0].block == 3 && luck.best[0].gain == 2.5);
}
