/* Tests the checker itself: it must notice a changed table and false events. Otherwise the tests
 * with random matches would prove nothing. */

#include "base/text.h"
#include "support/invariants.h"
#include "support/random_play.h"

#include <criterion/criterion.h>

/* A match of four by the rules of de2026, and the events of the last answer, which are not checked
 * yet. */
struct scene {
    struct allegra_table table;
    struct invariants invariants;
    struct allegra_events events;
};

/* Plays until `question` is asked in turn 12 or later. */
static void play_to(struct scene *scene, enum allegra_question question)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    struct allegra_dice dice = allegra_dice_from(3);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    const char *problem;
    struct allegra_legal legal;

    allegra_table_start(&scene->table, &rules, 4, 0, &shuffler, NULL);
    problem = invariants_start(&scene->invariants, &scene->table, NULL);
    for (;;) {
        unsigned seat = random_asked(&scene->table, &dice);

        cr_assert_null(problem, "%s", problem);
        allegra_legal_list(&scene->table, seat, &legal);
        allegra_table_apply(&scene->table, seat, allegra_simulate_choose(&dice, &legal), &shuffler,
                            &scene->events);
        if (scene->table.question == question && scene->table.turn >= 12)
            return;
        problem = invariants_check(&scene->invariants, &scene->table, &scene->events);
    }
}

static struct scene scene_at(enum allegra_question question)
{
    static struct scene scene;

    play_to(&scene, question);
    return scene;
}

static uint16_t lowest(uint16_t mask)
{
    return mask & (uint16_t)-mask;
}

/* The private cells of a display. */
#define PRIVATE (ALLEGRA_CELL_ALL & ~ALLEGRA_CELL_COLUMN_A & ~ALLEGRA_CELL_COLUMN_E)

static void lose_a_card(struct allegra_table *table)
{
    table->draw_count--;
}

static void exchange_a_card(struct allegra_table *table)
{
    table->pile[0] = table->pile[0] == 5 ? 6 : 5;
}

static void reorder_the_draw_pile(struct allegra_table *table)
{
    int8_t top = table->pile[table->draw_count - 1];
    unsigned i = 0;

    while (table->pile[i] == top)
        i++;
    table->pile[table->draw_count - 1] = table->pile[i];
    table->pile[i] = top;
}

static void reorder_the_discard_pile(struct allegra_table *table)
{
    int8_t *bottom = &table->pile[ALLEGRA_DECK_MAX - 1];
    int8_t *other = bottom;
    int8_t card = *bottom;

    while (*other == card)
        other--;
    *bottom = *other;
    *other = card;
}

static void change_one_side_of_a_shared_cell(struct allegra_table *table)
{
    table->codes[0] ^= (table->codes[0] & 15U) == 3 ? 1 : (table->codes[0] & 15U) ^ 3;
}

static void turn_one_side_of_a_shared_cell(struct allegra_table *table)
{
    table->down[0] ^= lowest(table->present[0] & ALLEGRA_CELL_COLUMN_A);
}

static void turn_a_card_down(struct allegra_table *table)
{
    table->down[0] |= lowest(allegra_table_up(table, 0) & PRIVATE);
}

static void turn_a_card_up(struct allegra_table *table)
{
    table->down[0] &= (uint16_t)~lowest(table->down[0] & PRIVATE);
}

static void fill_a_gap(struct allegra_table *table)
{
    table->present[1] |= lowest((uint16_t)~table->present[1]);
}

static void create_a_gap(struct allegra_table *table)
{
    uint16_t bit = lowest(table->present[0] & PRIVATE);

    table->present[0] &= (uint16_t)~bit;
    table->down[0] &= (uint16_t)~bit;
    table->codes[0] |= UINT64_C(15) << 4 * allegra_cell_lowest(bit);
}

static void exchange_two_cells(struct allegra_table *table)
{
    uint64_t codes = table->codes[0];
    unsigned one = 1;
    unsigned other = 2;

    while (other < ALLEGRA_CELL_COUNT && ((codes >> 4 * one ^ codes >> 4 * other) & 15U) == 0)
        other += other % ALLEGRA_CELL_COLUMNS == 3 ? 3 : 1;
    codes = (codes >> 4 * one ^ codes >> 4 * other) & 15U;
    table->codes[0] ^= codes << 4 * one ^ codes << 4 * other;
}

static void mark_all_complete(struct allegra_table *table)
{
    table->completed = 15;
}

static void set_a_trigger(struct allegra_table *table)
{
    table->trigger = table->trigger == ALLEGRA_SEAT_NONE ? 0 : ALLEGRA_SEAT_NONE;
}

static void set_first_completed(struct allegra_table *table)
{
    table->first_completed = 2;
}

static void lengthen_the_final_round(struct allegra_table *table)
{
    table->final_left++;
}

static void ask_no_seat(struct allegra_table *table)
{
    table->asked = 0;
}

static void ask_all_seats(struct allegra_table *table)
{
    table->asked = 15;
}

static void ask_another_question(struct allegra_table *table)
{
    table->question =
        table->question == ALLEGRA_QUESTION_DRAW ? ALLEGRA_QUESTION_MOVE : ALLEGRA_QUESTION_DRAW;
}

static void end_the_match(struct allegra_table *table)
{
    table->question = ALLEGRA_QUESTION_NONE;
    table->asked = 0;
}

static void put_a_card_into_the_hand(struct allegra_table *table)
{
    table->hand = 4;
}

static void set_a_card_aside(struct allegra_table *table)
{
    table->aside = 4;
}

static void take_a_card(struct allegra_table *table)
{
    table->taken = 4;
}

static void hide_an_empty_hand(struct allegra_table *table)
{
    table->is_hand_private = true;
}

static void set_a_hole(struct allegra_table *table)
{
    table->hole = 3;
}

static void set_a_knocker(struct allegra_table *table)
{
    table->knocker = 1;
}

static void set_a_placed_cell(struct allegra_table *table)
{
    table->placed = 1;
}

static void set_an_offer(struct allegra_table *table)
{
    table->offer[table->active] = 1;
}

static void set_a_clear_step(struct allegra_table *table)
{
    table->clear_start = ALLEGRA_CELL_ALL;
}

static void reveal_more(struct allegra_table *table)
{
    table->reveals_left = 1;
}

static void skip_a_turn(struct allegra_table *table)
{
    table->turn++;
}

static void skip_a_round(struct allegra_table *table)
{
    table->round += 2;
}

static void change_a_total(struct allegra_table *table)
{
    table->total_halves[1]++;
}

static void count_an_extra_reshuffle(struct allegra_table *table)
{
    table->reshuffles += 2;
}

static void use_an_unused_seat(struct allegra_table *table)
{
    table->present[5] = 1;
}

static void change_the_rules(struct allegra_table *table)
{
    table->rules.trigger ^= 1;
}

typedef void tamper_fn(struct allegra_table *table);

static const struct {
    const char *name;
    tamper_fn *tamper;
} tampers[] = {
    {"a card is lost", lose_a_card},
    {"a card is exchanged", exchange_a_card},
    {"the draw pile is reordered", reorder_the_draw_pile},
    {"the discard pile is reordered", reorder_the_discard_pile},
    {"a shared cell has two cards", change_one_side_of_a_shared_cell},
    {"a shared cell is down on one side", turn_one_side_of_a_shared_cell},
    {"a card is turned down", turn_a_card_down},
    {"a card is turned up", turn_a_card_up},
    {"a gap is filled", fill_a_gap},
    {"a gap is created", create_a_gap},
    {"two cells are exchanged", exchange_two_cells},
    {"all are marked as complete", mark_all_complete},
    {"a trigger is set", set_a_trigger},
    {"a first completed seat is set", set_first_completed},
    {"the final round is longer", lengthen_the_final_round},
    {"no seat is asked", ask_no_seat},
    {"all seats are asked", ask_all_seats},
    {"another question is asked", ask_another_question},
    {"the match ends", end_the_match},
    {"a card is in the hand", put_a_card_into_the_hand},
    {"a card is set aside", set_a_card_aside},
    {"a card is taken", take_a_card},
    {"an empty hand is private", hide_an_empty_hand},
    {"a hole is set", set_a_hole},
    {"a knocker is set", set_a_knocker},
    {"a placed cell is set", set_a_placed_cell},
    {"an offer is set", set_an_offer},
    {"a clear step is set", set_a_clear_step},
    {"more reveals are left", reveal_more},
    {"a turn is skipped", skip_a_turn},
    {"a round is skipped", skip_a_round},
    {"a total is changed", change_a_total},
    {"an extra reshuffle is counted", count_an_extra_reshuffle},
    {"an unused seat has a card", use_an_unused_seat},
    {"the rules change", change_the_rules},
};

Test(invariants, a_changed_table_is_noticed)
{
    static const enum allegra_question moments[] = {ALLEGRA_QUESTION_DRAW, ALLEGRA_QUESTION_MOVE};

    for (unsigned i = 0; i < 2 * ARRAY_LEN(tampers); i++) {
        struct scene scene = scene_at(moments[i % 2]);

        tampers[i / 2].tamper(&scene.table);
        cr_expect_not_null(invariants_check(&scene.invariants, &scene.table, &scene.events),
                           "not noticed at a %s: %s", allegra_question_name(moments[i % 2]),
                           tampers[i / 2].name);
    }
}

Test(invariants, a_correct_table_is_accepted)
{
    struct scene scene = scene_at(ALLEGRA_QUESTION_DRAW);
    const char *problem = invariants_check(&scene.invariants, &scene.table, &scene.events);

    cr_expect_null(problem, "%s", problem);
}

Test(invariants, a_missing_or_repeated_event_is_noticed)
{
    struct scene scene = scene_at(ALLEGRA_QUESTION_DRAW);

    for (unsigned i = 0; i < scene.events.count; i++) {
        struct scene told = scene;
        struct scene twice = scene;
        struct allegra_event *list = told.events.list;

        told.events.count--;
        for (unsigned j = i; j < told.events.count; j++)
            list[j] = list[j + 1];
        cr_expect_not_null(invariants_check(&told.invariants, &told.table, &told.events));
        twice.events.list[twice.events.count++] = twice.events.list[i];
        cr_expect_not_null(invariants_check(&twice.invariants, &twice.table, &twice.events));
    }
}

Test(invariants, an_event_with_a_wrong_card_or_seat_is_noticed)
{
    struct scene scene = scene_at(ALLEGRA_QUESTION_DRAW);

    for (unsigned i = 0; i < scene.events.count; i++) {
        struct scene card = scene;
        struct scene seat = scene;
        bool has_card = scene.events.list[i].kind != ALLEGRA_EVENT_TURN;

        card.events.list[i].card ^= 1;
        seat.events.list[i].seat ^= 1;
        cr_expect(!has_card ||
                  invariants_check(&card.invariants, &card.table, &card.events) != NULL);
        cr_expect_not_null(invariants_check(&seat.invariants, &seat.table, &seat.events));
    }
}
