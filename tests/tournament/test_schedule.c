#include "tournament/schedule/schedule.h"

#include "base/text.h"
#include "support/schedule_counts.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NOBODY 0xffffU
#define MASKS (1U << 12)

TestSuite(schedule);

static struct schedule_setup setup_of(enum schedule_format format, unsigned seats, unsigned bots)
{
    return (struct schedule_setup){
        .format = format,
        .seatings = SCHEDULE_ROTATIONS,
        .seats = seats,
        .bots = bots,
        .hero = bots / 2,
        .deals = 1,
        .rounds = 3,
        .seed = 17,
    };
}

static unsigned mask_of(const struct block *block)
{
    unsigned mask = 0;

    for (unsigned i = 0; i < block->seats; i++)
        mask |= 1U << block->bots[i];
    return mask;
}

/* Whether a set of bots is a group of the format. */
static bool is_group(const struct schedule_setup *setup, unsigned mask)
{
    if (setup->format == SCHEDULE_GAUNTLET && (mask >> setup->hero & 1) == 0)
        return false;
    return (unsigned)__builtin_popcount(mask) == setup->seats && mask >> setup->bots == 0;
}

static unsigned group_count(const struct schedule_setup *setup)
{
    unsigned count = 0;

    for (unsigned mask = 0; mask < MASKS; mask++)
        count += is_group(setup, mask);
    return count;
}

static bool is_same_block(const struct block *one, const struct block *other)
{
    return one->number == other->number && one->round == other->round &&
           one->seats == other->seats &&
           memcmp(one->bots, other->bots, one->seats * sizeof one->bots[0]) == 0;
}

/* How many blocks are alike from the beginning. */
static unsigned count_same(const struct schedule *one, const struct schedule *other)
{
    unsigned number = 1;

    while (number <= schedule_count(one) && number <= schedule_count(other) &&
           is_same_block(schedule_block(one, number), schedule_block(other, number)))
        number++;
    return number - 1;
}

/* Every deal has every group once; blocks are numbered from 1. */
static void check_complete(const struct schedule_setup *setup)
{
    struct schedule *schedule = schedule_new(setup);
    unsigned groups = group_count(setup);
    unsigned number = 1;

    cr_assert_eq(schedule_count(schedule), groups * setup->deals);
    cr_assert_eq(schedule_matches(schedule), (unsigned long)groups * setup->deals * setup->seats);
    cr_assert_null(schedule_block(schedule, 0));
    cr_assert_null(schedule_block(schedule, schedule_count(schedule) + 1));
    for (unsigned deal = 0; deal < setup->deals; deal++) {
        bool is_there[MASKS] = {false};

        for (unsigned i = 0; i < groups; i++, number++) {
            const struct block *block = schedule_block(schedule, number);
            unsigned mask = mask_of(block);

            cr_assert_eq(block->number, number);
            cr_assert_eq(block->round, 0);
            cr_assert_eq(block->seats, setup->seats);
            cr_assert(is_group(setup, mask));
            cr_assert_not(is_there[mask], "%x twice in a deal", mask);
            is_there[mask] = true;
        }
    }
    schedule_free(schedule);
}

Test(schedule, every_group_has_every_deal_once)
{
    for (unsigned format = SCHEDULE_ROUND_ROBIN; format <= SCHEDULE_GAUNTLET; format++) {
        for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
            for (unsigned bots = 1; bots <= 10; bots++) {
                struct schedule_setup setup = setup_of(format, seats, bots);

                setup.deals = 1 + bots % 3;
                check_complete(&setup);
                setup.matches = (unsigned long)group_count(&setup) * setup.deals * seats;
                if (setup.matches > 0)
                    check_complete(&setup);
            }
        }
    }
}

static unsigned widest_prefix(const struct schedule_setup *setup)
{
    struct schedule *schedule = schedule_new(setup);
    struct counts *counts = counts_of(schedule, setup->bots, 1, 0);
    unsigned hero = setup->format == SCHEDULE_GAUNTLET ? setup->hero : NOBODY;
    unsigned widest = 0;

    for (unsigned number = 1; number <= schedule_count(schedule); number++) {
        struct range range;

        counts_add(counts, schedule_block(schedule, number));
        range = counts_played(counts, 0, setup->bots - 1, hero);
        if (range.most - range.fewest > widest)
            widest = range.most - range.fewest;
    }
    free(counts);
    schedule_free(schedule);
    return widest;
}

Test(schedule, at_any_moment_all_have_played_about_equally_often)
{
    for (unsigned format = SCHEDULE_ROUND_ROBIN; format <= SCHEDULE_GAUNTLET; format++) {
        for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
            struct schedule_setup setup = setup_of(format, seats, 12);

            setup.deals = 2;
            cr_assert_leq(widest_prefix(&setup), 3, "format %u, seats %u", format, seats);
            setup.matches = 50UL * seats;
            cr_assert_leq(widest_prefix(&setup), 3, "format %u, seats %u", format, seats);
        }
    }
}

Test(schedule, the_same_setup_gives_the_same_schedule_and_another_seed_another)
{
    for (unsigned format = 0; format < SCHEDULE_FORMAT_COUNT; format++) {
        for (unsigned long matches = 0; matches <= 90; matches += 90) {
            struct schedule_setup setup = setup_of(format, 3, 12);
            struct schedule *one;
            struct schedule *other;
            struct schedule *third;

            setup.matches = matches;
            one = schedule_new(&setup);
            other = schedule_new(&setup);
            setup.seed++;
            third = schedule_new(&setup);
            cr_assert_gt(schedule_count(one), 0);
            cr_assert_eq(schedule_count(one), schedule_count(other));
            cr_assert_eq(schedule_count(one), schedule_count(third));
            cr_assert_eq(count_same(one, other), schedule_count(one));
            cr_assert_lt(count_same(one, third), 3);
            schedule_free(one);
            schedule_free(other);
            schedule_free(third);
        }
    }
}

/* With rotations who sits next to whom is what the base seating says, so it has to vary. */
Test(schedule, the_base_seating_varies_from_deal_to_deal)
{
    struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, 4, 4);
    unsigned left_of[4][4] = {{0}};
    struct schedule *schedule;

    setup.deals = 300;
    schedule = schedule_new(&setup);
    for (unsigned number = 1; number <= 300; number++) {
        const struct block *block = schedule_block(schedule, number);

        for (unsigned i = 0; i < 4; i++)
            left_of[block->bots[i]][block->bots[(i + 1) % 4]]++;
    }
    for (unsigned i = 0; i < 16; i++) {
        if (i / 4 != i % 4)
            cr_assert(left_of[i / 4][i % 4] > 60 && left_of[i / 4][i % 4] < 140);
    }
    schedule_free(schedule);
}

/* Counts seats and neighbours over all matches of a block. */
static void check_seatings(enum schedule_seatings seatings, unsigned seats, unsigned expected)
{
    struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, seats, seats);
    unsigned sits[ALLEGRA_SEATS_MAX][ALLEGRA_SEATS_MAX] = {{0}};
    unsigned left_of[ALLEGRA_SEATS_MAX][ALLEGRA_SEATS_MAX] = {{0}};
    uint16_t all[SCHEDULE_SEATINGS_MAX][ALLEGRA_SEATS_MAX] = {{0}};
    struct schedule *schedule;
    const struct block *block;

    setup.seatings = seatings;
    schedule = schedule_new(&setup);
    block = schedule_block(schedule, 1);
    cr_assert_eq(schedule_rotations(schedule, block), expected);
    for (unsigned rotation = 0; rotation < expected; rotation++) {
        schedule_seats(schedule, block, rotation, all[rotation]);
        for (unsigned seat = 0; seat < seats; seat++) {
            sits[all[rotation][seat]][seat]++;
            left_of[all[rotation][seat]][all[rotation][(seat + 1) % seats]]++;
        }
        for (unsigned before = 0; before < rotation; before++)
            cr_assert_neq(memcmp(all[before], all[rotation], sizeof all[0]), 0);
    }
    cr_assert_eq(memcmp(all[0], block->bots, seats * sizeof all[0][0]), 0);
    for (unsigned one = 0; one < seats; one++) {
        for (unsigned other = 0; other < seats; other++) {
            cr_assert_eq(sits[one][other], expected / seats);
            if (one != other && seatings == SCHEDULE_ALL)
                cr_assert_eq(left_of[one][other], expected / (seats - 1));
        }
    }
    schedule_free(schedule);
}

Test(schedule, in_a_block_everybody_has_every_seat_and_neighbour_equally_often)
{
    check_seatings(SCHEDULE_ALL, 2, 2);
    check_seatings(SCHEDULE_ALL, 3, 6);
    check_seatings(SCHEDULE_ALL, 4, 24);
    for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++)
        check_seatings(SCHEDULE_ROTATIONS, seats, seats);
}

/* Lets bots come one generation after the other: nothing before may change. */
static void check_growth(struct schedule_setup setup, const unsigned *generation)
{
    struct schedule *before = NULL;

    setup.generation = generation;
    for (unsigned bots = setup.hero + 1; bots <= setup.bots; bots++) {
        struct schedule_setup part = setup;
        struct schedule *schedule;

        if (bots < setup.bots && generation[bots] == generation[bots - 1])
            continue;
        part.bots = bots;
        schedule = schedule_new(&part);
        if (before != NULL) {
            cr_assert_eq(count_same(before, schedule), schedule_count(before));
            cr_assert(bots < setup.seats || schedule_count(schedule) > schedule_count(before));
        }
        for (unsigned n = before != NULL ? schedule_count(before) + 1 : 1;
             n <= schedule_count(schedule); n++) {
            unsigned mask = mask_of(schedule_block(schedule, n));
            unsigned highest = 31U - (unsigned)__builtin_clz(mask);

            cr_assert(setup.format == SCHEDULE_GAUNTLET ||
                      generation[highest] == generation[bots - 1] || before == NULL);
        }
        schedule_free(before);
        before = schedule;
    }
    schedule_free(before);
}

Test(schedule, bots_that_come_later_change_no_block_that_was_there)
{
    static const unsigned generations[][10] = {
        {1, 1, 1, 1, 1, 1, 1, 1, 2, 3},
        {1, 1, 1, 1, 1, 1, 2, 2, 2, 5},
        {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
        {1, 1, 1, 2, 2, 2, 2, 3, 3, 3},
    };

    for (unsigned i = 0; i < 4; i++) {
        for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
            for (unsigned format = SCHEDULE_ROUND_ROBIN; format <= SCHEDULE_GAUNTLET; format++) {
                struct schedule_setup setup = setup_of(format, seats, 10);

                setup.deals = 2;
                setup.hero = i;
                check_growth(setup, generations[i]);
                setup.matches = 12UL * seats;
                check_growth(setup, generations[i]);
            }
        }
    }
}

Test(schedule, with_all_groups_it_does_not_matter_when_a_bot_came)
{
    static const unsigned generation[] = {1, 1, 1, 1, 2, 2, 3, 7};

    for (unsigned format = SCHEDULE_ROUND_ROBIN; format <= SCHEDULE_GAUNTLET; format++) {
        for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
            struct schedule_setup setup = setup_of(format, seats, 8);
            unsigned blocks[MASKS] = {0};
            struct schedule *schedule;

            setup.deals = 3;
            setup.generation = generation;
            schedule = schedule_new(&setup);
            for (unsigned number = 1; number <= schedule_count(schedule); number++)
                blocks[mask_of(schedule_block(schedule, number))]++;
            for (unsigned mask = 0; mask < MASKS; mask++)
                cr_assert_eq(blocks[mask], is_group(&setup, mask) ? 3 : 0);
            schedule_free(schedule);
        }
    }
}

static void check_expected(const struct schedule_setup *setup)
{
    struct schedule *schedule = schedule_new(setup);

    cr_assert_eq(schedule_expect(setup), schedule_matches(schedule),
                 "format %d, seatings %d, %u seats, at most %lu: %lu", (int)setup->format,
                 (int)setup->seatings, setup->seats, setup->matches, schedule_expect(setup));
    schedule_free(schedule);
}

Test(schedule, the_number_of_matches_is_known_before_the_schedule_is_made)
{
    static const unsigned long limits[] = {0, 1, 30, 200, 100000};

    for (unsigned format = 0; format < SCHEDULE_FORMAT_COUNT; format++) {
        for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
            for (unsigned i = 0; i < SCHEDULE_SEATINGS_COUNT * ARRAY_LEN(limits); i++) {
                struct schedule_setup setup = setup_of(format, seats, 9);

                setup.deals = 3;
                setup.rounds = 4;
                setup.seatings = i % SCHEDULE_SEATINGS_COUNT;
                setup.matches = limits[i / SCHEDULE_SEATINGS_COUNT];
                if (setup.seatings != SCHEDULE_ALL || seats <= 4)
                    check_expected(&setup);
            }
        }
    }
}

Test(schedule, too_many_matches_to_count_are_as_many_as_can_be_counted)
{
    struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, 6, 4096);

    setup.deals = 100000;
    cr_assert_eq(schedule_expect(&setup), ULONG_MAX);
    setup.matches = 600;
    cr_assert_eq(schedule_expect(&setup), 600);
}

Test(schedule, rematches_come_where_the_end_was_and_move_later_blocks)
{
    struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, 2, 4);
    struct schedule *plain = schedule_new(&setup);
    struct schedule *schedule = schedule_new(&setup);
    const unsigned blocks[] = {1, 3};

    cr_assert(schedule_add_rematches(schedule, 4, blocks, 2));
    cr_assert_eq(schedule_count(schedule), schedule_count(plain) + 2);
    for (unsigned i = 0; i < 2; i++) {
        const struct block *old = schedule_block(schedule, blocks[i]);
        const struct block *rematch = schedule_block(schedule, 5 + i);

        cr_assert_eq(old->rematch, 5 + i);
        cr_assert_eq(rematch->rematch_of, blocks[i]);
        cr_assert_eq(rematch->number, 5 + i);
        cr_assert_arr_eq(old->bots, rematch->bots, sizeof old->bots);
    }
    cr_assert_eq(schedule_block(schedule, 7)->number, 7);
    cr_assert_arr_eq(schedule_block(schedule, 7)->bots, schedule_block(plain, 5)->bots,
                     2 * sizeof(uint16_t));
    schedule_free(plain);
    schedule_free(schedule);
}

Test(schedule, rematches_that_do_not_fit_are_refused)
{
    struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, 2, 4);
    struct schedule *schedule = schedule_new(&setup);
    unsigned count = schedule_count(schedule);
    const unsigned blocks[] = {0, 1, 3};

    cr_assert_not(schedule_add_rematches(schedule, count + 1, blocks + 1, 1));
    cr_assert_not(schedule_add_rematches(schedule, 2, blocks + 2, 1));
    cr_assert_not(schedule_add_rematches(schedule, count, blocks, 1));
    cr_assert_eq(schedule_count(schedule), count);
    cr_assert(schedule_add_rematches(schedule, count, blocks + 1, 1));
    cr_assert_not(schedule_add_rematches(schedule, count + 1, blocks + 1, 1));
    schedule_free(schedule);
}
