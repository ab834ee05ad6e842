#include "tournament/schedule/schedule.h"

#include "game/allegra.h"
#include "support/schedule_counts.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define BOTS_MAX 72

TestSuite(schedule_swiss);

static struct schedule_setup setup_of(unsigned seats, unsigned bots, unsigned rounds)
{
    return (struct schedule_setup){
        .format = SCHEDULE_SWISS,
        .seatings = SCHEDULE_ROTATIONS,
        .seats = seats,
        .bots = bots,
        .deals = 1,
        .rounds = rounds,
        .seed = 23,
    };
}

static void put_in_order(uint16_t *order, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        order[i] = (uint16_t)i;
}

/* New standings: everybody may move by some places. */
static void stir(uint16_t *order, unsigned count, unsigned reach, struct allegra_dice *dice)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned j = i + allegra_dice_below(dice, count - i < reach ? count - i : reach);
        uint16_t bot = order[i];

        order[i] = order[j];
        order[j] = bot;
    }
}

/* How often those at the tables of the last round met before; adds that round to the counts. */
static unsigned count_repeats(const struct schedule *schedule, struct counts *counts,
                              unsigned first)
{
    unsigned repeats = 0;

    for (unsigned number = first; number <= schedule_count(schedule); number++) {
        const struct block *block = schedule_block(schedule, number);

        for (unsigned i = 0; i < block->seats; i++) {
            for (unsigned j = 0; j < i; j++)
                repeats += counts->met[block->bots[i]][block->bots[j]];
        }
    }
    for (unsigned number = first; number <= schedule_count(schedule); number++)
        counts_add(counts, schedule_block(schedule, number));
    return repeats;
}

/* The fewest repeats that tables of two can have, by trying all; `mask` has those not seated
 * yet. */
static unsigned fewest_repeats(const struct counts *counts, unsigned mask)
{
    unsigned one = (unsigned)__builtin_ctz(mask | 1U << 31);
    unsigned fewest = UINT_MAX;

    if (mask == 0)
        return 0;
    mask &= mask - 1;
    for (unsigned other = one + 1; other < counts->bots; other++) {
        unsigned repeats;

        if ((mask >> other & 1) == 0)
            continue;
        repeats = counts->met[one][other] + fewest_repeats(counts, mask & ~(1U << other));
        fewest = repeats < fewest ? repeats : fewest;
    }
    return fewest;
}

static void check_against_all(unsigned bots, uint64_t seed)
{
    struct schedule_setup setup = setup_of(2, bots, bots + 2);
    struct allegra_dice dice = allegra_dice_from(seed);
    uint16_t order[BOTS_MAX];
    struct schedule *schedule;
    struct counts *counts;
    unsigned first = 1;

    setup.seed = seed;
    put_in_order(order, bots);
    schedule = schedule_new(&setup);
    counts = counts_of(schedule, bots, 1, 0);
    for (unsigned round = 1; round <= setup.rounds; round++) {
        unsigned fewest = fewest_repeats(counts, (1U << bots) - 1);

        cr_assert_eq(count_repeats(schedule, counts, first), fewest, "%u bots, seed %u, round %u",
                     bots, (unsigned)seed, round);
        cr_assert(round > bots / 2 || fewest == 0);
        first = schedule_count(schedule) + 1;
        stir(order, bots, bots, &dice);
        cr_assert_eq(schedule_add_round(schedule, order, bots), round < setup.rounds);
    }
    free(counts);
    schedule_free(schedule);
}

Test(schedule_swiss, tables_of_two_repeat_as_few_meetings_as_can_be)
{
    for (unsigned bots = 2; bots <= 8; bots += 2) {
        for (uint64_t seed = 0; seed < 10; seed++)
            check_against_all(bots, seed);
    }
}

Test(schedule_swiss, with_enough_bots_no_meeting_is_repeated)
{
    for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
        unsigned bots = 12 * seats;
        struct schedule_setup setup = setup_of(seats, bots, 5);
        struct allegra_dice dice = allegra_dice_from(seats);
        struct schedule *schedule = schedule_new(&setup);
        struct counts *counts = counts_of(schedule, bots, 1, 0);
        uint16_t order[BOTS_MAX];
        unsigned first = 1;

        put_in_order(order, bots);
        do {
            cr_assert_eq(count_repeats(schedule, counts, first), 0, "%u seats", seats);
            first = schedule_count(schedule) + 1;
            stir(order, bots, 4, &dice);
        } while (schedule_add_round(schedule, order, bots));
        cr_assert_eq(schedule_count(schedule), 60);
        free(counts);
        schedule_free(schedule);
    }
}

Test(schedule_swiss, neighbours_in_the_order_meet)
{
    struct schedule_setup setup = setup_of(3, 60, 2);
    struct schedule *schedule = schedule_new(&setup);
    uint16_t order[60];

    for (unsigned i = 0; i < 60; i++)
        order[i] = (uint16_t)((i * 37 + 5) % 60);
    cr_assert(schedule_add_round(schedule, order, 60));
    for (unsigned number = 21; number <= 40; number++) {
        const struct block *block = schedule_block(schedule, number);

        for (unsigned i = 0; i < 3; i++) {
            unsigned table = number - 21;
            unsigned place = 0;

            while (order[place] != block->bots[i])
                place++;
            cr_assert(place + 6 >= table * 3 && place <= table * 3 + 8, "place %u at table %u",
                      place, table);
        }
    }
    schedule_free(schedule);
}

/* The standings after the first round have all who met side by side: everybody has to move, but
 * hardly anybody further than to the next table. */
Test(schedule_swiss, few_move_further_than_it_takes)
{
    struct schedule_setup setup = setup_of(2, 600, 2);
    struct schedule *schedule = schedule_new(&setup);
    unsigned place[600] = {0};
    uint16_t order[600];
    unsigned far = 0;

    for (unsigned i = 0; i < 600; i++) {
        order[i] = schedule_block(schedule, i / 2 + 1)->bots[i % 2];
        place[order[i]] = i;
    }
    cr_assert(schedule_add_round(schedule, order, 600));
    for (unsigned number = 301; number <= 600; number++) {
        const struct block *block = schedule_block(schedule, number);
        int distance = (int)place[block->bots[0]] - (int)place[block->bots[1]];

        far += abs(distance) > 3;
        cr_assert_neq(place[block->bots[0]] / 2, place[block->bots[1]] / 2);
    }
    cr_assert_leq(far, 30);
    schedule_free(schedule);
}

/* Nobody is twice in a round, and each table has all deals. */
Test(schedule_swiss, a_round_seats_everybody_once_for_each_deal)
{
    for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
        for (unsigned bots = 0; bots <= 20; bots++) {
            struct schedule_setup setup = setup_of(seats, bots, 3);
            unsigned tables = bots / seats;
            struct schedule *schedule;
            uint16_t order[BOTS_MAX];

            setup.deals = 2;
            put_in_order(order, bots);
            schedule = schedule_new(&setup);
            cr_assert_eq(schedule_matches(schedule), 3UL * 2 * tables * seats);
            while (schedule_add_round(schedule, order, bots))
                continue;
            cr_assert_eq(schedule_count(schedule), 3 * 2 * tables);
            cr_assert_eq(schedule_matches(schedule), 3UL * 2 * tables * seats);
            for (unsigned part = 0; part < 6; part++) {
                struct counts *counts =
                    counts_of(schedule, bots, part * tables + 1, (part + 1) * tables);
                unsigned seated = 0;

                for (unsigned bot = 0; bot < bots; bot++) {
                    cr_assert_leq(counts->played[bot], 1);
                    seated += counts->played[bot];
                }
                cr_assert_eq(seated, tables * seats);
                for (unsigned i = 1; i <= tables; i++)
                    cr_assert_eq(schedule_block(schedule, part * tables + i)->round, part / 2 + 1);
                free(counts);
            }
            schedule_free(schedule);
        }
    }
}

Test(schedule_swiss, all_sit_out_equally_often)
{
    for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
        for (unsigned bots = seats; bots <= 20; bots++) {
            struct schedule_setup setup = setup_of(seats, bots, 15);
            struct allegra_dice dice = allegra_dice_from(bots);
            struct schedule *schedule = schedule_new(&setup);
            uint16_t order[BOTS_MAX];
            struct counts *counts;
            struct range played;

            put_in_order(order, bots);
            do
                stir(order, bots, 5, &dice);
            while (schedule_add_round(schedule, order, bots));
            counts = counts_of(schedule, bots, 1, schedule_count(schedule));
            played = counts_played(counts, 0, bots - 1, BOTS_MAX);
            cr_assert_leq(played.most - played.fewest, 1);
            free(counts);
            schedule_free(schedule);
        }
    }
}

static bool is_in_round(const struct schedule *schedule, unsigned round, unsigned bot)
{
    for (unsigned number = 1; number <= schedule_count(schedule); number++) {
        const struct block *block = schedule_block(schedule, number);

        for (unsigned i = 0; i < block->seats; i++) {
            if (block->round == round && block->bots[i] == bot)
                return true;
        }
    }
    return false;
}

Test(schedule_swiss, the_last_sits_out_but_not_twice)
{
    struct schedule_setup setup = setup_of(2, 7, 4);
    struct schedule *schedule = schedule_new(&setup);
    uint16_t order[7] = {0, 1, 2, 3, 4, 5, 6};
    unsigned first = 0;
    unsigned expected[3];

    while (is_in_round(schedule, 1, first))
        first++;
    for (unsigned i = 0, bot = 7; i < 3 && bot-- > 0;) {
        if (bot != first)
            expected[i++] = bot;
    }
    for (unsigned round = 2; round <= 4; round++) {
        cr_assert(schedule_add_round(schedule, order, 7));
        cr_assert_not(is_in_round(schedule, round, expected[round - 2]));
    }
    cr_assert_not(schedule_add_round(schedule, order, 7));
    schedule_free(schedule);
}

Test(schedule_swiss, bots_come_and_go_between_rounds)
{
    static const unsigned generation[] = {1, 1, 1, 1, 1, 1, 2, 2, 3};
    static const uint16_t second[] = {7, 6, 5, 4, 3, 2, 1, 0};
    static const uint16_t third[] = {8, 7, 6, 5};
    struct schedule_setup setup = setup_of(2, 9, 5);
    struct schedule *schedule;
    struct schedule *without;

    setup.generation = generation;
    schedule = schedule_new(&setup);
    cr_assert_eq(schedule_count(schedule), 3);
    cr_assert_eq(schedule_matches(schedule), 2UL * (3 + 4 * 4));
    setup.bots = 6;
    without = schedule_new(&setup);
    for (unsigned number = 1; number <= 3; number++) {
        const struct block *block = schedule_block(schedule, number);

        cr_assert_eq(block->bots[0], schedule_block(without, number)->bots[0]);
        cr_assert_eq(block->bots[1], schedule_block(without, number)->bots[1]);
    }
    cr_assert(schedule_add_round(schedule, second, 8));
    cr_assert_eq(schedule_count(schedule), 3 + 4);
    cr_assert(schedule_add_round(schedule, third, 4));
    cr_assert_eq(schedule_count(schedule), 3 + 4 + 2);
    cr_assert_eq(schedule_matches(schedule), 2UL * (3 + 4 + 2 + 2 * 2));
    cr_assert_not(is_in_round(schedule, 3, 0));
    cr_assert(schedule_add_round(schedule, third, 1));
    cr_assert(schedule_add_round(schedule, NULL, 0));
    cr_assert_not(schedule_add_round(schedule, third, 4));
    cr_assert_eq(schedule_count(schedule), 3 + 4 + 2);
    schedule_free(schedule);
    schedule_free(without);
}

Test(schedule_swiss, later_rounds_depend_on_the_setup_and_the_orders_alone)
{
    struct schedule_setup setup = setup_of(4, 18, 6);
    struct schedule *one = schedule_new(&setup);
    struct schedule *other = schedule_new(&setup);
    struct allegra_dice dice = allegra_dice_from(1);
    uint16_t order[18];

    put_in_order(order, 18);
    do
        stir(order, 18, 6, &dice);
    while (schedule_add_round(one, order, 18) && schedule_add_round(other, order, 18));
    cr_assert_eq(schedule_count(one), 24);
    cr_assert_eq(schedule_count(other), 24);
    for (unsigned number = 1; number <= 24; number++)
        cr_assert_eq(memcmp(schedule_block(one, number), schedule_block(other, number),
                            sizeof(struct block)),
                     0);
    schedule_free(one);
    schedule_free(other);
}

Test(schedule_swiss, too_many_rounds_are_refused)
{
    struct schedule_setup setup = setup_of(2, 1000, 2000);
    struct schedule *schedule = schedule_new(&setup);

    cr_assert_not_null(schedule);
    cr_assert_eq(schedule_matches(schedule), 2000000);
    schedule_free(schedule);
    setup.rounds++;
    cr_assert_null(schedule_new(&setup));
    setup.rounds = UINT_MAX;
    setup.deals = UINT_MAX;
    cr_assert_null(schedule_new(&setup));
}
