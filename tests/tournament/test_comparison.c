/* NEW against OLD: who sits where, what is counted, and when no more is played. */

#include "tournament/play/comparison.h"

#include "game/allegra.h"
#include "base/memory.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 64

static void begin_all(void)
{
    cr_assert_eq(deal_random_init(), 0);
    scratch_begin();
}

TestSuite(comparison, .init = begin_all, .fini = scratch_end);

static struct store *make_store(unsigned bots)
{
    struct store_setting settings[] = {{"format", "compare"}, {NULL, NULL}};
    static unsigned number;
    char message[200];
    char name[20];
    struct text problem;
    struct store *store;

    (void)snprintf(name, sizeof name, "store-%u", number++);
    text_start(&problem, message, sizeof message);
    store = store_open(scratch_path(name), JOURNAL_WRITE, &problem);
    cr_assert_not_null(store, "%s", message);
    cr_assert_eq(store_begin(store, "compare", settings, "x"), 0);
    for (unsigned i = 0; i < bots; i++) {
        char bot_name[] = "bot-0";
        struct store_bot bot = {.name = bot_name, .command = bot_name, .generation = 1};

        bot_name[4] = (char)('0' + i);
        store_add_bot(store, &bot);
    }
    return store;
}

static struct comparison_setup setup_of(unsigned most)
{
    struct comparison_setup setup = {.test = difference_test_default()};

    setup.test.least = 5;
    setup.test.most = most;
    return setup;
}

/* Points of a bot in a match, by the match alone: NEW has `edge` fewer. */
static int32_t halves_of(const struct task *task, unsigned seat, int32_t edge)
{
    struct allegra_dice dice =
        allegra_dice_from(task->block * 100ULL + task->rotation * 10ULL + seat);

    return 60 + (int32_t)allegra_dice_below(&dice, 20) -
           (task->bots[seat] == COMPARISON_NEW ? edge : 0);
}

static void decide(struct store *store, const struct block_source *source, unsigned block,
                   unsigned rotation, int32_t edge)
{
    static const struct histogram times[ALLEGRA_SEATS_MAX];
    struct task task = {.block = block, .rotation = (uint16_t)rotation};
    struct result result = {.block = block, .rotation = (uint16_t)rotation, .rounds = 2};

    source->fill_task(source->context, block, rotation, &task);
    result.seats = task.seats;
    memcpy(result.bots, task.bots, sizeof result.bots);
    for (unsigned seat = 0; seat < task.seats; seat++) {
        result.places[seat] = 1;
        result.score_halves[seat] = halves_of(&task, seat, edge);
        result.faults[seat] =
            task.bots[seat] == COMPARISON_OLD && block == 2 ? BOT_LATE : BOT_ANSWERED;
    }
    store_add_result(store, &result, "", times);
}

/* Plays the first blocks with two rotations each, in an order by the dice. */
static void play_mixed(struct store *store, const struct block_source *source,
                       struct allegra_dice *dice, int32_t edge)
{
    unsigned order[2 * BLOCKS];

    for (unsigned i = 0; i < 2 * BLOCKS; i++)
        order[i] = i;
    for (unsigned i = 2 * BLOCKS - 1; dice != NULL && i > 0; i--) {
        unsigned j = allegra_dice_below(dice, i + 1);
        unsigned kept = order[i];

        order[i] = order[j];
        order[j] = kept;
    }
    for (unsigned i = 0; i < 2 * BLOCKS; i++) {
        unsigned block = order[i] / 2 + 1;

        decide(store, source, block, order[i] % 2, edge);
        if (store_done(store, block) == 3)
            source->on_block_decided(source->context, block);
    }
}

Test(comparison, without_a_field_both_sit_everywhere)
{
    struct store *store = make_store(2);
    struct comparison_setup setup = setup_of(100);
    struct comparison *comparison = comparison_new(store, &setup, NULL, NULL);
    struct block_source source = comparison_source(comparison);

    cr_assert_eq(source.rotations(source.context, 1), 2);
    for (unsigned rotation = 0; rotation < 2; rotation++) {
        struct task task = {.block = 1, .rotation = (uint16_t)rotation};

        source.fill_task(source.context, 1, rotation, &task);
        cr_assert_eq(task.seats, 2);
        cr_assert_eq(task.bots[rotation], COMPARISON_NEW);
        cr_assert_eq(task.bots[1 - rotation], COMPARISON_OLD);
    }
    comparison_free(comparison);
    comparison_free(NULL);
    store_free(store);
}

/* With a field of 1 to 5: NEW and OLD once on every seat, the field around them in the same
 * order. */
Test(comparison, with_a_field_both_sit_everywhere_with_the_same_neighbours)
{
    for (unsigned field = 1; field <= COMPARISON_FIELD_MAX; field++) {
        struct store *store = make_store(2 + field);
        struct comparison_setup setup = setup_of(100);
        struct comparison *comparison = comparison_new(store, &setup, NULL, NULL);
        struct block_source source = comparison_source(comparison);
        unsigned seats = field + 1;

        cr_assert_eq(source.rotations(source.context, 1), 2 * seats);
        for (unsigned rotation = 0; rotation < 2 * seats; rotation++) {
            struct task task = {.block = 1};
            unsigned own = rotation % seats;

            source.fill_task(source.context, 1, rotation, &task);
            cr_assert_eq(task.seats, seats);
            cr_assert_eq(task.bots[own], rotation < seats ? COMPARISON_NEW : COMPARISON_OLD);
            for (unsigned i = 1; i < seats; i++)
                cr_assert_eq(task.bots[(own + i) % seats], 1 + i, "field %u, %u.%u", field,
                             rotation, i);
        }
        comparison_free(comparison);
        store_free(store);
    }
}

static unsigned counted;

static void count_block(void *context)
{
    (void)context;
    counted++;
}

static void expect_same(const struct comparison *one, const struct comparison *other)
{
    struct difference_test_view a = comparison_look(one);
    struct difference_test_view b = comparison_look(other);

    cr_assert_eq(a.verdict, b.verdict);
    cr_assert_eq(a.blocks, b.blocks);
    cr_assert(a.mean == b.mean || (isnan(a.mean) && isnan(b.mean)));
    for (unsigned bot = 0; bot < 2; bot++)
        cr_assert_eq(comparison_faults(one, bot), comparison_faults(other, bot));
    cr_assert_eq(comparison_matches(one), comparison_matches(other));
}

static const struct {
    int32_t edge;
    enum difference_test_verdict verdict;
} cases[] = {
    {30, DIFFERENCE_TEST_BETTER},
    {-30, DIFFERENCE_TEST_WORSE},
    {0, DIFFERENCE_TEST_OPEN},
};

Test(comparison, the_verdict_does_not_depend_on_the_order_of_play)
{
    struct allegra_dice dice = allegra_dice_from(3);
    struct comparison_setup setup = setup_of(1000);

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct store *store = make_store(2);
        struct comparison *comparison = comparison_new(store, &setup, count_block, NULL);
        struct block_source source = comparison_source(comparison);

        counted = 0;
        play_mixed(store, &source, NULL, cases[i].edge);
        cr_assert_eq(comparison_look(comparison).verdict, cases[i].verdict, "%zu", i);
        cr_assert_eq(counted, comparison_look(comparison).blocks);
        cr_assert_eq(comparison_matches(comparison), 2 * comparison_look(comparison).blocks);
        cr_assert_eq(comparison_faults(comparison, COMPARISON_NEW), 0);
        cr_assert_eq(comparison_faults(comparison, COMPARISON_OLD), 2);
        for (int order = 0; order < 20; order++) {
            struct store *other_store = make_store(2);
            struct comparison *other = comparison_new(other_store, &setup, NULL, NULL);
            struct block_source other_source = comparison_source(other);
            struct comparison *again;

            play_mixed(other_store, &other_source, &dice, cases[i].edge);
            expect_same(comparison, other);
            again = comparison_new(other_store, &setup, NULL, NULL);
            expect_same(comparison, again);
            comparison_free(again);
            comparison_free(other);
            store_free(other_store);
        }
        comparison_free(comparison);
        store_free(store);
    }
}

Test(comparison, a_gap_is_waited_for_and_a_verdict_ends_it)
{
    struct store *store = make_store(2);
    struct comparison_setup setup = setup_of(1000);
    struct comparison *comparison = comparison_new(store, &setup, NULL, NULL);
    struct block_source source = comparison_source(comparison);

    for (unsigned block = 2; block <= 40; block++) {
        decide(store, &source, block, 0, 30);
        decide(store, &source, block, 1, 30);
        source.on_block_decided(source.context, block);
        cr_assert_eq(comparison_look(comparison).blocks, 0, "block 1 is missing");
    }
    decide(store, &source, 1, 0, 30);
    source.on_block_decided(source.context, 1);
    cr_assert_eq(comparison_look(comparison).blocks, 0, "half of block 1 is missing");
    decide(store, &source, 1, 1, 30);
    source.on_block_decided(source.context, 1);
    cr_assert_eq(comparison_look(comparison).verdict, DIFFERENCE_TEST_BETTER);
    cr_assert_lt(comparison_look(comparison).blocks, 40);
    cr_assert_eq(source.rotations(source.context, 41), 0);
    cr_assert_eq(source.rotations(source.context, 1), 2);
    cr_assert_not(source.extend(source.context));
    comparison_free(comparison);
    store_free(store);
}

Test(comparison, more_blocks_come_up_to_the_most)
{
    struct store *store = make_store(2);
    struct comparison_setup setup = setup_of(100);
    struct comparison *comparison = comparison_new(store, &setup, NULL, NULL);
    struct block_source source = comparison_source(comparison);

    cr_assert_eq(source.block_count(source.context), 64);
    cr_assert(source.extend(source.context));
    cr_assert_eq(source.block_count(source.context), 100);
    cr_assert_not(source.extend(source.context));
    for (unsigned block = 1; block <= 100; block++) {
        decide(store, &source, block, 0, 0);
        decide(store, &source, block, 1, 0);
        source.on_block_decided(source.context, block);
    }
    cr_assert_neq(comparison_look(comparison).verdict, DIFFERENCE_TEST_OPEN);
    comparison_free(comparison);
    store_free(store);
}

/* Decides blocks from `first` to `last` with the same points for everybody. */
static void play_equal(struct store *store, const struct block_source *source, unsigned first,
                       unsigned last)
{
    for (unsigned block = first; block <= last; block++) {
        for (unsigned rotation = 0; rotation < 2; rotation++) {
            static const struct histogram times[ALLEGRA_SEATS_MAX];
            struct task task = {.block = block, .rotation = (uint16_t)rotation};
            struct result result = {.block = block, .rotation = (uint16_t)rotation, .rounds = 1};

            source->fill_task(source->context, block, rotation, &task);
            result.seats = task.seats;
            memcpy(result.bots, task.bots, sizeof result.bots);
            store_add_result(store, &result, "", times);
        }
        source->on_block_decided(source->context, block);
    }
}

Test(comparison, bots_without_any_difference_are_equal_before_the_first_blocks_are_used_up)
{
    struct store *store = make_store(2);
    struct comparison_setup setup = setup_of(1000);
    struct comparison *comparison;
    struct block_source source;

    setup.test.margin = 2;
    comparison = comparison_new(store, &setup, NULL, NULL);
    source = comparison_source(comparison);
    play_equal(store, &source, 1, 20);
    cr_assert_not(comparison_is_over(comparison));
    cr_assert_eq(comparison_matches_needed(comparison),
                 2 * comparison_look(comparison).blocks_needed);
    cr_assert_geq(comparison_matches_needed(comparison), 2);
    play_equal(store, &source, 21, BLOCKS);
    cr_assert(comparison_is_decided(comparison));
    cr_assert_eq(comparison_look(comparison).verdict, DIFFERENCE_TEST_EQUAL);
    cr_assert(comparison_look(comparison).is_identical);
    cr_assert_eq(comparison_matches_needed(comparison), 0);
    comparison_free(comparison);
    store_free(store);
}

Test(comparison, one_that_ended_without_a_verdict_continues_with_a_larger_most)
{
    struct store *store = make_store(2);
    struct comparison_setup setup = setup_of(5);
    struct comparison *comparison = comparison_new(store, &setup, NULL, NULL);
    struct block_source source = comparison_source(comparison);

    play_equal(store, &source, 1, 5);
    cr_assert(comparison_is_over(comparison) && !comparison_is_decided(comparison));
    cr_assert_eq(comparison_look(comparison).verdict, DIFFERENCE_TEST_UNDECIDED);
    comparison_free(comparison);
    setup = setup_of(1000);
    setup.test.margin = 2;
    comparison = comparison_new(store, &setup, NULL, NULL);
    source = comparison_source(comparison);
    cr_assert_not(comparison_is_over(comparison));
    cr_assert_eq(comparison_look(comparison).blocks, 5);
    play_equal(store, &source, 6, BLOCKS);
    cr_assert(comparison_is_decided(comparison));
    comparison_free(comparison);
    store_free(store);
}

Test(comparison, every_score_gets_the_blocks_that_were_counted)
{
    struct store *store = make_store(2);
    struct comparison_setup setup = setup_of(1000);
    struct comparison *comparison = comparison_new(store, &setup, NULL, NULL);
    struct block_source source = comparison_source(comparison);

    play_mixed(store, &source, NULL, 30);
    for (unsigned score = 0; score < COMPARISON_SCORE_COUNT; score++)
        cr_assert_eq(comparison_look_at(comparison, (enum comparison_score)score).blocks,
                     comparison_look(comparison).blocks);
    /* 30 halves in two rounds, and the dice of each match. */
    cr_assert_float_eq(comparison_look_at(comparison, COMPARISON_RAW).mean, -7.5, 2);
    comparison_free(comparison);
    store_free(store);
}
