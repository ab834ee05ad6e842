/* Corner cases of the deal, the turn, the piles and of clearing. Those of the knock are in
 * test_corner_cases_knock.c, those of the end of a round in test_corner_cases_end.c. */

#include "support/position.h"

#include <criterion/criterion.h>

/* Seats 1 and 2 do nothing; the cells of seat 0 follow. */
#define ONLOOKERS                                                                                  \
    "seats=3 shared1=#2,#2,#2 private1=" POSITION_FILLER " private2=" POSITION_FILLER              \
    " draw=0,9 discard=9 "

#define ALL_DOWN                                                                                   \
    "seats=3 shared0=#4,#8,#4 shared1=#2,#2,#2 shared2=#6,#6,#6 private0=" POSITION_FILLER         \
    " private1=" POSITION_FILLER " private2=" POSITION_FILLER " "

/* The table and the deal. */

Test(corner_cases, column_a_is_column_e_of_the_left_neighbour)
{
    for (unsigned seats = 2; seats <= 6; seats++) {
        struct allegra_table table = {.seats = (uint8_t)seats};

        for (unsigned seat = 0; seat < seats; seat++) {
            for (unsigned row = 0; row < ALLEGRA_CELL_ROWS; row++) {
                unsigned twin = seat;
                unsigned cell = row * ALLEGRA_CELL_COLUMNS;

                allegra_table_twin(&table, &twin, &cell);
                cr_assert_eq(twin, (seat + 1) % seats);
                cr_assert_eq(cell, row * ALLEGRA_CELL_COLUMNS + 4);
                allegra_table_twin(&table, &twin, &cell);
                cr_assert_eq(twin, seat);
                cr_assert_eq(cell, row * ALLEGRA_CELL_COLUMNS);
            }
        }
    }
}

Test(corner_cases, two_players_share_both_outer_columns_with_each_other)
{
    struct allegra_table table =
        table_from("seats=2 display0=1,#2,#3,#4,5/#6,#7,#8,#9,#10/11,#0,#1,#2,-1 "
                   "private1=" POSITION_FILLER " draw=0 discard=9");

    cr_assert_str_eq(display_text(&table, 1), "5 #3 #6 #9 1 / #10 #4 #7 #10 #6 / -1 #5 #8 #11 11");
}

Test(corner_cases, after_the_deal_the_draw_pile_has_the_remaining_cards)
{
    static const unsigned sizes[] = {[2] = 69, [3] = 57, [4] = 71, [5] = 59, [6] = 47};

    for (unsigned i = 0; i < 5 * ALLEGRA_EDITION_COUNT; i++) {
        unsigned seats = 2 + i / ALLEGRA_EDITION_COUNT;
        struct allegra_rules rules =
            allegra_rules_of_edition((enum allegra_edition)(i % ALLEGRA_EDITION_COUNT));
        struct script script = {.first = ""};
        struct allegra_shuffler shuffler = shuffler_scripted(&script);
        struct allegra_table table;

        allegra_table_start(&table, &rules, seats, 0, &shuffler, NULL);
        cr_assert_eq(table.draw_count, sizes[seats], "%u seats", seats);
        cr_assert_eq(table.discard_count, 1);
        for (unsigned seat = 0; seat < seats; seat++)
            cr_assert_eq(down_of(&table, seat), 15);
    }
}

static struct allegra_table dealt(const char *first)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    struct script script = {.first = first};
    struct allegra_shuffler shuffler = shuffler_scripted(&script);
    struct allegra_table table;

    allegra_table_start(&table, &rules, 3, 0, &shuffler, NULL);
    return table;
}

Test(corner_cases, each_player_reveals_two_cards_one_after_the_other)
{
    struct allegra_table table = dealt("4 7");
    struct allegra_events events = play(&table, 0, "turn B1");

    cr_assert_str_eq(events_text(&events), "turned");
    cr_assert_eq(events.list[0].card, 4, "the first card is shown before the second is chosen");
    cr_assert_str_eq(asked_text(&table), "0 reveal");
    events = play(&table, 0, "turn C1");
    cr_assert_eq(events.list[0].card, 7);
    cr_assert_str_eq(asked_text(&table), "1 reveal");
    play_all(&table, "1 turn A1, 1 turn A2, 2 turn A1, 2 turn A2");
    cr_assert_str_eq(asked_text(&table), "0 draw");
    cr_assert_eq(table.turn, 1);
}

Test(corner_cases, a_cell_that_is_up_cannot_be_revealed_again)
{
    struct allegra_table table = dealt("");

    play(&table, 0, "turn A1");
    cr_assert_eq(refused(&table, 0, "turn A1"), ALLEGRA_REFUSAL_NOT_DOWN);
    play(&table, 0, "turn B1");
    cr_assert_eq(refused(&table, 1, "turn E1"), ALLEGRA_REFUSAL_NOT_DOWN);
    cr_assert_eq(refused(&table, 0, "turn C1"), ALLEGRA_REFUSAL_NOT_ASKED);
}

Test(corner_cases, a_triple_made_while_revealing_stays_until_the_first_clear_step)
{
    struct allegra_table table = dealt("0 1 2 3 4 0 1 2 3 5 5 5");

    play_all(&table, "0 turn A1, 0 turn A2, 1 turn E3, 1 turn B1, 2 turn B1, 2 turn C1");
    cr_assert_str_eq(asked_text(&table), "0 draw");
    cr_assert_eq(cards_of(&table, 0), 15);
    play_all(&table, "0 discard, 0 drop B1");
    cr_assert_eq(cards_of(&table, 0), 12);
    cr_assert_eq(cards_of(&table, 1), 12);
}

/* The turn. */

Test(corner_cases, a_drawn_card_is_shown_to_all)
{
    struct allegra_table table = table_from(ALL_DOWN "draw=5,7 discard=9");
    struct allegra_events events = play(&table, 0, "pile");

    cr_assert_eq(event_of(&events, ALLEGRA_EVENT_DREW_PILE).card, 7);
    for (unsigned seat = 0; seat < 3; seat++)
        cr_assert_eq(allegra_view_of(&table, seat).drawn, 7);
}

Test(corner_cases, a_card_can_be_kept_in_any_cell_but_a_gap)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=1,.,#9,4,#6/#5,#3,#9,#2,#6/#1,#1,.,#3,#4");

    play(&table, 0, "discard");
    cr_assert_str_eq(legal_text(&table, 0),
                     "keep A1, keep C1, keep D1, keep E1, keep A2, keep B2, keep C2, keep D2, "
                     "keep E2, keep A3, keep B3, keep D3, keep E3, drop C1, drop E1, drop A2, "
                     "drop B2, drop C2, drop D2, drop E2, drop A3, drop B3, drop D3, drop E3");
    cr_assert_eq(refused(&table, 0, "keep B1"), ALLEGRA_REFUSAL_GAP);
}

Test(corner_cases, a_player_who_drops_a_card_turns_up_a_down_cell)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=1,.,#9,4,#6/#5,#3,#9,#2,#6/#1,#1,.,#3,#4");

    play(&table, 0, "discard");
    cr_assert_eq(refused(&table, 0, "drop A1"), ALLEGRA_REFUSAL_NOT_DOWN);
    cr_assert_eq(refused(&table, 0, "drop B1"), ALLEGRA_REFUSAL_GAP);
}

Test(corner_cases, a_dropped_card_lies_under_the_cleared_cards_and_a_replaced_one_on_top)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=8,8,#8,4,#6/#5,#3,#9,#2,#6/9,9,#2,#3,#4");
    struct allegra_table other = table;

    draw_without_knocks(&table, 0);
    play(&table, 0, "drop C1");
    cr_assert_str_eq(discard_text(&table), "9 9 8 8 8");
    draw_without_knocks(&other, 0);
    play(&other, 0, "keep C3");
    cr_assert_str_eq(discard_text(&other), "9 9 9 9 2");
}

/* Piles. */

Test(corner_cases, with_one_discarded_card_and_no_draw_pile_only_that_card_can_be_drawn)
{
    struct allegra_table table = table_from(ALL_DOWN "draw= discard=9");

    cr_assert_str_eq(asked_text(&table), "0 draw", "asked although there is no choice");
    cr_assert_str_eq(legal_text(&table, 0), "discard");
    cr_assert_eq(refused(&table, 0, "pile"), ALLEGRA_REFUSAL_PILE_EMPTY);
    play_all(&table, "0 discard, 0 drop B1");
    cr_assert_str_eq(legal_text(&table, 1), "discard");
    play_all(&table, "1 discard, 1 keep B1");
    cr_assert_str_eq(discard_text(&table), "3");
}

Test(corner_cases, with_two_discarded_cards_the_lower_one_is_the_new_draw_pile)
{
    struct allegra_table table = table_from(ALL_DOWN "draw= discard=5,9");
    struct script script = {.first = ""};
    struct allegra_shuffler shuffler = shuffler_scripted(&script);

    cr_assert_str_eq(legal_text(&table, 0), "pile, discard");
    play_with(&table, 0, "pile", &shuffler);
    cr_assert_eq(table.drawn, 5);
    cr_assert_str_eq(draw_text(&table), "");
    cr_assert_str_eq(discard_text(&table), "9");
}

Test(corner_cases, the_reshuffles_of_a_round_are_counted_for_the_shuffler)
{
    struct allegra_table table =
        table_from(ALL_DOWN "draw= discard=5,9 reshuffles=3 round=2 rounds=2");
    struct script script = {.first = ""};
    struct allegra_shuffler shuffler = shuffler_scripted(&script);

    play_with(&table, 0, "pile", &shuffler);
    cr_assert_eq(script.calls, 1);
    cr_assert_eq(script.round, 2);
    cr_assert_eq(script.reshuffle, 4);
}

Test(corner_cases, the_draw_pile_is_reshuffled_only_when_a_player_draws_from_it)
{
    struct allegra_table table = table_from(ALL_DOWN "draw=7 discard=5,9");

    draw_without_knocks(&table, 0);
    play(&table, 0, "drop B1");
    cr_assert_str_eq(draw_text(&table), "");
    play_all(&table, "1 discard, 1 drop B1");
    cr_assert_str_eq(discard_text(&table), "5 9 7");
}

Test(corner_cases, with_end_round_the_empty_pile_can_be_chosen_over_a_single_discarded_card)
{
    struct allegra_table table = table_from(ALL_DOWN "draw= discard=9 reshuffle=end_round");
    struct allegra_events events;

    cr_assert_str_eq(legal_text(&table, 0), "pile, discard");
    events = play(&table, 0, "pile");
    cr_assert_eq(events.list[0].kind, ALLEGRA_EVENT_EXHAUSTED);
    cr_assert_str_eq(raw_text(&events), "97 85 87");
    cr_assert_str_eq(score_text(&events), "97 85 87");
}

Test(corner_cases, with_end_round_an_existing_trigger_keeps_the_penalty)
{
    struct allegra_table table =
        table_from(POSITION_APART "private0=9,.,./.,.,./.,.,. private1=4,.,./.,.,./.,.,. "
                                  "private2=#7,.,./.,.,./.,.,. draw= discard=3 reshuffle=end_round "
                                  "active=2 triggered=0 moved=1 final=1");
    struct allegra_events events = play(&table, 2, "pile");

    cr_assert_str_eq(raw_text(&events), "9 4 7");
    cr_assert_str_eq(score_text(&events), "18 4 7");
}

/* What is a triple. */

Test(corner_cases, of_four_equal_cards_in_a_row_either_end_can_stay)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=9,9,#3,9,#6/#5,#3,#9,#2,#6/#1,#1,#2,#3,#4");
    struct allegra_table other;

    play_all(&table, "0 discard, 0 keep C1");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 B1 C1, clear B1 C1 D1");
    cr_assert_eq(refused(&table, 0, "clear A1 B1 D1"), ALLEGRA_REFUSAL_NO_TRIPLE);
    other = table;
    play(&table, 0, "clear A1 B1 C1");
    cr_assert_str_eq(display_text(&table, 0), ". . . 9 #6 / #5 #3 #9 #2 #6 / #1 #1 #2 #3 #4");
    play(&other, 0, "clear B1 C1 D1");
    cr_assert_str_eq(display_text(&other, 0), "9 . . . #6 / #5 #3 #9 #2 #6 / #1 #1 #2 #3 #4");
}

Test(corner_cases, of_five_equal_cards_in_a_row_three_are_cleared_and_two_stay)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=9,9,#3,9,9/#5,#3,#9,#2,#6/#1,#1,#2,#3,#4");

    play_all(&table, "0 discard, 0 keep C1");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 B1 C1, clear B1 C1 D1, clear C1 D1 E1");
    play(&table, 0, "clear B1 C1 D1");
    cr_assert_str_eq(display_text(&table, 0), "9 . . . 9 / #5 #3 #9 #2 #6 / #1 #1 #2 #3 #4");
    cr_assert_str_eq(discard_text(&table), "9 9 9 3");
}

Test(corner_cases, windows_of_a_row_skip_its_gaps)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=9,.,9,9,#9/#5,#3,#9,#2,#6/#1,#1,#2,#3,#4");

    draw_without_knocks(&table, 0);
    play(&table, 0, "drop E1");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 C1 D1, clear C1 D1 E1");
}

Test(corner_cases, a_display_does_not_wrap_around)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=9,4,5,#3,9/#5,#3,#9,#2,#6/#1,#1,#2,#3,#4");

    play_all(&table, "0 discard, 0 keep D1");
    cr_assert_str_eq(discard_text(&table), "3");
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

Test(corner_cases, a_column_with_a_gap_or_a_down_card_is_not_a_triple)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=9,9,#3,1,#6/9,9,#9,#2,#6/#9,.,#2,#3,#4");

    play_all(&table, "0 discard, 0 keep D1");
    cr_assert_str_eq(discard_text(&table), "1");
}

/* Who clears what, and when. */

Test(corner_cases, a_triple_in_a_neighbours_display_is_not_cleared_by_the_active_player)
{
    struct allegra_table table = table_from(
        "seats=3 shared0=#9,#8,#4 shared1=#2,#2,#2 shared2=#6,#6,#6 private0=" POSITION_FILLER
        " private1=#7,9,9/#1,#8,#8/#0,#7,#7 private2=" POSITION_FILLER " draw=0 discard=4");
    struct allegra_events events;

    play(&table, 0, "discard");
    events = play(&table, 0, "drop A1");
    cr_assert_str_eq(events_text(&events), "dropped turned turn");
    cr_assert_str_eq(display_text(&table, 1), "#2 #7 9 9 9 / #2 #1 #8 #8 #8 / #2 #0 #7 #7 #4");
}

Test(corner_cases, a_shared_triple_is_cleared_without_asking_the_neighbour)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=9,#1,#3,4,#6/9,#3,#9,#2,#6/#1,#1,#2,#3,#4");

    play_all(&table, "0 discard, 0 keep A3");
    cr_assert_str_eq(display_text(&table, 1), "#2 #3 #6 #9 . / #2 #4 #7 #10 . / #2 #5 #8 #11 .");
}

#define REFUSABLE ONLOOKERS "display0=9,9,#3,4,#6/#5,#3,#9,#2,#6/#1,#1,#2,#3,#4 edition=nl2023 "

Test(corner_cases, a_refused_triple_can_be_cleared_in_a_later_clear_step)
{
    struct allegra_table table = table_from(REFUSABLE);

    play_all(&table, "0 discard, 0 keep C1, 0 none, 1 discard, 1 drop B1, 2 discard, 2 drop B1");
    play_all(&table, "0 discard, 0 drop E3");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 B1 C1, none");
    play(&table, 0, "clear A1 B1 C1");
    cr_assert_str_eq(discard_text(&table), "3 9 9 9");
}

Test(corner_cases,
     with_turn_start_a_triple_refused_before_drawing_is_asked_about_again_after_the_move)
{
    struct allegra_table table = table_from(REFUSABLE "standing=turn_start");

    play_all(&table, "0 discard, 0 keep C1, 0 none, 1 discard, 1 drop B1, 2 discard, 2 drop B1");
    cr_assert_str_eq(asked_text(&table), "0 clear");
    play_all(&table, "0 none, 0 discard, 0 drop E3");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 B1 C1, none");
}

/* The order of struct allegra_triples, not the order of the first cells. */
Test(corner_cases, clears_are_listed_by_column_and_then_by_row)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=4,4,4,#3,9/#1,#3,#9,#2,9/3,3,3,#3,#4 row_match=adjacent");

    play_all(&table, "0 discard, 0 keep E3");
    cr_assert_str_eq(legal_text(&table, 0), "clear E1 E2 E3, clear A1 B1 C1, clear A3 B3 C3");
}

Test(corner_cases, a_player_can_stop_only_when_no_triple_must_be_cleared)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=9,#1,4,4,4/9,#3,#9,#2,#6/#1,#1,#2,#3,#4 "
                             "clear_row=may clear_column=must");
    struct allegra_table other;

    play_all(&table, "0 discard, 0 keep A3");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 A2 A3, clear C1 D1 E1");
    cr_assert_eq(refused(&table, 0, "none"), ALLEGRA_REFUSAL_MUST_CLEAR);
    other = table;
    play(&table, 0, "clear A1 A2 A3");
    cr_assert_str_eq(legal_text(&table, 0), "clear C1 D1 E1, none");
    play(&table, 0, "none");
    cr_assert_str_eq(discard_text(&table), "9 9 9 1");
    play(&other, 0, "clear C1 D1 E1");
    cr_assert_str_eq(discard_text(&other), "4 4 4 9 9 9 1");
}

/* Clearing column C makes the 8s of row 2 adjacent; column A is a triple from the start. */
#define CHAIN ONLOOKERS "display0=4,#8,9,1,#6/4,8,9,8,8/4,#1,#2,#3,#4 "

Test(corner_cases, a_mandatory_chain_cannot_be_refused_though_rows_and_columns_can)
{
    struct allegra_table table = table_from(CHAIN "edition=fr2020");

    play_all(&table, "0 discard, 0 keep C3");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 A2 A3, clear C1 C2 C3, none");
    play(&table, 0, "clear C1 C2 C3");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 A2 A3, clear B2 D2 E2");
    cr_assert_eq(refused(&table, 0, "none"), ALLEGRA_REFUSAL_MUST_CLEAR);
    play(&table, 0, "clear B2 D2 E2");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 A2 A3, none");
    play(&table, 0, "none");
    cr_assert_str_eq(discard_text(&table), "9 9 9 8 8 8 2");
}

Test(corner_cases, an_optional_chain_can_be_refused_though_rows_and_columns_cannot)
{
    struct allegra_table table = table_from(CHAIN "clear_chain=may");

    play_all(&table, "0 discard, 0 keep C3, 0 clear C1 C2 C3");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 A2 A3, clear B2 D2 E2");
    play(&table, 0, "clear A1 A2 A3");
    cr_assert_str_eq(legal_text(&table, 0), "clear B2 D2 E2, none");
    play(&table, 0, "none");
    cr_assert_str_eq(discard_text(&table), "9 9 9 4 4 4 2");
}

Test(corner_cases, a_refused_chain_is_an_ordinary_triple_in_the_next_clear_step)
{
    struct allegra_table table = table_from(CHAIN "clear_chain=may");

    play_all(&table, "0 discard, 0 keep C3, 0 clear C1 C2 C3, 0 clear A1 A2 A3, 0 none, "
                     "1 discard, 1 drop B1, 2 discard, 2 drop B1, 0 discard, 0 drop B1");
    cr_assert_str_eq(discard_text(&table), "9 9 9 4 4 4 2 8 8 8");
}

Test(corner_cases, a_triple_from_the_start_of_the_step_is_not_a_chain)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=9,9,#3,4,#6/8,8,8,#2,#6/#1,#1,#2,#3,#4 "
                             "clear_chain=may");

    play_all(&table, "0 discard, 0 keep C1");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 B1 C1, clear A2 B2 C2");
    play(&table, 0, "clear A2 B2 C2");
    cr_assert_str_eq(discard_text(&table), "8 8 8 9 9 9 3", "the second triple must be cleared");
}

Test(corner_cases, three_minus_ones_cannot_be_kept_where_a_row_must_be_cleared)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=-1,-1,#-1,4,#6/#5,#3,#9,#2,#6/#1,#1,#2,#3,#4");
    int before = allegra_table_raw_score(&table, 0);

    play_all(&table, "0 discard, 0 drop C1");
    cr_assert_str_eq(discard_text(&table), "9 -1 -1 -1");
    cr_assert_eq(allegra_table_raw_score(&table, 0), before + 3);
}
