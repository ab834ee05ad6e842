#include "tournament/schedule/schedule.h"

#include "support/schedule_counts.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define NOBODY 0xffffU

TestSuite(schedule_sample);

static struct schedule_setup setup_of(enum schedule_format format, unsigned seats, unsigned bots,
                                      unsigned blocks)
{
    return (struct schedule_setup){
        .format = format,
        .seatings = SCHEDULE_ROTATIONS,
        .seats = seats,
        .bots = bots,
        .hero = bots / 2,
        .deals = 1000,
        .matches = (unsigned long)blocks * seats + seats - 1,
        .seed = 5,
    };
}

/* By how much meetings differ at most, in how many schedules. */
struct tally {
    unsigned schedules;
    unsigned by_histogram[8];
};

static void check_balance(const struct schedule_setup *setup, unsigned blocks, struct tally *tally)
{
    unsigned hero = setup->format == SCHEDULE_GAUNTLET ? setup->hero : NOBODY;
    struct schedule *schedule = schedule_new(setup);
    struct counts *counts = counts_of(schedule, setup->bots, 1, blocks);
    struct range played = counts_played(counts, 0, setup->bots - 1, hero);
    struct range met = counts_met(counts, 0, setup->bots - 1, hero);
    unsigned long fewest;
    unsigned long most;

    cr_assert_eq(schedule_count(schedule), blocks);
    cr_assert_leq(schedule_matches(schedule), setup->matches);
    cr_assert_leq(played.most - played.fewest, 1);
    cr_assert(hero == NOBODY || counts->played[hero] == blocks);
    schedule_meetings(schedule, &fewest, &most);
    if (hero == NOBODY || setup->seats > 2) {
        cr_assert_eq(fewest, (unsigned long)met.fewest * setup->seats);
        cr_assert_eq(most, (unsigned long)met.most * setup->seats);
        cr_assert_leq(met.most - met.fewest, 3, "format %u, %u seats, %u bots, %u blocks: %u to %u",
                      setup->format, setup->seats, setup->bots, blocks, met.fewest, met.most);
        tally->schedules++;
        tally->by_histogram[met.most - met.fewest]++;
    } else {
        cr_assert_leq(most - fewest, 2);
    }
    free(counts);
    schedule_free(schedule);
}

static struct tally check_format(enum schedule_format format)
{
    static const unsigned blocks[] = {1, 2, 5, 13, 40, 100, 333};
    struct tally tally = {0};

    for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
        for (unsigned bots = seats + 1; bots <= 30; bots += bots < 14 ? 1 : 5) {
            for (unsigned i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
                struct schedule_setup setup = setup_of(format, seats, bots, blocks[i]);

                check_balance(&setup, blocks[i], &tally);
            }
        }
    }
    cr_log_info("format %u: meetings differ by 0 or 1 in %u, 2 in %u, 3 in %u of %u schedules",
                format, tally.by_histogram[0] + tally.by_histogram[1], tally.by_histogram[2],
                tally.by_histogram[3], tally.schedules);
    return tally;
}

/* It cannot be 1 always: for 6 groups of 3 among 5 bots, say, there is no such choice. */
Test(schedule_sample, all_play_and_meet_equally_often)
{
    for (unsigned format = SCHEDULE_ROUND_ROBIN; format <= SCHEDULE_GAUNTLET; format++) {
        struct tally tally = check_format(format);

        cr_assert_geq((tally.by_histogram[0] + tally.by_histogram[1]) * 10, tally.schedules * 7);
        cr_assert_leq(tally.by_histogram[3] * 20, tally.schedules);
    }
}

Test(schedule_sample, there_is_at_least_one_block)
{
    struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, 4, 9, 1);
    struct schedule *schedule;

    setup.seatings = SCHEDULE_ALL;
    setup.matches = 3;
    schedule = schedule_new(&setup);
    cr_assert_eq(schedule_count(schedule), 1);
    cr_assert_eq(schedule_matches(schedule), 24);
    schedule_free(schedule);
}

/* The designs that are known to be perfect are found. */
Test(schedule_sample, where_all_pairs_can_meet_equally_often_they_do)
{
    static const struct {
        unsigned seats;
        unsigned bots;
        unsigned blocks;
        unsigned met;
    } cases[] = {{3, 7, 7, 1}, {3, 9, 12, 1}, {4, 13, 13, 1}, {2, 9, 72, 2}, {4, 7, 7, 2}};

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct schedule_setup setup =
            setup_of(SCHEDULE_ROUND_ROBIN, cases[i].seats, cases[i].bots, cases[i].blocks);
        struct schedule *schedule = schedule_new(&setup);
        unsigned long fewest;
        unsigned long most;

        schedule_meetings(schedule, &fewest, &most);
        cr_assert_eq(fewest, (unsigned long)cases[i].met * cases[i].seats, "case %u", i);
        cr_assert_eq(most, fewest, "case %u", i);
        schedule_free(schedule);
    }
}

static void check_later(enum schedule_format format, unsigned seats, unsigned late)
{
    unsigned generation[24];
    unsigned first = 12;
    struct schedule_setup setup = setup_of(format, seats, first, 35);
    unsigned hero = format == SCHEDULE_GAUNTLET ? setup.hero : NOBODY;
    unsigned places = (seats - (hero != NOBODY)) * 35;
    unsigned there = first - (hero != NOBODY);
    struct schedule *schedule;
    struct counts *counts;
    struct range played;
    struct range met;

    for (unsigned i = 0; i < 24; i++)
        generation[i] = i < first ? 1 : 2;
    setup.generation = generation;
    setup.bots = first + late;
    schedule = schedule_new(&setup);
    cr_assert_gt(schedule_count(schedule), 35);
    counts = counts_of(schedule, setup.bots, 36, schedule_count(schedule));
    for (unsigned number = 36; number <= schedule_count(schedule); number++) {
        unsigned newcomers = 0;

        for (unsigned i = 0; i < seats; i++)
            newcomers += schedule_block(schedule, number)->bots[i] >= first;
        cr_assert_gt(newcomers, 0);
    }
    played = counts_played(counts, first, setup.bots - 1, NOBODY);
    cr_assert_eq(played.fewest, played.most);
    cr_assert_eq(played.most, (places + there / 2) / there);
    played = counts_played(counts, 0, first - 1, hero);
    cr_assert_leq(played.most - played.fewest, 1);
    met = counts_met(counts, first, setup.bots - 1, hero);
    cr_assert_leq(met.most - met.fewest, 3, "format %u, %u seats, %u late: %u to %u", format, seats,
                  late, met.fewest, met.most);
    free(counts);
    schedule_free(schedule);
}

Test(schedule_sample, bots_that_come_later_play_as_often_and_against_all)
{
    for (unsigned format = SCHEDULE_ROUND_ROBIN; format <= SCHEDULE_GAUNTLET; format++) {
        for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats++) {
            for (unsigned late = 1; late <= 12; late++)
                check_later(format, seats, late);
        }
    }
}

/* A bot that joins while there are too few for a table does not count as a late one. */
Test(schedule_sample, the_first_bots_that_fill_a_table_get_the_whole_choice)
{
    static const unsigned generation[] = {1, 2, 2, 2, 2, 2, 2, 2, 2};
    struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, 3, 9, 30);
    struct schedule *schedule;
    struct counts *counts;
    struct range played;

    setup.generation = generation;
    schedule = schedule_new(&setup);
    cr_assert_eq(schedule_count(schedule), 30);
    counts = counts_of(schedule, 9, 1, 30);
    played = counts_played(counts, 0, 8, NOBODY);
    cr_assert_eq(played.fewest, 10);
    cr_assert_eq(played.most, 10);
    free(counts);
    schedule_free(schedule);
}

Test(schedule_sample, a_thousand_bots_are_no_problem)
{
    for (unsigned seats = 2; seats <= ALLEGRA_SEATS_MAX; seats += 2) {
        struct schedule_setup setup = setup_of(SCHEDULE_ROUND_ROBIN, seats, 1000, 5000);
        struct schedule *schedule = schedule_new(&setup);
        struct counts *counts = counts_of(schedule, 1000, 1, 5000);
        struct range played = counts_played(counts, 0, 999, NOBODY);
        struct range met = counts_met(counts, 0, 999, NOBODY);

        cr_assert_eq(schedule_count(schedule), 5000);
        cr_assert_eq(played.fewest, 5 * seats);
        cr_assert_eq(played.most, 5 * seats);
        cr_assert_eq(met.fewest, 0);
        cr_assert_eq(met.most, 1);
        free(counts);
        schedule_free(schedule);
    }
}

Test(schedule_sample, a_schedule_that_is_too_large_is_refused)
{
    static const struct {
        unsigned seats;
        unsigned bots;
        unsigned deals;
        unsigned long matches;
        bool is_refused;
    } cases[] = {
        {6, 1000, 1, 0, true},       {6, SCHEDULE_BOTS_MAX, 1000000, 0, true},
        {2, 2, 1000001, 0, true},    {2, 2, 1000000, 0, false},
        {2, 3, 4000000000, 0, true}, {3, 100, 1000, 3000003, true},
        {3, 10, 1, 4000000, false},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned format = SCHEDULE_ROUND_ROBIN; format <= SCHEDULE_GAUNTLET; format++) {
            struct schedule_setup setup = setup_of(format, cases[i].seats, cases[i].bots, 0);
            struct schedule *schedule;

            setup.deals = cases[i].deals;
            setup.matches = cases[i].matches;
            schedule = schedule_new(&setup);
            cr_assert_eq(schedule == NULL, cases[i].is_refused, "case %u, format %u", i, format);
            schedule_free(schedule);
        }
    }
}
