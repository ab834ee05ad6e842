#include "game/allegra.h"

#include <criterion/criterion.h>
#include <string.h>

#define TABLES 16

static struct allegra_batch batch;
static struct allegra_batch_table tables[TABLES];
static struct allegra_batch_result results[TABLES];
static uint8_t legal[TABLES][ALLEGRA_ACTION_COUNT];
static int8_t inputs[TABLES][ALLEGRA_INPUT_COUNT];
static uint8_t seats[TABLES];
static uint8_t actions[TABLES];

static void start(enum allegra_edition edition, unsigned count)
{
    struct allegra_rules rules = allegra_rules_of_edition(edition);

    cr_assert_eq(allegra_batch_start(&batch, &rules, count, 5, tables, TABLES), 0);
    memset(actions, ALLEGRA_ACTION_RANDOM, sizeof actions);
}

static void look(void)
{
    allegra_batch_look(&batch, inputs[0], legal[0], seats);
}

/* Tries every action of a table on a copy; the table stays as it is. */
static unsigned accepted(unsigned number, unsigned action)
{
    struct allegra_batch_table copy = tables[number];
    struct allegra_batch one = batch;
    struct allegra_batch_result result;
    uint8_t byte = (uint8_t)action;

    one.tables = &copy;
    one.count = 1;
    allegra_batch_step(&one, &byte, &result);
    return result.refusal == ALLEGRA_REFUSAL_NONE;
}

Test(playground, an_action_is_marked_if_and_only_if_it_is_accepted)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        start((enum allegra_edition)edition, 2 + edition);
        for (unsigned step = 0; step < 150; step++) {
            unsigned number = step % TABLES;

            look();
            for (unsigned action = 0; action < ALLEGRA_ACTION_COUNT; action++)
                cr_assert_eq(legal[number][action], accepted(number, action), "action %u", action);
            allegra_batch_step(&batch, actions, results);
        }
    }
}

Test(playground, inputs_are_the_view_of_the_asked_seat)
{
    start(ALLEGRA_EDITION_EN2020, 4);
    for (unsigned step = 0; step < 400; step++) {
        look();
        for (unsigned i = 0; i < TABLES; i++) {
            struct allegra_view view = allegra_view_of(&tables[i].table, seats[i]);

            for (unsigned owner = 0; owner < 4; owner++)
                cr_assert_arr_eq(inputs[i] + (size_t)owner * ALLEGRA_CELL_COUNT,
                                 view.face[(seats[i] + owner) % 4], ALLEGRA_CELL_COUNT);
            cr_assert_eq(inputs[i][4 * ALLEGRA_CELL_COUNT], ALLEGRA_VIEW_GAP);
            cr_assert_eq(inputs[i][6 * ALLEGRA_CELL_COUNT], view.discard_top);
            cr_assert_eq(inputs[i][6 * ALLEGRA_CELL_COUNT + 3], view.hand);
            cr_assert_eq(inputs[i][6 * ALLEGRA_CELL_COUNT + 6], view.question);
        }
        allegra_batch_step(&batch, actions, results);
    }
}

Test(playground, the_cards_of_a_match_do_not_depend_on_what_was_answered_before)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    const struct allegra_policy first = {{0}};
    const struct allegra_policy *const policies[] = {&first, NULL};
    struct allegra_batch_score both[2];
    struct allegra_batch_score one[2];
    struct allegra_batch_score other[2];

    cr_assert_gt(allegra_batch_play(&rules, 2, 9, 0, 20, policies, both), 0);
    allegra_batch_play(&rules, 2, 9, 0, 12, policies, one);
    allegra_batch_play(&rules, 2, 9, 12, 8, policies, other);
    for (unsigned seat = 0; seat < 2; seat++) {
        cr_assert_float_eq(both[seat].points, one[seat].points + other[seat].points, 1e-9);
        cr_assert_float_eq(both[seat].win_share, one[seat].win_share + other[seat].win_share, 1e-9);
    }
}

Test(playground, impossible_tables_are_refused)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    const struct allegra_policy *const policies[ALLEGRA_SEATS_MAX] = {NULL};
    struct allegra_batch_score scores[ALLEGRA_SEATS_MAX];

    cr_assert_eq(allegra_batch_start(&batch, &rules, 7, 0, tables, TABLES), -1);
    cr_assert_eq(allegra_batch_start(&batch, &rules, 0, 0, tables, TABLES), -1);
    cr_assert_eq(allegra_batch_start(&batch, &rules, 2, 0, tables, 0), -1);
    cr_assert_eq(allegra_batch_play(&rules, 7, 0, 0, 1, policies, scores), 0);
}

Test(playground, unseen_cards_are_all_that_a_seat_cannot_see)
{
    start(ALLEGRA_EDITION_EN2020, 3);
    for (unsigned step = 0; step < 300; step++) {
        const struct allegra_table *table = &tables[step % TABLES].table;
        unsigned count = table->draw_count;
        uint8_t unseen[ALLEGRA_CARD_VALUES];

        for (unsigned seat = 0; seat < 3; seat++)
            count += allegra_cell_count(
                (uint16_t)(table->down[seat] & (uint16_t)~ALLEGRA_CELL_COLUMN_E));
        count += table->is_hand_private && table->knocker != 0 && table->hand != ALLEGRA_CARD_NONE;
        allegra_table_unseen(table, 0, unseen);
        for (unsigned i = 0; i < ALLEGRA_CARD_VALUES; i++)
            count -= unseen[i];
        cr_assert_eq(count, 0);
        allegra_batch_step(&batch, actions, NULL);
    }
}

/* A policy must not look at a card that its seat cannot see: hidden cards change places, and it
 * answers the same. */
Test(playground, a_policy_does_not_know_hidden_cards)
{
    struct allegra_dice dice = allegra_dice_from(3);
    struct allegra_policy policy;
    const struct allegra_policy *policies[ALLEGRA_SEATS_MAX];

    for (unsigned i = 0; i < ALLEGRA_WEIGHT_COUNT; i++)
        policy.weights[i] = (float)allegra_dice_below(&dice, 1000) / 500 - 1;
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++)
        policies[seat] = &policy;
    start(ALLEGRA_EDITION_DE2026, 3);
    for (unsigned step = 0; step < 300; step++) {
        uint8_t before[TABLES];

        allegra_batch_choose(&batch, policies, actions);
        memcpy(before, actions, sizeof before);
        for (unsigned i = 0; i < TABLES; i++) {
            struct allegra_table *table = &tables[i].table;

            if (table->draw_count > 1) {
                int8_t card = table->pile[0];

                memmove(table->pile, table->pile + 1, table->draw_count - 1U);
                table->pile[table->draw_count - 1] = card;
            }
        }
        allegra_batch_choose(&batch, policies, actions);
        cr_assert_arr_eq(before, actions, sizeof before);
        allegra_batch_step(&batch, actions, results);
        for (unsigned i = 0; i < TABLES; i++)
            cr_assert_eq(results[i].refusal, ALLEGRA_REFUSAL_NONE);
    }
}
