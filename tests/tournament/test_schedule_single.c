/* Every deal once: one match per block, and the seats rotate from deal to deal. */

#include "base/text.h"
#include "tournament/schedule/schedule.h"

#include <criterion/criterion.h>
#include <string.h>

#define MASKS (1U << 10)

static struct schedule_setup setup_of(enum schedule_format format, unsigned seats, unsigned bots)
{
    return (struct schedule_setup){
        .format = format,
        .seatings = SCHEDULE_SINGLE,
        .seats = seats,
        .bots = bots,
        .hero = bots / 2,
        .deals = 2 * seats,
        .rounds = 4,
        .seed = 17,
    };
}

/* Of one group: its first block, how many there are, and how often each of its bots had each
 * seat. */
struct group_count {
    const struct block *first;
    unsigned blocks;
    unsigned sits[10][ALLEGRA_SEATS_MAX];
};

static unsigned mask_of(const struct block *block)
{
    unsigned mask = 0;

    for (unsigned i = 0; i < block->seats; i++)
        mask |= 1U << block->bots[i];
    return mask;
}

/* After each `seats` blocks of a group everybody has had every seat equally often. */
static void check_even(const struct group_count *group)
{
    unsigned seats = group->first->seats;

    if (group->blocks % seats != 0)
        return;
    for (unsigned i = 0; i < seats; i++) {
        for (unsigned seat = 0; seat < seats; seat++)
            cr_assert_eq(group->sits[group->first->bots[i]][seat], group->blocks / seats);
    }
}

/* Returns in how many blocks of the first deals seat 0 is the lowest of the group. */
static unsigned check_single(const struct schedule *schedule)
{
    static struct group_count groups[MASKS];
    unsigned lowest = 0;

    memset(groups, 0, sizeof groups);
    cr_assert_geq(schedule_matches(schedule), schedule_count(schedule));
    for (unsigned number = 1; number <= schedule_count(schedule); number++) {
        const struct block *block = schedule_block(schedule, number);
        struct group_count *group = &groups[mask_of(block)];
        uint16_t bots[ALLEGRA_SEATS_MAX];

        cr_assert_eq((unsigned)__builtin_popcount(mask_of(block)), block->seats);
        cr_assert_eq(schedule_rotations(schedule, block), 1);
        schedule_seats(schedule, block, 0, bots);
        cr_assert_arr_eq(bots, block->bots, block->seats * sizeof bots[0]);
        if (group->first == NULL) {
            group->first = block;
            lowest += bots[0] == __builtin_ctz(mask_of(block));
        }
        for (unsigned seat = 0; seat < block->seats; seat++) {
            cr_assert_eq(bots[seat], group->first->bots[(seat + group->blocks) % block->seats]);
            group->sits[bots[seat]][seat]++;
        }
        group->blocks++;
        check_even(group);
    }
    return lowest;
}

Test(schedule_single, the_seats_of_a_group_go_round_from_deal_to_deal)
{
    for (unsigned format = SCHEDULE_ROUND_ROBIN; format <= SCHEDULE_GAUNTLET; format++) {
        for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
            for (unsigned long matches = 0; matches <= 500; matches += 100) {
                struct schedule_setup setup = setup_of(format, seats, 9);
                struct schedule *schedule;

                setup.matches = matches;
                schedule = schedule_new(&setup);
                cr_assert(schedule_count(schedule) == matches || matches == 0 ||
                          schedule_count(schedule) < matches);
                cr_assert_eq(schedule_matches(schedule), schedule_count(schedule));
                check_single(schedule);
                schedule_free(schedule);
            }
        }
    }
}

Test(schedule_single, groups_of_swiss_that_meet_again_continue_where_they_were)
{
    for (unsigned seats = 2; seats <= 5; seats++) {
        struct schedule_setup setup = setup_of(SCHEDULE_SWISS, seats, 6);
        uint16_t order[] = {5, 3, 1, 0, 2, 4};
        struct schedule *schedule;

        setup.deals = 3;
        schedule = schedule_new(&setup);
        while (schedule_add_round(schedule, order, ARRAY_LEN(order)))
            continue;
        cr_assert_eq(schedule_count(schedule), 6 / seats * 3 * setup.rounds);
        check_single(schedule);
        schedule_free(schedule);
    }
}

/* The first in the list are not the first at the table. */
Test(schedule_single, where_a_group_begins_is_drawn)
{
    struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, 3, 10);
    struct schedule *schedule;
    unsigned lowest;

    setup.deals = 1;
    schedule = schedule_new(&setup);
    lowest = check_single(schedule);
    cr_assert(lowest > 20 && lowest < 60, "%u of 120", lowest);
    schedule_free(schedule);
}

Test(schedule_single, a_table_alone_begins_as_it_is_listed)
{
    static const unsigned generation[] = {1, 1, 1, 1, 1, 1, 2, 3};

    for (unsigned format = 0; format < SCHEDULE_FORMAT_COUNT; format++) {
        for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
            struct schedule_setup setup = setup_of(format, seats, seats);

            /* Bots that join later change nothing. */
            for (unsigned later = 0; later <= 2; later++) {
                struct schedule *schedule;

                setup.bots = seats + later;
                setup.generation = generation + ALLEGRA_SEATS_MAX - seats;
                schedule = schedule_new(&setup);
                for (unsigned i = 0; i < seats; i++)
                    cr_assert_eq(schedule_block(schedule, 1)->bots[i], i);
                check_single(schedule);
                schedule_free(schedule);
            }
        }
    }
}

Test(schedule_single, bots_that_come_later_change_no_block_that_was_there)
{
    static const unsigned generation[] = {1, 1, 1, 1, 1, 2, 2, 3};

    for (unsigned long matches = 0; matches <= 30; matches += 30) {
        struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, 3, 8);
        struct schedule *after;
        struct schedule *before;

        setup.matches = matches;
        setup.generation = generation;
        after = schedule_new(&setup);
        setup.bots = 5;
        before = schedule_new(&setup);
        check_single(after);
        cr_assert_gt(schedule_count(after), schedule_count(before));
        for (unsigned number = 1; number <= schedule_count(before); number++)
            cr_assert_arr_eq(schedule_block(before, number)->bots,
                             schedule_block(after, number)->bots, 3 * sizeof(uint16_t));
        schedule_free(after);
        schedule_free(before);
    }
}
