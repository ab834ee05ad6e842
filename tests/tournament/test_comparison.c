/* NEW against OLD: who sits where, what is counted, and when no more is played. */

#include "tournament/duel.h"

#include "base/dice.h"
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
    cr_assert_eq(chance_init(), 0);
    scratch_begin();
}

TestSuite(duel, .init = begin_all, .fini = scratch_end);

static struct store *make_store(unsigned bots)
{
    struct store_setting settings[] = {{"format", "compare"}, {NULL, NULL}};
    static unsigned number;
    char words[200];
    char name[20];
    struct text problem;
    struct store *store;

    (void)snprintf(name, sizeof name, "store-%u", number++);
    text_start(&problem, words, sizeof words);
    store = store_open(scratch_path(name), false, &problem);
    cr_assert_not_null(store, "%s", words);
    cr_assert_eq(store_begin(store, "compare", settings, "x"), 0);
    for (unsigned i = 0; i < bots; i++) {
        char bot_name[] = "bot-0";
        struct store_bot bot = {.name = bot_name, .command = bot_name, .generation = 1};

        bot_name[4] = (char)('0' + i);
        store_add_bot(store, &bot);
    }
    return store;
}

static struct sequential_setup setup_of(unsigned most)
{
    struct sequential_setup setup = sequential_default();

    setup.least = 5;
    setup.most = most;
    return setup;
}

/* Points of a bot in a match, by the match alone: NEW has `edge` fewer. */
static int32_t halves_of(const struct job *job, unsigned seat, int32_t edge)
{
    struct dice dice = dice_from(job->block * 100ULL + job->rotation * 10ULL + seat);

    return 60 + (int32_t)dice_below(&dice, 20) - (job->bots[seat] == DUEL_NEW ? edge : 0);
}

static void decide(struct store *store, const struct programme *programme, unsigned block,
                   unsigned rotation, int32_t edge)
{
    static const struct spread times[RULES_SEATS_MAX];
    struct job job = {.block = block, .rotation = (uint16_t)rotation};
    struct result result = {.block = block, .rotation = (uint16_t)rotation, .rounds = 2};

    programme->seat(programme->context, block, rotation, &job);
    result.seats = job.seats;
    memcpy(result.bots, job.bots, sizeof result.bots);
    for (unsigned seat = 0; seat < job.seats; seat++) {
        result.places[seat] = 1;
        result.score_halves[seat] = halves_of(&job, seat, edge);
        result.faults[seat] = job.bots[seat] == DUEL_OLD && block == 2 ? BOT_LATE : BOT_ANSWERED;
    }
    store_add_result(store, &result, "", times);
}

/* Plays the first blocks with two rotations each, in an order by the dice. */
static void play_mixed(struct store *store, const struct programme *programme, struct dice *dice,
                       int32_t edge)
{
    unsigned order[2 * BLOCKS];

    for (unsigned i = 0; i < 2 * BLOCKS; i++)
        order[i] = i;
    for (unsigned i = 2 * BLOCKS - 1; dice != NULL && i > 0; i--) {
        unsigned j = dice_below(dice, i + 1);
        unsigned kept = order[i];

        order[i] = order[j];
        order[j] = kept;
    }
    for (unsigned i = 0; i < 2 * BLOCKS; i++) {
        unsigned block = order[i] / 2 + 1;

        decide(store, programme, block, order[i] % 2, edge);
        if (store_done(store, block) == 3)
            programme->on_block(programme->context, block);
    }
}

Test(duel, without_a_field_both_sit_everywhere)
{
    struct store *store = make_store(2);
    struct sequential_setup setup = setup_of(100);
    struct duel *duel = duel_new(store, &setup, NULL, NULL);
    struct programme programme = duel_programme(duel);

    cr_assert_eq(programme.rotations(programme.context, 1), 2);
    for (unsigned rotation = 0; rotation < 2; rotation++) {
        struct job job = {.block = 1, .rotation = (uint16_t)rotation};

        programme.seat(programme.context, 1, rotation, &job);
        cr_assert_eq(job.seats, 2);
        cr_assert_eq(job.bots[rotation], DUEL_NEW);
        cr_assert_eq(job.bots[1 - rotation], DUEL_OLD);
    }
    duel_free(duel);
    duel_free(NULL);
    store_free(store);
}

/* With a field of 1 to 5: NEW and OLD once on every seat, the field around them in the same order. */
Test(duel, with_a_field_both_sit_everywhere_with_the_same_neighbours)
{
    for (unsigned field = 1; field <= DUEL_FIELD_MAX; field++) {
        struct store *store = make_store(2 + field);
        struct sequential_setup setup = setup_of(100);
        struct duel *duel = duel_new(store, &setup, NULL, NULL);
        struct programme programme = duel_programme(duel);
        unsigned seats = field + 1;

        cr_assert_eq(programme.rotations(programme.context, 1), 2 * seats);
        for (unsigned rotation = 0; rotation < 2 * seats; rotation++) {
            struct job job = {.block = 1};
            unsigned own = rotation % seats;

            programme.seat(programme.context, 1, rotation, &job);
            cr_assert_eq(job.seats, seats);
            cr_assert_eq(job.bots[own], rotation < seats ? DUEL_NEW : DUEL_OLD);
            for (unsigned i = 1; i < seats; i++)
                cr_assert_eq(job.bots[(own + i) % seats], 1 + i, "field %u, %u.%u", field, rotation,
                             i);
        }
        duel_free(duel);
        store_free(store);
    }
}

static unsigned steps;

static void count_step(void *context)
{
    (void)context;
    steps++;
}

static void expect_same(const struct duel *one, const struct duel *other)
{
    struct sequential_view a = duel_look(one);
    struct sequential_view b = duel_look(other);

    cr_assert_eq(a.verdict, b.verdict);
    cr_assert_eq(a.blocks, b.blocks);
    cr_assert(a.mean == b.mean || (isnan(a.mean) && isnan(b.mean)));
    for (unsigned bot = 0; bot < 2; bot++)
        cr_assert_eq(duel_faults(one, bot), duel_faults(other, bot));
    cr_assert_eq(duel_matches(one), duel_matches(other));
}

static const struct {
    int32_t edge;
    enum sequential_verdict verdict;
} cases[] = {
    {30, SEQUENTIAL_BETTER},
    {-30, SEQUENTIAL_WORSE},
    {0, SEQUENTIAL_GOES_ON},
};

Test(duel, the_verdict_does_not_depend_on_the_order_of_play)
{
    struct dice dice = dice_from(3);
    struct sequential_setup setup = setup_of(1000);

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct store *store = make_store(2);
        struct duel *duel = duel_new(store, &setup, count_step, NULL);
        struct programme programme = duel_programme(duel);

        steps = 0;
        play_mixed(store, &programme, NULL, cases[i].edge);
        cr_assert_eq(duel_look(duel).verdict, cases[i].verdict, "%zu", i);
        cr_assert_eq(steps, duel_look(duel).blocks);
        cr_assert_eq(duel_matches(duel), 2 * duel_look(duel).blocks);
        cr_assert_eq(duel_faults(duel, DUEL_NEW), 0);
        cr_assert_eq(duel_faults(duel, DUEL_OLD), 2);
        for (int order = 0; order < 20; order++) {
            struct store *other_store = make_store(2);
            struct duel *other = duel_new(other_store, &setup, NULL, NULL);
            struct programme other_programme = duel_programme(other);
            struct duel *again;

            play_mixed(other_store, &other_programme, &dice, cases[i].edge);
            expect_same(duel, other);
            again = duel_new(other_store, &setup, NULL, NULL);
            expect_same(duel, again);
            duel_free(again);
            duel_free(other);
            store_free(other_store);
        }
        duel_free(duel);
        store_free(store);
    }
}

Test(duel, a_gap_is_waited_for_and_a_verdict_ends_it)
{
    struct store *store = make_store(2);
    struct sequential_setup setup = setup_of(1000);
    struct duel *duel = duel_new(store, &setup, NULL, NULL);
    struct programme programme = duel_programme(duel);

    for (unsigned block = 2; block <= 40; block++) {
        decide(store, &programme, block, 0, 30);
        decide(store, &programme, block, 1, 30);
        programme.on_block(programme.context, block);
        cr_assert_eq(duel_look(duel).blocks, 0, "block 1 is missing");
    }
    decide(store, &programme, 1, 0, 30);
    programme.on_block(programme.context, 1);
    cr_assert_eq(duel_look(duel).blocks, 0, "half of block 1 is missing");
    decide(store, &programme, 1, 1, 30);
    programme.on_block(programme.context, 1);
    cr_assert_eq(duel_look(duel).verdict, SEQUENTIAL_BETTER);
    cr_assert_lt(duel_look(duel).blocks, 40);
    cr_assert_eq(programme.rotations(programme.context, 41), 0);
    cr_assert_eq(programme.rotations(programme.context, 1), 2);
    cr_assert_not(programme.extend(programme.context));
    duel_free(duel);
    store_free(store);
}

Test(duel, more_blocks_come_up_to_the_most)
{
    struct store *store = make_store(2);
    struct sequential_setup setup = setup_of(100);
    struct duel *duel = duel_new(store, &setup, NULL, NULL);
    struct programme programme = duel_programme(duel);

    cr_assert_eq(programme.blocks(programme.context), 64);
    cr_assert(programme.extend(programme.context));
    cr_assert_eq(programme.blocks(programme.context), 100);
    cr_assert_not(programme.extend(programme.context));
    for (unsigned block = 1; block <= 100; block++) {
        decide(store, &programme, block, 0, 0);
        decide(store, &programme, block, 1, 0);
        programme.on_block(programme.context, block);
    }
    cr_assert_neq(duel_look(duel).verdict, SEQUENTIAL_GOES_ON);
    duel_free(duel);
    store_free(store);
}
