/* Every deal once: one match per block, with seats and neighbours balanced over all blocks. */

#include "base/text.h"
#include "tournament/schedule/schedule.h"

#include <criterion/criterion.h>

#define BOTS_MAX 10

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

/* How often each bot had each seat, and each other bot on its left. */
struct seat_counts {
    unsigned sits[BOTS_MAX][ALLEGRA_SEATS_MAX];
    unsigned lefts[BOTS_MAX][BOTS_MAX];
    unsigned met[BOTS_MAX][BOTS_MAX];
};

static void count_block(struct seat_counts *counts, const struct block *block)
{
    for (unsigned seat = 0; seat < block->seats; seat++) {
        unsigned bot = block->bots[seat];

        counts->sits[bot][seat]++;
        counts->lefts[bot][block->bots[(seat + 1) % block->seats]]++;
        for (unsigned other = 0; other < block->seats; other++)
            counts->met[bot][block->bots[other]]++;
    }
}

/* The largest difference between how often a bot had two seats. */
static unsigned seat_spread(const struct seat_counts *counts, unsigned bots, unsigned seats)
{
    unsigned spread = 0;

    for (unsigned bot = 0; bot < bots; bot++)
        for (unsigned one = 0; one < seats; one++)
            for (unsigned other = 0; other < seats; other++)
                if (counts->sits[bot][one] > counts->sits[bot][other] + spread)
                    spread = counts->sits[bot][one] - counts->sits[bot][other];
    return spread;
}

/* The squares of the differences between how often a bot had another on its left and the mean over
 * all seats there, compared with what a draw would give. */
static double neighbour_variance(const struct seat_counts *counts, unsigned bots, unsigned seats)
{
    double squares = 0;
    double drawn = 0;

    for (unsigned one = 0; one < bots; one++)
        for (unsigned other = 0; other < bots; other++) {
            double mean = (double)counts->met[one][other] / (seats - 1);
            double difference = counts->lefts[one][other] - mean;

            if (one != other) {
                squares += difference * difference;
                drawn += mean * (1 - 1.0 / (seats - 1));
            }
        }
    return drawn > 0 ? squares / drawn : 0;
}

static unsigned mask_of(const struct block *block)
{
    unsigned mask = 0;

    for (unsigned i = 0; i < block->seats; i++)
        mask |= 1U << block->bots[i];
    return mask;
}

/* Checks that each block is one match of different bots, in the order of the block, and that all
 * have had all seats about equally often: at most so many times more than another at the end, and
 * one more at any time. */
static struct seat_counts check_single(const struct schedule *schedule, unsigned bots,
                                       unsigned most_spread)
{
    struct seat_counts counts = {0};

    cr_assert_geq(schedule_matches(schedule), schedule_count(schedule));
    for (unsigned number = 1; number <= schedule_count(schedule); number++) {
        const struct block *block = schedule_block(schedule, number);
        uint16_t seated[ALLEGRA_SEATS_MAX];

        cr_assert_eq((unsigned)__builtin_popcount(mask_of(block)), block->seats);
        cr_assert_eq(schedule_rotations(schedule, block), 1);
        schedule_seats(schedule, block, 0, seated);
        cr_assert_arr_eq(seated, block->bots, block->seats * sizeof seated[0]);
        count_block(&counts, block);
        cr_assert_leq(seat_spread(&counts, bots, block->seats), most_spread + 1,
                      "%u seats, block %u", block->seats, number);
    }
    cr_assert_leq(seat_spread(&counts, bots, schedule_block(schedule, 1)->seats), most_spread);
    return counts;
}

Test(schedule_single, every_bot_has_every_seat_equally_often_give_or_take_one)
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
                check_single(schedule, 9, 2);
                schedule_free(schedule);
            }
        }
    }
}

Test(schedule_single, rounds_of_swiss_continue_where_the_earlier_ones_were)
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
        check_single(schedule, 6, 2);
        schedule_free(schedule);
    }
}

/* The columns that are shared with the left and with the right neighbour are not the same. With two
 * seats there is nothing to choose. */
Test(schedule_single, neighbours_change_and_are_balanced_over_deals)
{
    double sum = 0;
    unsigned cases = 0;

    for (unsigned seats = 3; seats <= ALLEGRA_SEATS_MAX; seats++)
        for (unsigned bots = seats; bots <= 9; bots++, cases++) {
            struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, seats, bots);
            struct schedule *schedule;
            struct seat_counts counts;

            setup.deals = bots == seats ? 60 : 2;
            schedule = schedule_new(&setup);
            counts = check_single(schedule, bots, bots == seats ? 1 : 2);
            cr_assert_lt(neighbour_variance(&counts, bots, seats), bots == seats ? 0.2 : 0.8);
            sum += neighbour_variance(&counts, bots, seats);
            schedule_free(schedule);
        }
    cr_assert_lt(sum / cases, 0.25, "%.2f of that of a draw", sum / cases);
}

/* The first in the list are not the first at the table. */
Test(schedule_single, where_a_group_begins_is_drawn)
{
    struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, 3, 10);
    unsigned lowest = 0;

    setup.deals = 1;
    for (unsigned seed = 0; seed < 200; seed++) {
        struct schedule *schedule;
        const struct block *block;

        setup.seed = seed;
        schedule = schedule_new(&setup);
        block = schedule_block(schedule, 1);
        lowest += block->bots[0] == __builtin_ctz(mask_of(block));
        schedule_free(schedule);
    }
    cr_assert(lowest > 40 && lowest < 93, "%u of 200", lowest);
}

Test(schedule_single, a_very_long_schedule_stays_balanced)
{
    struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, 5, 10);
    struct schedule *schedule;
    struct seat_counts counts = {0};

    setup.deals = 200;
    schedule = schedule_new(&setup);
    cr_assert_eq(schedule_count(schedule), 50400);
    for (unsigned number = 1; number <= schedule_count(schedule); number++)
        count_block(&counts, schedule_block(schedule, number));
    cr_assert_leq(seat_spread(&counts, 10, 5), 4);
    cr_assert_lt(neighbour_variance(&counts, 10, 5), 0.1);
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
                check_single(schedule, setup.bots, 2);
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
        check_single(after, 8, 2);
        cr_assert_gt(schedule_count(after), schedule_count(before));
        for (unsigned number = 1; number <= schedule_count(before); number++)
            cr_assert_arr_eq(schedule_block(before, number)->bots,
                             schedule_block(after, number)->bots, 3 * sizeof(uint16_t));
        schedule_free(after);
        schedule_free(before);
    }
}
