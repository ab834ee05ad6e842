/* What counts in a tournament is the same in whatever order its matches were played. */

#include "tournament/play/progression.h"

#include "game/allegra.h"
#include "base/memory.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOTS 6
#define ORDERS 25

static void begin_all(void)
{
    cr_assert_eq(deal_random_init(), 0);
    scratch_begin();
}

TestSuite(progression, .init = begin_all, .fini = scratch_end);

/* A kind of tournament. */
struct kind {
    const char *format;
    const char *seats;
    const char *deals;
    const char *rounds;
    const char *max_faults;
};

static const struct kind kinds[] = {
    {"round-robin", "2", "4", "0", "0"}, {"round-robin", "2", "4", "0", "1"},
    {"round-robin", "2", "6", "0", "3"}, {"round-robin", "3", "2", "0", "2"},
    {"gauntlet", "3", "2", "0", "2"},    {"swiss", "2", "2", "5", "0"},
    {"swiss", "2", "2", "6", "2"},       {"swiss", "3", "1", "4", "1"},
};

static struct store *make_store(const struct kind *kind, unsigned bots)
{
    struct store_setting settings[] = {{"format", kind->format},
                                       {"seatings", "all"},
                                       {"seats", kind->seats},
                                       {"deals", kind->deals},
                                       {"rounds", kind->rounds},
                                       {"max_faults", kind->max_faults},
                                       {"schedule_seed", "1"},
                                       {"matches", "0"},
                                       {"hero", ""},
                                       {NULL, NULL}};
    static unsigned number;
    char message[200];
    char name[20];
    struct text problem;
    struct store *store;

    (void)snprintf(name, sizeof name, "store-%u", number++);
    text_start(&problem, message, sizeof message);
    store = store_open(scratch_path(name), JOURNAL_WRITE, &problem);
    cr_assert_not_null(store, "%s", message);
    cr_assert_eq(store_begin(store, "cup", settings, "x"), 0);
    for (unsigned i = 0; i < bots; i++) {
        char bot_name[] = "bot-0";
        struct store_bot bot = {.name = bot_name, .command = bot_name, .generation = 1};

        bot_name[4] = (char)('0' + i);
        store_add_bot(store, &bot);
    }
    return store;
}

static struct progression *make_progression(struct store *store)
{
    char message[200];
    struct text problem;
    struct progression *progression;

    text_start(&problem, message, sizeof message);
    progression = progression_new(store, &problem);
    cr_assert_not_null(progression, "%s", message);
    return progression;
}

/* Whether a bot is at fault in a match: always the same, however the match comes about. Bot 0 never
 * is, bot 5 always, the others now and then, and bot 2 whenever it meets bot 5. */
static bool is_at_fault(const struct task *task, unsigned seat)
{
    unsigned bot = task->bots[seat];
    struct allegra_dice dice =
        allegra_dice_from(task->block * 1000ULL + task->rotation * 10ULL + seat);

    for (unsigned other = 0; other < task->seats; other++) {
        if (bot == 2 && task->bots[other] == 5)
            return true;
    }
    return bot == 5 || (bot > 0 && allegra_dice_below(&dice, 12) < bot);
}

static void decide(struct store *store, const struct task *task)
{
    static const struct histogram times[ALLEGRA_SEATS_MAX];
    struct result result = {
        .block = task->block, .rotation = task->rotation, .seats = task->seats, .rounds = 1};
    struct allegra_dice dice = allegra_dice_from(task->block * 77ULL + task->rotation);
    unsigned first = allegra_dice_below(&dice, task->seats);

    memcpy(result.bots, task->bots, sizeof result.bots);
    for (unsigned seat = 0; seat < task->seats; seat++) {
        result.places[seat] = (uint8_t)(1 + (seat + first) % task->seats);
        result.score_halves[seat] = (int32_t)allegra_dice_below(&dice, 100);
        result.faults[seat] = is_at_fault(task, seat) ? BOT_LATE : BOT_ANSWERED;
    }
    store_add_result(store, &result, "", times);
}

static bool is_whole(const struct store *store, const struct block_source *source, unsigned block)
{
    unsigned rotations = source->rotations(source->context, block);

    return rotations > 0 && store_done(store, block) == (UINT32_C(1) << rotations) - 1;
}

/* A match that could be played now, by the dice; the first of all without. */
static bool find_match(struct store *store, const struct block_source *source,
                       struct allegra_dice *dice, struct task *task)
{
    unsigned seen = 0;

    for (unsigned block = 1; block <= source->block_count(source->context); block++) {
        unsigned rotations = source->rotations(source->context, block);

        for (unsigned rotation = 0; rotation < rotations; rotation++) {
            if (store_done(store, block) >> rotation & 1)
                continue;
            if (dice != NULL ? allegra_dice_below(dice, ++seen) == 0 : seen++ == 0)
                *task = (struct task){.block = block, .rotation = (uint16_t)rotation};
        }
    }
    return seen > 0;
}

/* Plays all that there is to play. */
static void play(struct store *store, struct progression *progression, struct allegra_dice *dice)
{
    struct block_source source = progression_source(progression, NULL, NULL);
    struct task task;

    do {
        while (find_match(store, &source, dice, &task)) {
            source.fill_task(source.context, task.block, task.rotation, &task);
            decide(store, &task);
            if (is_whole(store, &source, task.block))
                source.on_block_decided(source.context, task.block);
        }
    } while (source.extend(source.context));
}

static void expect_same(const struct progression *one, const struct progression *other, size_t kind)
{
    size_t count;
    size_t other_count;
    struct result *results = progression_results(one, &count);
    struct result *other_results = progression_results(other, &other_count);

    cr_assert_eq(count, other_count, "kind %zu: %zu and %zu matches", kind, count, other_count);
    cr_assert_eq(memcmp(results, other_results, count * sizeof *results), 0, "kind %zu", kind);
    for (unsigned bot = 0; bot < BOTS; bot++)
        cr_assert_eq(progression_is_out(one, bot), progression_is_out(other, bot), "kind %zu",
                     kind);
    cr_assert_eq(progression_matches(one), progression_matches(other), "kind %zu", kind);
    cr_assert_eq(progression_decided(one), progression_decided(other), "kind %zu", kind);
    cr_assert_eq(progression_matches(one), count, "kind %zu", kind);
    cr_assert_eq(progression_decided(one), count, "kind %zu", kind);
    free(results);
    free(other_results);
}

/* No bot has faults in a block that counts after the one with which it had too many. */
static void expect_few_faults(const struct progression *progression, unsigned max_faults)
{
    size_t count;
    struct result *results = progression_results(progression, &count);
    unsigned faults[BOTS] = {0};
    unsigned out_after[BOTS] = {0};

    for (size_t i = 0; i < count; i++) {
        for (unsigned seat = 0; seat < results[i].seats; seat++) {
            unsigned bot = results[i].bots[seat];

            cr_assert(out_after[bot] == 0 || out_after[bot] == results[i].block);
            faults[bot] += results[i].faults[seat] != BOT_ANSWERED;
            if (max_faults > 0 && faults[bot] >= max_faults)
                out_after[bot] = results[i].block;
        }
    }
    for (unsigned bot = 0; bot < BOTS; bot++)
        cr_assert_eq(progression_is_out(progression, bot), out_after[bot] > 0);
    free(results);
}

Test(progression, the_blocks_that_count_do_not_depend_on_the_order_of_play)
{
    struct allegra_dice dice = allegra_dice_from(11);

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct store *store = make_store(&kinds[i], BOTS);
        struct progression *progression = make_progression(store);

        play(store, progression, NULL);
        expect_few_faults(progression, (unsigned)atoi(kinds[i].max_faults));
        for (unsigned order = 0; order < ORDERS; order++) {
            struct store *other_store = make_store(&kinds[i], BOTS);
            struct progression *other = make_progression(other_store);
            struct progression *again;

            play(other_store, other, &dice);
            expect_same(progression, other, i);
            again = make_progression(other_store);
            expect_same(progression, again, i);
            progression_free(again);
            progression_free(other);
            store_free(other_store);
        }
        progression_free(progression);
        store_free(store);
    }
}

/* The first block of a schedule with these two bots, from `from` on. */
static unsigned find_block(const struct progression *progression, unsigned from, unsigned one,
                           unsigned other)
{
    const struct schedule *schedule = progression_schedule(progression);
    unsigned number = from;

    for (;; number++) {
        const struct block *block = schedule_block(schedule, number);

        cr_assert_not_null(block);
        if ((block->bots[0] == one && block->bots[1] == other) ||
            (block->bots[0] == other && block->bots[1] == one))
            return number;
    }
}

static void play_block(struct store *store, const struct block_source *source, unsigned block)
{
    for (unsigned rotation = 0; rotation < 2; rotation++) {
        struct task task = {.block = block, .rotation = (uint16_t)rotation};

        source->fill_task(source->context, block, rotation, &task);
        decide(store, &task);
    }
    source->on_block_decided(source->context, block);
}

Test(progression, a_late_result_can_bring_a_bot_back)
{
    struct kind kind = {"round-robin", "2", "6", "0", "1"};
    struct store *store = make_store(&kind, BOTS);
    struct progression *progression = make_progression(store);
    struct block_source source = progression_source(progression, NULL, NULL);
    unsigned early = find_block(progression, 1, 0, 5);
    unsigned late = find_block(progression, early + 1, 2, 5);
    unsigned next = find_block(progression, late + 1, 0, 2);

    play_block(store, &source, late);
    cr_assert(progression_is_out(progression, 2));
    cr_assert_eq(source.rotations(source.context, next), 0);
    cr_assert_eq(progression_block(progression, late), PROGRESSION_COUNTS);
    play_block(store, &source, early);
    cr_assert(progression_is_out(progression, 5));
    cr_assert_not(progression_is_out(progression, 2));
    cr_assert_eq(source.rotations(source.context, next), 2);
    cr_assert_eq(progression_block(progression, next), PROGRESSION_OPEN);
    cr_assert_eq(progression_block(progression, late), PROGRESSION_DROPPED);
    progression_free(progression);
    store_free(store);
}

Test(progression, complete_blocks_of_a_withdrawn_bot_count)
{
    struct kind kind = {"round-robin", "2", "2", "0", "0"};
    struct store *store = make_store(&kind, 3);
    struct progression *progression = make_progression(store);
    struct block_source source = progression_source(progression, NULL, NULL);
    unsigned whole = find_block(progression, 1, 0, 1);
    unsigned half = find_block(progression, 1, 1, 2);
    struct task task = {.block = half, .rotation = 1};
    size_t count;

    play_block(store, &source, whole);
    source.fill_task(source.context, half, 1, &task);
    decide(store, &task);
    store_withdraw_bot(store, 1, true);
    cr_assert(progression_is_out(progression, 1));
    cr_assert_eq(progression_block(progression, whole), PROGRESSION_COUNTS);
    cr_assert_eq(progression_block(progression, half), PROGRESSION_DROPPED);
    cr_assert_eq(progression_block(progression, find_block(progression, 1, 0, 2)),
                 PROGRESSION_OPEN);
    free(progression_results(progression, &count));
    cr_assert_eq(count, 2);
    cr_assert_eq(progression_matches(progression), 6);
    cr_assert_eq(progression_decided(progression), 2);
    store_withdraw_bot(store, 1, false);
    cr_assert_eq(progression_block(progression, half), PROGRESSION_OPEN);
    cr_assert_eq(progression_matches(progression), 12);
    cr_assert_eq(progression_decided(progression), 3);
    progression_free(progression);
    store_free(store);
}

Test(progression, a_round_of_swiss_begins_when_all_before_is_played_and_is_written_down)
{
    struct kind kind = {"swiss", "2", "1", "3", "0"};
    struct store *store = make_store(&kind, BOTS);
    struct progression *progression = make_progression(store);
    struct block_source source = progression_source(progression, NULL, NULL);

    cr_assert_eq(source.block_count(source.context), 3);
    cr_assert_eq(progression_matches(progression), 18);
    for (unsigned round = 2; round <= 3; round++) {
        for (unsigned block = 3 * round - 5; block <= 3 * round - 3; block++)
            play_block(store, &source, block);
        cr_assert(source.extend(source.context));
        cr_assert_eq(source.block_count(source.context), 3 * round);
        cr_assert_eq(store_round_count(store), round - 1);
        cr_assert_eq(store_round(store, round - 2)->count, BOTS);
    }
    for (unsigned block = 7; block <= 9; block++)
        play_block(store, &source, block);
    cr_assert_not(source.extend(source.context));
    cr_assert_eq(progression_decided(progression), 18);
    progression_free(progression);
    store_free(store);
}

Test(progression, a_round_of_swiss_must_follow_from_the_results_before_it)
{
    struct kind kind = {"swiss", "2", "1", "3", "0"};
    struct store *store = make_store(&kind, BOTS);
    struct progression *progression = make_progression(store);
    struct block_source source = progression_source(progression, NULL, NULL);
    const uint16_t backwards[] = {5, 4, 3, 2, 1, 0};
    char message[200];
    struct text problem;

    for (unsigned block = 1; block <= 3; block++)
        play_block(store, &source, block);
    store_withdraw_bot(store, 2, true);
    cr_assert(source.extend(source.context));
    text_start(&problem, message, sizeof message);
    cr_assert_eq(progression_check_round(progression, &problem), 0, "%s", message);
    for (unsigned block = 4; block <= source.block_count(source.context); block++)
        play_block(store, &source, block);
    store_add_round(store, backwards, BOTS);
    progression_free(progression);
    progression = make_progression(store);
    cr_assert_eq(progression_check_round(progression, &problem), -1);
    cr_assert_str_eq(message, "the order of round 3 does not follow from the results before it");
    progression_free(progression);
    store_free(store);
}

Test(progression, a_round_of_swiss_is_not_recorded_before_the_results_it_follows_from)
{
    struct kind kind = {"swiss", "2", "1", "3", "0"};
    struct store *store = make_store(&kind, BOTS);
    struct progression *progression = make_progression(store);
    struct block_source source = progression_source(progression, NULL, NULL);
    char message[200];
    struct text problem;

    play_block(store, &source, 1);
    cr_assert(source.extend(source.context));
    text_start(&problem, message, sizeof message);
    cr_assert_eq(progression_check_round(progression, &problem), -1);
    cr_assert_str_eq(message, "round 2 was recorded before the results that it follows from");
    progression_free(progression);
    store_free(store);
}

Test(progression, a_store_of_something_else_is_refused)
{
    struct kind kind = {"compare", "2", "1", "0", "0"};
    struct store *store = make_store(&kind, 2);
    char message[200];
    struct text problem;

    text_start(&problem, message, sizeof message);
    cr_assert_null(progression_new(store, &problem));
    cr_assert_str_eq(message, "this is not the store of a tournament");
    store_free(store);
}
