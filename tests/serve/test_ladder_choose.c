/* Who plays next in a ladder, tried on simulated bots whose strengths are known. */

#include "serve/ladder/ladder_choose.h"

#include "base/memory.h"
#include "support/simulated_tournament.h"
#include "tournament/stats/strength_fit.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define MATCHES 4 /* at a table */
#define TRIES 25
#define BOTS_MAX 12
#define TABLES_MAX 400

/* A ladder that is played without bots. */
struct simulation {
    unsigned bots, seats;
    double truth[BOTS_MAX];
    struct ladder_choice *choice; /* what is known */
    struct result results[TABLES_MAX * MATCHES];
    size_t count;
    struct allegra_dice dice;
};

static struct simulation *simulation_new(unsigned bots, unsigned seats, uint64_t seed)
{
    struct simulation *simulation = xcalloc(1, sizeof *simulation);

    simulation->bots = bots;
    simulation->seats = seats;
    simulation->dice = allegra_dice_from(seed);
    for (unsigned i = 0; i < bots; i++)
        simulation->truth[i] = 2 * simulated_tournament_normal(&simulation->dice);
    return simulation;
}

static void simulation_free(struct simulation *simulation)
{
    ladder_choice_free(simulation->choice);
    free(simulation);
}

static void play(struct simulation *simulation, const unsigned *table)
{
    double strengths[ALLEGRA_SEATS_MAX];
    struct simulated_tournament setup = {
        .bots = simulation->seats,
        .strengths = strengths,
        .seats = simulation->seats,
        .blocks = MATCHES,
        .rotations = 1,
    };
    struct result *results;

    for (unsigned i = 0; i < simulation->seats; i++)
        strengths[i] = simulation->truth[table[i]];
    results = simulated_tournament_play(&setup, &simulation->dice);
    for (unsigned i = 0; i < MATCHES; i++) {
        for (unsigned seat = 0; seat < simulation->seats; seat++)
            results[i].bots[seat] = (uint16_t)table[results[i].bots[seat]];
        results[i].block = (uint32_t)simulation->count + 1;
        simulation->results[simulation->count++] = results[i];
    }
    free(results);
}

/* What is known from the results so far. */
static void learn(struct simulation *simulation)
{
    struct strength_fit fit =
        strength_fit_make(simulation->results, simulation->count, simulation->bots, NULL, 1e-4);

    if (simulation->choice != NULL)
        ladder_choice_free(simulation->choice);
    simulation->choice = ladder_choice_new(simulation->bots);
    for (unsigned i = 0; i < simulation->bots; i++)
        simulation->choice->entrants[i] = (struct ladder_entrant){
            .strength = fit.outcomes->blocks_of[i] > 0 ? fit.fit->strengths[i] : 0,
            .may_play = true,
            .is_due = true};
    strength_fit_free(&fit);
    for (size_t i = 0; i < simulation->count; i++) {
        unsigned table[ALLEGRA_SEATS_MAX];

        for (unsigned seat = 0; seat < simulation->seats; seat++)
            table[seat] = simulation->results[i].bots[seat];
        ladder_choice_learn(simulation->choice, table, simulation->seats, 1);
    }
}

static void choose_at_random(struct simulation *simulation, unsigned *table)
{
    for (unsigned seat = 0; seat < simulation->seats;) {
        unsigned bot =
            (unsigned)(simulated_tournament_uniform(&simulation->dice) * simulation->bots);
        bool is_new = true;

        for (unsigned i = 0; i < seat; i++)
            is_new = is_new && table[i] != bot;
        if (is_new)
            table[seat++] = bot;
    }
}

static void run(struct simulation *simulation, unsigned tables, bool is_chosen)
{
    unsigned table[ALLEGRA_SEATS_MAX];

    for (unsigned i = 0; i < tables; i++) {
        learn(simulation);
        if (is_chosen)
            cr_assert(ladder_choice_make(simulation->choice, simulation->seats, MATCHES, table));
        else
            choose_at_random(simulation, table);
        play(simulation, table);
    }
    learn(simulation);
}

/* How much the order is wrong: the differences of all pairs that are the wrong way round. */
static double error_of(const struct simulation *simulation)
{
    double sum = 0;

    for (unsigned i = 0; i < simulation->bots; i++) {
        for (unsigned j = 0; j < simulation->bots; j++) {
            bool is_before =
                simulation->choice->entrants[i].strength > simulation->choice->entrants[j].strength;

            if (is_before && simulation->truth[i] < simulation->truth[j])
                sum += simulation->truth[j] - simulation->truth[i];
        }
    }
    return sum;
}

static double mean_error(unsigned bots, unsigned seats, unsigned tables, bool is_chosen)
{
    double sum = 0;

    for (unsigned seed = 1; seed <= TRIES; seed++) {
        struct simulation *simulation = simulation_new(bots, seats, seed);

        run(simulation, tables, is_chosen);
        sum += error_of(simulation) / TRIES;
        simulation_free(simulation);
    }
    return sum;
}

Test(ladder_choose, finds_the_order_with_fewer_matches_than_chance)
{
    static const struct {
        unsigned bots, seats, tables;
    } cases[] = {{12, 2, 50}, {12, 4, 20}};

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        double chosen = mean_error(cases[i].bots, cases[i].seats, cases[i].tables, true);
        double chance = mean_error(cases[i].bots, cases[i].seats, cases[i].tables * 3 / 2, false);

        cr_assert_lt(chosen, chance, "case %zu: %.3f, and %.3f by chance from half as many more", i,
                     chosen, chance);
    }
}

/* Bots in the middle of a field that is known well. */
static struct ladder_choice *known_field(unsigned count)
{
    struct ladder_choice *choice = ladder_choice_new(count);

    for (unsigned i = 0; i < count; i++)
        choice->entrants[i] = (struct ladder_entrant){
            .strength = 1.0 * i - count / 2, .may_play = true, .is_due = true};
    for (unsigned i = 0; i + 1 < count; i++)
        ladder_choice_learn(choice, (const unsigned[]){i, i + 1}, 2, 200);
    return choice;
}

Test(ladder_choose, a_new_version_plays_first)
{
    struct ladder_choice *choice = known_field(9);
    unsigned table[2];

    for (unsigned i = 0; i < 9; i++)
        choice->pairs[i * 9 + 3] = choice->pairs[3 * 9 + i] = 0;
    choice->entrants[3].strength = 0;
    cr_assert(ladder_choice_make(choice, 2, MATCHES, table));
    cr_assert_eq(table[0], 3);
    cr_assert_eq(table[1], 4, "0 is the best guess, and bot %u is not the nearest", table[1]);
    ladder_choice_free(choice);
}

Test(ladder_choose, a_version_that_is_being_played_is_not_the_next_again)
{
    struct ladder_choice *choice = ladder_choice_new(6);
    unsigned table[2], next[2];

    for (unsigned i = 0; i < 6; i++)
        choice->entrants[i] = (struct ladder_entrant){.may_play = true, .is_due = true};
    cr_assert(ladder_choice_make(choice, 2, MATCHES, table));
    ladder_choice_learn(choice, table, 2, MATCHES);
    cr_assert(ladder_choice_make(choice, 2, MATCHES, next));
    for (unsigned i = 0; i < 4; i++)
        cr_assert_neq(table[i / 2], next[i % 2]);
    ladder_choice_free(choice);
}

Test(ladder_choose, those_that_have_played_enough_only_fill_tables)
{
    struct ladder_choice *choice = known_field(4);
    unsigned table[4];

    for (unsigned i = 0; i < 4; i++)
        choice->entrants[i].is_due = i == 2;
    cr_assert(ladder_choice_make(choice, 2, MATCHES, table));
    cr_assert_eq(table[0], 2);
    choice->entrants[2].is_due = false;
    cr_assert_not(ladder_choice_make(choice, 2, MATCHES, table));
    ladder_choice_free(choice);
}

Test(ladder_choose, those_that_may_not_play_are_never_chosen)
{
    struct ladder_choice *choice = known_field(4);
    unsigned table[4];

    choice->entrants[1].may_play = false;
    cr_assert(ladder_choice_make(choice, 3, MATCHES, table));
    for (unsigned i = 0; i < 3; i++)
        cr_assert_neq(table[i], 1);
    cr_assert_not(ladder_choice_make(choice, 4, MATCHES, table));
    ladder_choice_free(choice);
}
