#include "support/skill_play.h"
#include "value/network.h"

#include <criterion/criterion.h>
#include <string.h>

/* Judges a table with both versions of the network. */
static void check_table(const struct allegra_table *table)
{
    const struct network *network = network_of_edition[table->rules.edition];
    struct network_memory memory;
    struct network_inputs inputs;
    struct network_trace wide;
    struct network_trace narrow;
    struct glance glance;

    glance_start(&glance, table);
    network_look(&inputs, table, &glance);
    network_forget(&memory);
    network_run(network, &inputs, &memory, &wide);
    network_forget(&memory);
    network_run_narrow(network, &inputs, &memory, &narrow);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        cr_assert_eq(wide.points[seat], narrow.points[seat]);
        cr_assert_eq(wide.wins[seat], narrow.wins[seat]);
    }
}

static struct allegra_answer check_and_choose(const struct allegra_table *table, unsigned seat,
                                              struct glance *glance, struct allegra_dice *dice)
{
    if (table->question == ALLEGRA_QUESTION_DRAW || table->question == ALLEGRA_QUESTION_REVEAL)
        check_table(table);
    return skill_choose_noisy(table, seat, glance, dice);
}

static struct allegra_answer look_and_choose(const struct allegra_table *table, unsigned seat,
                                             struct glance *glance, struct allegra_dice *dice)
{
    struct outlook_odds odds;

    outlook_count(&odds, table);
    for (unsigned turns = 0; turns <= ESTIMATE_TURNS_MAX; turns++) {
        struct outlook wide = {.cost = 0};
        struct outlook narrow = {.cost = 0};

        outlook_make(&wide, table, seat, &odds, turns);
        outlook_make_narrow(&narrow, table, seat, &odds, turns);
        cr_assert_eq(memcmp(&wide, &narrow, sizeof wide), 0);
    }
    return skill_choose_noisy(table, seat, glance, dice);
}

static void play_all(skill_choose_fn *choose)
{
    for (unsigned i = 0; i < 2 * ALLEGRA_EDITION_COUNT; i++) {
        struct skill_match match = {
            .rules = allegra_rules_of_edition((enum allegra_edition)(i % ALLEGRA_EDITION_COUNT)),
            .seats = ALLEGRA_SEATS_MIN + i % (ALLEGRA_SEATS_MAX - ALLEGRA_SEATS_MIN + 1),
            .seed = i,
            .is_without_luck = true,
        };
        struct skill_result result;

        for (unsigned seat = 0; seat < match.seats; seat++)
            match.players[seat] = choose;
        skill_play(&match, &result);
    }
}

/* Luck is kept in stores, and another machine measures it again. */
Test(network, gives_the_same_numbers_with_wide_and_narrow_registers)
{
    play_all(check_and_choose);
}

Test(outlook, gives_the_same_numbers_with_wide_and_narrow_registers)
{
    play_all(look_and_choose);
}

/* What is remembered of displays only saves time. */
Test(network, does_not_depend_on_what_it_remembers)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    struct network_memory memory;
    struct allegra_dice dice = allegra_dice_from(1);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_table table;
    struct glance glance;

    network_forget(&memory);
    allegra_table_start(&table, &rules, 4, 0, &shuffler, NULL);
    glance_start(&glance, &table);
    for (unsigned i = 0; i < 40; i++) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(&table));
        struct network_memory nothing;
        struct network_inputs inputs;
        struct network_trace one;
        struct network_trace other;

        network_look(&inputs, &table, &glance);
        network_forget(&nothing);
        network_run(network_of_edition[0], &inputs, &memory, &one);
        network_run(network_of_edition[0], &inputs, &nothing, &other);
        for (unsigned j = 0; j < table.seats; j++)
            cr_assert_eq(one.points[j], other.points[j]);
        allegra_table_apply(&table, seat, swift_choose(&glance, &table, seat), &shuffler, NULL);
    }
}
