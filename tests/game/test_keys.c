/* The effect of each value of each rule key, except the keys of the knock: those are in
 * test_keys_knock.c. Each test changes one key; all others are those of de2026. */

#include "support/position.h"
#include "game/rules.h"

#include <criterion/criterion.h>

/* Seats 1 and 2 do nothing; the draw pile and the discard pile have a 9 each. */
#define ONLOOKERS                                                                                  \
    "seats=3 shared1=#2,#2,#2 private1=" POSITION_FILLER " private2=" POSITION_FILLER              \
    " draw=0,9 discard=9 "

static struct allegra_rules rules_with(const char *pair)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);

    cr_assert_eq(rules_set_pair(&rules, span_of(pair), NULL), 0);
    return rules;
}

/* A new match of three with seat 1 as the dealer; the cards in `first` are dealt first. */
static struct allegra_table dealt(const char *pair, const char *first)
{
    struct allegra_rules rules = rules_with(pair);
    struct script script = {.first = first};
    struct allegra_shuffler shuffler = shuffler_scripted(&script);
    struct allegra_table table;

    allegra_table_start(&table, &rules, 3, 1, &shuffler, NULL);
    return table;
}

/* Deck. */

Test(keys, deck_sets_the_cards)
{
    struct allegra_table table = dealt("deck=0,0,0,3,0,0,0,0,0,0,0,0,39", "");

    cr_assert_eq(table.draw_count, 1 + 37 - 36 - 1);
    cr_assert_str_eq(draw_text(&table), "2", "the lowest card of the sorted deck comes last");
    cr_assert_str_eq(discard_text(&table), "11");
    cr_assert_str_eq(display_text(&table, 0),
                     "#11 #11 #11 #11 #11 / #11 #11 #11 #11 #11 / #11 #11 #11 #11 #11");
}

/* Starter. */

Test(keys, with_starter_dealer_the_dealer_reveals_and_plays_first)
{
    struct allegra_table table = dealt("starter=dealer", "");

    cr_assert_str_eq(asked_text(&table), "1 reveal");
    play_all(&table, "1 turn B1, 1 turn C1, 2 turn B1, 2 turn C1, 0 turn B1, 0 turn C1");
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

Test(keys, with_starter_left_the_left_neighbour_of_the_dealer_reveals_and_plays_first)
{
    struct allegra_table table = dealt("starter=left", "");

    cr_assert_str_eq(asked_text(&table), "2 reveal");
    play_all(&table, "2 turn B1, 2 turn C1, 0 turn B1, 0 turn C1, 1 turn B1, 1 turn C1");
    cr_assert_str_eq(asked_text(&table), "2 draw");
}

/* Deal. */

#define BLOCKS                                                                                     \
    "0 1 2 3 4 5 6 7 8 9 10 11 "                                                                   \
    "11 10 9 8 7 6 5 4 3 2 1 0 "                                                                   \
    "5 5 5 5 6 6 6 6 7 7 7 7 4 -1"

Test(keys, with_deal_shared_a_a_block_fills_b_c_d_row_by_row_and_then_column_a)
{
    struct allegra_table table = dealt("deal_shared=A", BLOCKS);

    cr_assert_str_eq(display_text(&table, 0), "#9 #0 #1 #2 #7 / #10 #3 #4 #5 #7 / #11 #6 #7 #8 #7");
    cr_assert_str_eq(display_text(&table, 1),
                     "#2 #11 #10 #9 #9 / #1 #8 #7 #6 #10 / #0 #5 #4 #3 #11");
    cr_assert_str_eq(display_text(&table, 2), "#7 #5 #5 #5 #2 / #7 #5 #6 #6 #1 / #7 #6 #6 #7 #0");
    cr_assert_str_eq(discard_text(&table), "4");
    cr_assert_eq(table.pile[table.draw_count - 1], -1);
}

Test(keys, with_deal_shared_e_a_block_fills_b_c_d_e_row_by_row)
{
    struct allegra_table table = dealt("deal_shared=E", BLOCKS);

    cr_assert_str_eq(display_text(&table, 0), "#8 #0 #1 #2 #3 / #4 #4 #5 #6 #7 / #0 #8 #9 #10 #11");
    cr_assert_str_eq(display_text(&table, 1), "#5 #11 #10 #9 #8 / #6 #7 #6 #5 #4 / #7 #3 #2 #1 #0");
    cr_assert_str_eq(display_text(&table, 2), "#3 #5 #5 #5 #5 / #7 #6 #6 #6 #6 / #11 #7 #7 #7 #7");
    cr_assert_str_eq(discard_text(&table), "4");
    cr_assert_eq(table.pile[table.draw_count - 1], -1);
}

/* Triples. */

#define SPREAD ONLOOKERS "display0=9,4,9,#2,#6/9,#3,9,#2,#6/#1,#1,#2,#3,#4 "

Test(keys, with_row_match_adjacent_another_card_or_a_down_card_in_between_blocks_a_row)
{
    struct allegra_table table = table_from(SPREAD "row_match=adjacent");
    struct allegra_table other = table;

    play_all(&table, "0 discard, 0 keep D1");
    cr_assert_str_eq(discard_text(&table), "2");
    play_all(&other, "0 discard, 0 keep D2");
    cr_assert_str_eq(discard_text(&other), "2");
}

Test(keys, with_row_match_anywhere_nothing_in_between_blocks_a_row)
{
    struct allegra_table table = table_from(SPREAD "row_match=anywhere");
    struct allegra_table other = table;

    play_all(&table, "0 discard, 0 keep D1");
    cr_assert_str_eq(discard_text(&table), "9 9 9 2");
    cr_assert_str_eq(display_text(&table, 0), ". 4 . . #6 / 9 #3 9 #2 #6 / #1 #1 #2 #3 #4");
    play_all(&other, "0 discard, 0 keep D2");
    cr_assert_str_eq(discard_text(&other), "9 9 9 2");
    cr_assert_str_eq(display_text(&other, 0), "9 4 9 #2 #6 / . #3 . . #6 / #1 #1 #2 #3 #4");
}

Test(keys, with_row_match_anywhere_any_three_of_four_can_be_chosen)
{
    struct allegra_table table =
        table_from(ONLOOKERS "display0=9,9,4,9,#6/#5,#3,#9,#2,#6/#1,#1,#2,#3,#4 "
                             "row_match=anywhere");

    play_all(&table, "0 discard, 0 keep E1");
    cr_assert_str_eq(legal_text(&table, 0),
                     "clear A1 B1 D1, clear A1 B1 E1, clear A1 D1 E1, clear B1 D1 E1");
}

#define ROW ONLOOKERS "display0=9,9,#3,4,#6/#5,#3,#9,#2,#6/#1,#1,#2,#3,#4 "
#define COLUMN ONLOOKERS "display0=9,#8,#3,4,#6/9,#3,#8,#2,#6/#1,#1,#2,#3,#4 "

Test(keys, with_clear_row_must_a_row_is_cleared_without_asking)
{
    struct allegra_table table = table_from(ROW "clear_row=must clear_column=may clear_chain=may");

    play_all(&table, "0 discard, 0 keep C1");
    cr_assert_str_eq(discard_text(&table), "9 9 9 3");
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

Test(keys, with_clear_row_may_a_row_can_be_refused)
{
    struct allegra_table table = table_from(ROW "clear_row=may");

    play_all(&table, "0 discard, 0 keep C1");
    cr_assert_str_eq(asked_text(&table), "0 clear");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 B1 C1, none");
    play(&table, 0, "none");
    cr_assert_str_eq(discard_text(&table), "3");
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

Test(keys, with_clear_column_must_a_column_is_cleared_without_asking)
{
    struct allegra_table table =
        table_from(COLUMN "clear_row=may clear_column=must clear_chain=may");

    play_all(&table, "0 discard, 0 keep A3");
    cr_assert_str_eq(discard_text(&table), "9 9 9 1");
    cr_assert_eq(cards_of(&table, 1), 12, "the column was shared with seat 1");
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

Test(keys, with_clear_column_may_a_column_can_be_refused)
{
    struct allegra_table table = table_from(COLUMN "clear_column=may");

    play_all(&table, "0 discard, 0 keep A3");
    cr_assert_str_eq(legal_text(&table, 0), "clear A1 A2 A3, none");
    play(&table, 0, "none");
    cr_assert_str_eq(discard_text(&table), "1");
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

/* Clearing column C makes the 8s of row 2 adjacent. */
#define CHAIN ONLOOKERS "display0=#1,#8,9,4,#6/#5,8,9,8,8/#1,#1,#2,#3,#4 "

Test(keys, with_clear_chain_must_a_triple_made_by_clearing_is_cleared_without_asking)
{
    struct allegra_table table =
        table_from(CHAIN "clear_row=may clear_column=must clear_chain=must");

    play_all(&table, "0 discard, 0 keep C3");
    cr_assert_str_eq(discard_text(&table), "9 9 9 8 8 8 2");
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

Test(keys, with_clear_chain_may_a_triple_made_by_clearing_can_be_refused)
{
    struct allegra_table table =
        table_from(CHAIN "clear_row=must clear_column=must clear_chain=may");

    play_all(&table, "0 discard, 0 keep C3");
    cr_assert_str_eq(legal_text(&table, 0), "clear B2 D2 E2, none");
    play(&table, 0, "none");
    cr_assert_str_eq(discard_text(&table), "9 9 9 2");
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

/* Seat 0 turns up the third 8 of seat 1. */
#define NEIGHBOUR                                                                                  \
    "seats=3 shared0=#4,#8,#4 shared1=#2,#2,#2 shared2=#6,#6,#6 private0=" POSITION_FILLER         \
    " private1=#7,#7,#7/1,8,8/#0,#7,#7 private2=" POSITION_FILLER " draw=10 discard=4 "

Test(keys, with_standing_clear_step_a_triple_made_by_another_player_waits_for_the_move)
{
    struct allegra_table table = table_from(NEIGHBOUR "standing=clear_step");

    play_all(&table, "0 discard, 0 drop A2");
    cr_assert_str_eq(asked_text(&table), "1 draw");
    cr_assert_eq(cards_of(&table, 1), 15);
    play_all(&table, "1 discard, 1 drop B3");
    cr_assert_str_eq(discard_text(&table), "4 8 8 8");
}

Test(keys, with_standing_turn_start_a_triple_made_by_another_player_is_cleared_before_drawing)
{
    struct allegra_table table = table_from(NEIGHBOUR "standing=turn_start");
    struct allegra_events events;

    play(&table, 0, "discard");
    events = play(&table, 0, "drop A2");
    cr_assert_str_eq(events_text(&events), "dropped turned turn cleared");
    cr_assert_str_eq(discard_text(&table), "4 8 8 8");
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

/* Piles. */

Test(keys, with_discard_return_yes_a_card_from_the_discard_pile_can_be_dropped)
{
    struct allegra_table table = table_from(ROW "discard_return=yes");

    play_all(&table, "0 discard, 0 drop E3");
    cr_assert_str_eq(discard_text(&table), "9");
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

Test(keys, with_discard_return_no_a_card_from_the_discard_pile_must_be_kept)
{
    struct allegra_table table = table_from(ROW "discard_return=no");
    struct allegra_table other = table;

    play(&table, 0, "discard");
    cr_assert_eq(refused(&table, 0, "drop E3"), ALLEGRA_REFUSAL_NO_RETURN);
    play(&table, 0, "keep E3");
    draw_without_knocks(&other, 0);
    play(&other, 0, "drop E3");
}

#define NO_PILE                                                                                    \
    "seats=3 shared0=#4,#8,#4 shared1=#2,#2,#2 shared2=#6,#6,#6 private0=" POSITION_FILLER         \
    " private1=" POSITION_FILLER " private2=" POSITION_FILLER " draw= discard=1,2,3,4 "

Test(keys, with_reshuffle_keep_top_the_discard_pile_without_its_top_is_the_new_draw_pile)
{
    struct allegra_table table = table_from(NO_PILE "reshuffle=keep_top round=1");
    struct script script = {.first = "2"};
    struct allegra_shuffler shuffler = shuffler_scripted(&script);
    struct allegra_events events = play_with(&table, 0, "pile", &shuffler);

    cr_assert_str_eq(events_text(&events), "reshuffled drew pile");
    cr_assert_eq(events.list[0].number, 3);
    cr_assert_eq(table.drawn, 2);
    cr_assert_str_eq(draw_text(&table), "1 3");
    cr_assert_str_eq(discard_text(&table), "4");
    cr_assert_eq(script.round, 1);
    cr_assert_eq(script.reshuffle, 1);
    cr_assert_eq(script.count, 3);
}

Test(keys, with_reshuffle_end_round_choosing_the_empty_pile_ends_the_round)
{
    struct allegra_table table = table_from(NO_PILE "reshuffle=end_round");
    struct allegra_events events = play(&table, 0, "pile");

    cr_assert_eq(events.list[0].kind, ALLEGRA_EVENT_EXHAUSTED);
    cr_assert_str_eq(score_text(&events), "97 85 87");
    cr_assert(allegra_table_is_over(&table));
}

Test(keys, a_turn_limit_ends_the_round_after_that_many_turns_per_player)
{
    static const unsigned limits[] = {1, 2, 10000};

    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        struct allegra_table table =
            table_from(NEIGHBOUR "turn_limit=%u active=1 turn=%u", limits[i], 3 * limits[i] - 1);
        struct allegra_events events;

        play_all(&table, "1 discard, 1 keep B1");
        cr_assert_str_eq(asked_text(&table), "2 draw", "limit %u", limits[i]);
        play(&table, 2, "discard");
        events = play(&table, 2, "keep B1");
        cr_assert_eq(event_of(&events, ALLEGRA_EVENT_LIMIT).number, (int)(3 * limits[i]));
        cr_assert(allegra_table_is_over(&table), "limit %u", limits[i]);
    }
}

/* The end. */

Test(keys, with_trigger_active_an_active_player_who_completes_too_is_the_trigger)
{
    struct allegra_table table = table_from(POSITION_LATE_KNOCK);

    set_rule(&table, "trigger=active");
    play_all(&table, "0 pile, 1 knock, 2 pass, 0 accept 1, 1 place C2, 0 take 1:B1, 0 put C2");
    cr_assert_eq(table.trigger, 0);
}

Test(keys, with_trigger_first_the_first_player_to_complete_is_the_trigger)
{
    struct allegra_table table = table_from(POSITION_LATE_KNOCK);

    set_rule(&table, "trigger=first");
    play_all(&table, "0 pile, 1 knock, 2 pass, 0 accept 1, 1 place C2, 0 take 1:B1, 0 put C2");
    cr_assert_eq(table.trigger, 1);
}

/* The trigger has -3 and fails: seat 1 has -4. */
#define NEGATIVE                                                                                   \
    POSITION_APART "private0=-1,.,./.,-1,./.,.,-1 private1=-1,.,./.,-1,-1/.,.,-1 "                 \
                   "private2=#5,.,./.,.,./.,.,. draw=1 discard=3 active=2 triggered=0 moved=1 "    \
                   "final=1 "

Test(keys, with_failed_negative_keep_a_negative_score_stays)
{
    struct allegra_table table = table_from(NEGATIVE "failed_negative=keep");
    struct allegra_events events = play_all(&table, "2 discard, 2 drop B1");

    cr_assert_str_eq(score_text(&events), "-3 -4 5");
}

Test(keys, with_failed_negative_halve_a_negative_score_is_halved)
{
    struct allegra_table table = table_from(NEGATIVE "failed_negative=halve");
    struct allegra_events events = play_all(&table, "2 discard, 2 drop B1");

    cr_assert_str_eq(score_text(&events), "-1.5 -4 5");
}

Test(keys, rounds_sets_the_last_round_of_the_match)
{
    static const unsigned rounds[] = {1, 2, 100};

    for (size_t i = 0; i < ARRAY_LEN(rounds); i++) {
        struct allegra_table table =
            table_from(POSITION_LAST_MOVE "rounds=%u round=%u", rounds[i], rounds[i]);

        play_all(&table, "2 discard, 2 drop B1");
        cr_assert(allegra_table_is_over(&table), "rounds=%u", rounds[i]);
    }
}

Test(keys, before_the_last_round_a_new_one_is_dealt_and_totals_are_kept)
{
    struct allegra_table table =
        table_from(POSITION_LAST_MOVE "rounds=3 round=2 reshuffles=4 totals=1,-0.5,30");
    struct script script = {.first = ""};
    struct allegra_shuffler shuffler = shuffler_scripted(&script);
    struct allegra_events events;

    play(&table, 2, "discard");
    events = play_with(&table, 2, "drop B1", &shuffler);
    cr_assert_str_eq(events_text(&events), "dropped turned scored scored scored round");
    cr_assert_str_eq(total_text(&events), "5 8.5 37");
    cr_assert_eq(script.round, 3);
    cr_assert_eq(script.reshuffle, 0);
    cr_assert_eq(script.count, 94);
    cr_assert_eq(table.round, 3);
    cr_assert_eq(table.reshuffles, 0);
    cr_assert_eq(table.turn, 0);
    cr_assert_eq(table.trigger, ALLEGRA_SEAT_NONE);
    cr_assert_eq(down_of(&table, 0), 15);
    cr_assert_eq(allegra_table_question(&table), ALLEGRA_QUESTION_REVEAL);
}

Test(keys, with_a_score_limit_the_rounds_do_not_count)
{
    struct allegra_table table =
        table_from(POSITION_LAST_MOVE "rounds=1 score_limit=100 totals=90,90,92");
    struct script script = {.first = ""};
    struct allegra_shuffler shuffler = shuffler_scripted(&script);

    play(&table, 2, "discard");
    play_with(&table, 2, "drop B1", &shuffler);
    cr_assert_not(allegra_table_is_over(&table), "94, 99 and 99 are below 100");
    cr_assert_eq(table.round, 2);
}

Test(keys, with_a_score_limit_the_match_ends_when_a_total_reaches_it)
{
    struct allegra_table table =
        table_from(POSITION_LAST_MOVE "rounds=9 score_limit=100 totals=9,91,9");

    play_all(&table, "2 discard, 2 drop B1");
    cr_assert(allegra_table_is_over(&table), "9 + 91 is 100");
    cr_assert_eq(allegra_table_winners(&table), 1U << 0);
}

Test(keys, without_a_score_limit_no_total_ends_the_match)
{
    struct allegra_table table =
        table_from(POSITION_LAST_MOVE "rounds=2 score_limit=0 totals=0,5000,0");
    struct script script = {.first = ""};
    struct allegra_shuffler shuffler = shuffler_scripted(&script);

    play(&table, 2, "discard");
    play_with(&table, 2, "drop B1", &shuffler);
    cr_assert_not(allegra_table_is_over(&table));
}

Test(keys, talk_changes_nothing_at_the_table)
{
    static const char *const values[] = {"on", "off"};

    for (unsigned i = 0; i < ARRAY_LEN(values); i++) {
        struct allegra_table table = table_from(POSITION_KNOCK "talk=%s", values[i]);

        cr_assert_eq(table.rules.talk, i == 0);
        play_all(&table, "0 pile, 1 knock D1, 2 pass");
        cr_assert_str_eq(asked_text(&table), "0 answer", "an offered cell is not talk");
        cr_assert_eq(allegra_view_of(&table, 0).offer[1], ALLEGRA_CELL_BIT(3));
    }
}
