/* The public library: what no caller can break. Every function gets numbers that are out of range,
 * buffers without room, and structs that nobody has initialised. The sanitizers see the rest. */

#include "game/allegra.h"

#include <criterion/criterion.h>
#include <string.h>

/* A struct between two guards, all of it garbage. */
struct guarded {
    uint64_t before;
    struct allegra_events events;
    uint64_t after;
};

static void fill_with_garbage(struct guarded *guarded)
{
    memset(guarded, 0xa5, sizeof *guarded);
    guarded->events.count = 4000000000U;
}

static void check_guards(const struct guarded *guarded)
{
    cr_assert_eq(guarded->before, UINT64_C(0xa5a5a5a5a5a5a5a5));
    cr_assert_eq(guarded->after, UINT64_C(0xa5a5a5a5a5a5a5a5));
}

Test(library, start_and_apply_begin_with_an_empty_list_of_events)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020);
    struct allegra_dice dice = allegra_dice_from(5);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    static struct guarded guarded;
    struct allegra_table table;
    struct allegra_legal legal;

    fill_with_garbage(&guarded);
    cr_assert_eq(allegra_table_start(&table, &rules, 6, 0, &shuffler, &guarded.events), 0);
    cr_assert_eq(guarded.events.count, 1);
    while (!allegra_table_is_over(&table)) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(&table));

        fill_with_garbage(&guarded);
        allegra_legal_list(&table, seat, &legal);
        cr_assert_eq(allegra_table_apply(&table, seat, allegra_simulate_choose(&dice, &legal),
                                         &shuffler, &guarded.events),
                     ALLEGRA_REFUSAL_NONE);
        cr_assert_leq(guarded.events.count, ALLEGRA_EVENTS_MAX);
        check_guards(&guarded);
    }
    allegra_table_apply(&table, 0, legal.list[0], &shuffler, &guarded.events);
    cr_assert_eq(guarded.events.count, 0);
}

Test(library, a_match_that_cannot_be_dealt_is_refused_and_over)
{
    struct allegra_rules good = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    struct allegra_rules huge = good;
    struct allegra_rules wild = good;
    struct allegra_rules none = allegra_rules_of_edition((enum allegra_edition)99);
    const struct {
        const struct allegra_rules *rules;
        unsigned seats;
        unsigned dealer;
    } cases[] = {
        {&good, 0, 0},    {&good, 1, 0}, {&good, 7, 0}, {&good, 4000000000U, 0}, {&good, 4, 4},
        {&good, 2, 256U}, {&huge, 6, 0}, {&wild, 4, 0}, {&none, 2, 0},
    };
    struct allegra_dice dice = allegra_dice_from(5);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);

    memset(huge.deck, 255, sizeof huge.deck);
    wild.knock_rounds = 255;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct guarded guarded;
        struct allegra_table table;
        struct allegra_legal legal;

        fill_with_garbage(&guarded);
        memset(&table, 0xa5, sizeof table);
        cr_expect_eq(allegra_table_start(&table, cases[i].rules, cases[i].seats, cases[i].dealer,
                                         &shuffler, &guarded.events),
                     -1, "case %zu", i);
        check_guards(&guarded);
        cr_expect_eq(guarded.events.count, 0);
        cr_expect(allegra_table_is_over(&table), "case %zu", i);
        cr_expect_eq(allegra_table_asked(&table), 0);
        allegra_legal_list(&table, 0, &legal);
        cr_expect_eq(legal.count, 0);
        allegra_simulate_play_out(&table, &dice);
    }
}

Test(library, rules_are_checked_key_by_key)
{
    char problem[200];
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020);

    cr_assert_eq(allegra_rules_check(&rules, 6, problem, sizeof problem), 0);
    cr_assert_str_empty(problem);
    cr_assert_eq(allegra_rules_check(&rules, 7, problem, sizeof problem), -1);
    cr_assert_str_eq(problem, "a match has 2 to 6 seats");
    rules.row_match = 2;
    cr_assert_eq(allegra_rules_check(&rules, 6, problem, sizeof problem), -1);
    cr_assert_str_eq(problem, "row_match has a value that it does not take");
    rules.row_match = 0;
    rules.deck[0] = 200;
    cr_assert_eq(allegra_rules_check(&rules, 6, problem, sizeof problem), -1);
    cr_assert_str_eq(problem, "deck has 312 cards, but at most 200 are allowed");
    memset(rules.deck, 1, sizeof rules.deck);
    cr_assert_eq(allegra_rules_check(&rules, 6, problem, 10), -1);
    cr_assert_str_eq(problem, "deck has ");
    cr_assert_eq(allegra_rules_check(&rules, 6, NULL, 0), -1);
}

Test(library, rules_are_set_by_name)
{
    char problem[200] = "";
    struct allegra_rules rules;

    cr_assert_eq(allegra_rules_read_edition(&rules, "fr2020", problem, sizeof problem), 0);
    cr_assert_eq(rules.edition, ALLEGRA_EDITION_FR2020);
    cr_assert_eq(allegra_rules_set(&rules, "knock_rounds", "3", problem, sizeof problem), 0);
    cr_assert_eq(rules.knock_rounds, 3);
    cr_assert_eq(allegra_rules_set(&rules, "knock_rounds", "30", problem, sizeof problem), -1);
    cr_assert_not_null(strstr(problem, "1..9"));
    cr_assert_eq(allegra_rules_set(&rules, "knock_round", "3", problem, sizeof problem), -1);
    cr_assert_not_null(strstr(problem, "knock_rounds"));
    cr_assert_eq(rules.knock_rounds, 3);
    cr_assert_eq(allegra_rules_read_edition(&rules, "fr2021", NULL, 0), -1);
}

Test(library, a_number_without_a_name_is_unknown)
{
    cr_assert_str_eq(allegra_edition_name((enum allegra_edition)5), "unknown");
    cr_assert_str_eq(allegra_question_name(ALLEGRA_QUESTION_COUNT), "unknown");
    cr_assert_str_eq(allegra_refusal_text((enum allegra_refusal)4000000), "unknown");
    cr_assert_str_eq(allegra_event_name((enum allegra_event_kind) - 1), "unknown");
}

Test(library, text_is_written_as_snprintf_does)
{
    struct allegra_answer take = {.verb = ALLEGRA_VERB_TAKE, .seat = 2, .cells = 1};
    struct allegra_answer unknown = {.verb = ALLEGRA_VERB_COUNT, .seat = 255, .cells = UINT16_MAX};
    struct allegra_answer crowded = {.verb = ALLEGRA_VERB_ACCEPT, .seat = 255, .cells = UINT16_MAX};
    char buffer[ALLEGRA_ANSWER_MAX] = "xxxxxxxxxxxxxxx";

    cr_assert_eq(allegra_answer_write(take, buffer, sizeof buffer), 9);
    cr_assert_str_eq(buffer, "take 2:A1");
    memset(buffer, 'x', sizeof buffer);
    cr_assert_eq(allegra_answer_write(take, buffer, 5), 9);
    cr_assert_str_eq(buffer, "take");
    cr_assert_eq(buffer[5], 'x');
    cr_assert_eq(allegra_answer_write(take, NULL, 0), 9);
    cr_assert_eq(allegra_answer_write(unknown, buffer, sizeof buffer), 0);
    cr_assert_str_empty(buffer);
    cr_assert_gt(allegra_answer_write(crowded, buffer, sizeof buffer), sizeof buffer);
    cr_assert_eq(strlen(buffer), sizeof buffer - 1);
    cr_assert_eq(allegra_cell_write(14, buffer, sizeof buffer), 2);
    cr_assert_str_eq(buffer, "E3");
    cr_assert_eq(allegra_cell_write(15, buffer, sizeof buffer), 0);
    cr_assert_str_empty(buffer);
}

Test(library, text_is_read_strictly)
{
    struct allegra_answer answer = {.verb = 77};
    enum allegra_question question = ALLEGRA_QUESTION_COUNT;
    unsigned cell = 99;

    cr_assert_eq(allegra_answer_read("clear A1 B1 C1", &answer), 0);
    cr_assert_eq(answer.cells, 7);
    cr_assert_eq(allegra_answer_read("clear A1  B1 C1", &answer), -1);
    cr_assert_eq(answer.cells, 7);
    cr_assert_eq(allegra_question_read("move", &question), 0);
    cr_assert_eq(question, ALLEGRA_QUESTION_MOVE);
    cr_assert_eq(allegra_question_read("dance", &question), -1);
    cr_assert_eq(allegra_cell_read("B3", &cell), 0);
    cr_assert_eq(cell, 11);
    cr_assert_eq(allegra_cell_read("B33", &cell), -1);
    cr_assert_eq(cell, 11);
}

static struct allegra_table started_table(void)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    struct allegra_dice dice = allegra_dice_from(1);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_table table;

    cr_assert_eq(allegra_table_start(&table, &rules, 3, 2, &shuffler, NULL), 0);
    return table;
}

Test(library, a_position_is_written_and_read_again)
{
    struct allegra_table table = started_table();
    struct allegra_table again;
    char text[ALLEGRA_POSITION_MAX];
    char problem[200] = "";
    size_t length = allegra_position_write(&table, text, sizeof text);

    cr_assert_eq(length, strlen(text));
    cr_assert_eq(allegra_position_read(text, &again, problem, sizeof problem), 0, "%s", problem);
    cr_assert_eq(allegra_position_write(&again, text, 20), length);
    cr_assert_eq(strlen(text), 19);
    cr_assert_eq(allegra_position_read(text, &again, problem, sizeof problem), -1);
    cr_assert_gt(strlen(problem), 0);
    cr_assert_eq(allegra_position_read("seats=3000", &again, NULL, 0), -1);
}

Test(library, seats_and_cards_out_of_range_are_harmless)
{
    static const unsigned seats[] = {3, 6, 8, 31, 32, 255, 4000000000U};
    struct allegra_table table = started_table();
    struct allegra_answer turn = {.verb = ALLEGRA_VERB_TURN, .cells = 1};
    struct allegra_event placed = {.kind = ALLEGRA_EVENT_PLACED, .old = 4, .seen_by = 0x80};

    for (size_t i = 0; i < sizeof seats / sizeof seats[0]; i++) {
        struct allegra_triples triples = {.count = 99};
        struct allegra_legal legal = {.count = 99};
        struct allegra_view view = allegra_view_of(&table, seats[i]);

        cr_expect_eq(view.me, ALLEGRA_SEAT_NONE);
        cr_expect_eq(view.question, ALLEGRA_QUESTION_NONE);
        allegra_legal_list(&table, seats[i], &legal);
        cr_expect_eq(legal.count, 0);
        allegra_clear_find(&table, seats[i], &triples);
        cr_expect_eq(triples.count, 0);
        cr_expect_eq(allegra_table_judge(&table, seats[i], turn), ALLEGRA_REFUSAL_NOT_ASKED);
        cr_expect_eq(allegra_table_raw_score(&table, seats[i]), 0);
        cr_expect_eq(allegra_table_hole(&table, seats[i]), 0);
        cr_expect_eq(allegra_event_hide(placed, seats[i]).old, ALLEGRA_CARD_NONE);
    }
    cr_expect_eq(allegra_rules_cards_of(&table.rules, 4, -2), 0);
    cr_expect_eq(allegra_rules_cards_of(&table.rules, 4, 12), 0);
    cr_expect_eq(allegra_rules_cards_of(&table.rules, 4, ALLEGRA_CARD_NONE), 0);
}

Test(library, outside_a_clear_step_or_a_knock_there_is_nothing_to_choose)
{
    struct allegra_table table = started_table();
    struct allegra_triples triples = {.count = 99};

    cr_assert_not(allegra_clear_choices(&table, &triples));
    cr_assert_eq(triples.count, 0);
    cr_assert_eq(allegra_knock_takeable(&table), 0);
}

Test(library, no_answer_at_all_can_do_harm)
{
    struct allegra_dice dice = allegra_dice_from(9);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_table table = started_table();
    static struct allegra_events events;

    for (unsigned i = 0; i < 200000 && !allegra_table_is_over(&table); i++) {
        uint64_t bits = allegra_dice_next(&dice);
        struct allegra_answer answer = {.verb = (uint8_t)(bits % (ALLEGRA_VERB_COUNT + 2)),
                                        .seat = (uint8_t)(bits >> 8),
                                        .cells = (uint16_t)(bits >> 16)};
        struct allegra_legal legal;
        unsigned seat = allegra_dice_below(&dice, 9);

        if (i % 2 == 0)
            answer.seat &= 7;
        allegra_table_apply(&table, seat, answer, &shuffler, &events);
        allegra_legal_list(&table, seat, &legal);
        if (i % 8 == 0 && legal.count > 0)
            cr_assert_eq(allegra_table_apply(&table, seat, allegra_simulate_choose(&dice, &legal),
                                             &shuffler, &events),
                         ALLEGRA_REFUSAL_NONE);
    }
}
