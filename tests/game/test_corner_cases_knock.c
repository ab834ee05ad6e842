/* Corner cases of the knock: the asked seats, announcements, the hole, and displays that are empty
 * or almost empty. */

#include "support/position.h"

#include <criterion/criterion.h>

#define ACCEPTED "0 pile, 1 knock, 2 pass, 0 accept 1"

/* Eligibility. */

/* All cards of seats 0 and 2 are down; private1 and the shared columns of seat 1 follow. */
#define FACING                                                                                     \
    "seats=3 shared2=.,.,. private0=" POSITION_FILLER " private2=" POSITION_FILLER                 \
    " draw=0,5 discard=6 "

Test(corner_cases_knock, a_player_with_three_cards_may_not_knock_and_one_with_four_may)
{
    struct allegra_table three = table_from(FACING "shared0=.,.,. shared1=#3,.,. "
                                                   "private1=1,.,./.,2,./.,.,.");
    struct allegra_table four = table_from(FACING "shared0=.,.,4 shared1=#3,.,. "
                                                  "private1=1,.,./.,2,./.,.,.");

    cr_assert_not(allegra_knock_eligible(&three) >> 1 & 1);
    play(&three, 0, "pile");
    cr_assert_str_eq(asked_text(&three), "2 knock");
    cr_assert(allegra_knock_eligible(&four) >> 1 & 1);
    play(&four, 0, "pile");
    cr_assert_str_eq(asked_text(&four), "1,2 knock");
}

Test(corner_cases_knock, a_complete_player_may_not_knock_with_any_number_of_cards)
{
    struct allegra_table table =
        table_from(FACING "shared0=.,.,. shared1=.,.,. private1=1,2,3/4,5,6/7,8,9 "
                          "triggered=1 final=1");

    play(&table, 0, "pile");
    cr_assert_str_eq(asked_text(&table), "2 knock");
}

Test(corner_cases_knock, a_player_may_not_knock_after_the_last_move)
{
    struct allegra_table table = table_from(
        "seats=4 shared0=.,.,. shared1=.,.,. shared2=.,.,. shared3=.,.,. "
        "private0=3,.,./.,.,./.,.,. "
        "private1=" POSITION_FILLER " private2=" POSITION_FILLER " private3=" POSITION_FILLER
        " draw=0,5,5 discard=6 active=1 triggered=0 final=3");

    play(&table, 1, "pile");
    cr_assert_str_eq(asked_text(&table), "2,3 knock", "both have their move still to come");
    play_all(&table, "2 pass, 3 pass, 1 drop B1, 2 pile");
    cr_assert_str_eq(asked_text(&table), "3 knock");
}

Test(corner_cases_knock, a_knocker_in_the_final_round_keeps_the_last_move)
{
    struct allegra_table table =
        table_from(POSITION_APART "private0=3,.,./.,.,./.,.,. private1=" POSITION_FILLER
                                  " private2=" POSITION_FILLER
                                  " draw=0,5 discard=6 active=1 triggered=0 final=2");

    play_all(&table, "1 pile, 2 knock, 1 accept 2, 2 place B1, 1 take 2:C1, 1 put B1");
    cr_assert_str_eq(asked_text(&table), "2 draw");
}

Test(corner_cases_knock, the_active_player_may_not_knock_for_the_drawn_card)
{
    struct allegra_table table = table_from(POSITION_KNOCK);

    cr_assert_eq(allegra_knock_eligible(&table), 6);
}

Test(corner_cases_knock, a_match_of_two_has_no_knocks)
{
    struct allegra_table table =
        table_from("seats=2 shared0=#1,#2,#3 shared1=#4,#5,#6 private0=" POSITION_FILLER
                   " private1=" POSITION_FILLER " draw=0,5 discard=6");

    play(&table, 0, "pile");
    cr_assert_str_eq(asked_text(&table), "0 move");
}

Test(corner_cases_knock, a_card_from_the_discard_pile_cannot_be_knocked_for)
{
    struct allegra_table table = table_from(POSITION_KNOCK);

    play(&table, 0, "discard");
    cr_assert_str_eq(asked_text(&table), "0 move");
}

Test(corner_cases_knock, the_move_follows_the_draw_if_no_player_may_knock)
{
    struct allegra_table table =
        table_from(POSITION_APART "private0=" POSITION_FILLER " private1=#1,.,./.,2,./.,.,3 "
                                  "private2=#4,.,./.,5,./.,.,6 "
                                  "draw=0,5 discard=6 knock_rounds=9");

    play(&table, 0, "pile");
    cr_assert_str_eq(asked_text(&table), "0 move");
}

/* Bids. */

Test(corner_cases_knock, bids_are_announced_together_in_seat_order_after_the_last_one)
{
    struct allegra_table table = table_from(POSITION_KNOCK);
    struct allegra_events events;

    play(&table, 0, "pile");
    events = play(&table, 2, "knock");
    cr_assert_eq(events.count, 0);
    cr_assert_str_eq(asked_text(&table), "1 knock");
    events = play(&table, 1, "knock D1");
    cr_assert_str_eq(events_text(&events), "knocked knocked");
    cr_assert_eq(events.list[0].seat, 1);
    cr_assert_eq(events.list[0].cells, ALLEGRA_CELL_BIT(3));
    cr_assert_eq(events.list[1].seat, 2);
    cr_assert_eq(events.list[1].cells, 0);
    cr_assert_str_eq(legal_text(&table, 0), "accept 1, accept 2, decline");
}

Test(corner_cases_knock, a_bid_is_given_once)
{
    struct allegra_table table = table_from(POSITION_KNOCK);

    play_all(&table, "0 pile, 1 pass");
    cr_assert_eq(refused(&table, 1, "knock"), ALLEGRA_REFUSAL_NOT_ASKED);
    cr_assert_eq(refused(&table, 0, "accept 1"), ALLEGRA_REFUSAL_NOT_ASKED);
}

Test(corner_cases_knock, a_gap_cannot_be_offered)
{
    struct allegra_table table = table_from(FACING "shared0=.,.,4 shared1=#3,.,. "
                                                   "private1=1,.,./.,2,./.,.,.");

    play(&table, 0, "pile");
    cr_assert_eq(refused(&table, 1, "knock C1"), ALLEGRA_REFUSAL_GAP);
    cr_assert_str_eq(legal_text(&table, 1), "pass, knock, knock A1, knock B1, knock C2, knock E3");
}

Test(corner_cases_knock,
     without_a_knock_the_active_player_is_asked_only_while_a_bidding_round_is_left)
{
    struct allegra_table one = table_from(POSITION_KNOCK "knock_rounds=1");
    struct allegra_table two = table_from(POSITION_KNOCK "knock_rounds=2");

    play_all(&one, "0 pile, 1 pass, 2 pass");
    cr_assert_str_eq(asked_text(&one), "0 move");
    play_all(&two, "0 pile, 1 pass, 2 pass");
    cr_assert_str_eq(asked_text(&two), "0 answer");
    cr_assert_str_eq(legal_text(&two, 0), "decline, again");
    play_all(&two, "0 again, 1 pass, 2 pass");
    cr_assert_str_eq(asked_text(&two), "0 move");
}

Test(corner_cases_knock, only_knocks_of_the_last_bidding_round_can_be_accepted)
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock_rounds=2");

    play_all(&table, "0 pile, 1 knock D1, 2 pass, 0 again, 1 pass, 2 knock");
    cr_assert_eq(refused(&table, 0, "accept 1"), ALLEGRA_REFUSAL_NO_KNOCK);
    play(&table, 0, "accept 2");
    cr_assert_str_eq(asked_text(&table), "2 place");
}

Test(corner_cases_knock, only_offers_of_the_last_bidding_round_are_binding)
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock_rounds=2 knock_offers=binding");
    struct allegra_table other = table;

    play_all(&table, "0 pile, 1 knock B3, 2 pass, 0 again, 1 knock, 2 pass, 0 accept 1");
    cr_assert_str_eq(asked_text(&table), "1 place");
    play_all(&other, "0 pile, 1 knock B3, 2 pass, 0 again, 1 knock C3, 2 pass, 0 accept 1");
    cr_assert_str_eq(display_text(&other, 1), "1 5 5 9 #6 / #2 7 9 9 4 / #0 #7 5 2 #11");
}

Test(corner_cases_knock, after_declining_the_active_player_moves_as_usual)
{
    struct allegra_table table = table_from(POSITION_KNOCK);

    play_all(&table, "0 pile, 1 knock, 2 knock, 0 decline");
    cr_assert_str_eq(asked_text(&table), "0 move");
    play(&table, 0, "drop D2");
    cr_assert_str_eq(discard_text(&table), "6 5");
}

Test(corner_cases_knock, an_accepted_knock_cannot_be_withdrawn_and_is_the_whole_turn)
{
    struct allegra_table table = table_from(POSITION_KNOCK);

    play_all(&table, ACCEPTED);
    cr_assert_eq(refused(&table, 1, "pass"), ALLEGRA_REFUSAL_OTHER_ANSWER);
    play_all(&table, "1 place D1, 0 take 1:C3, 0 put A1");
    cr_assert_str_eq(asked_text(&table), "1 draw");
    cr_assert_str_eq(discard_text(&table), "6 5 5 5 6");
}

/* Placing and taking. */

Test(corner_cases_knock, the_active_player_can_take_the_drawn_card_itself)
{
    struct allegra_table table = table_from(POSITION_KNOCK);

    play_all(&table, ACCEPTED ", 1 place B3, 0 take 1:B3, 0 put D3");
    cr_assert_str_eq(display_text(&table, 0), "#6 7 8 2 #3 / 4 7 0 #1 #4 / #11 10 #2 5 #8");
    cr_assert_str_eq(display_text(&table, 1), "1 5 5 9 #6 / #2 7 9 9 4 / #0 7 #1 2 #11");
    cr_assert_str_eq(discard_text(&table), "6 3");
}

Test(corner_cases_knock, a_card_is_taken_from_the_knocker_and_not_from_a_gap)
{
    struct allegra_table table = table_from(POSITION_KNOCK);

    play_all(&table, ACCEPTED ", 1 place D1");
    cr_assert_eq(refused(&table, 0, "take 2:B1"), ALLEGRA_REFUSAL_OTHER_DISPLAY);
    cr_assert_eq(refused(&table, 0, "take 0:B1"), ALLEGRA_REFUSAL_OTHER_DISPLAY);
    cr_assert_eq(refused(&table, 0, "take 1:B1"), ALLEGRA_REFUSAL_GAP);
}

Test(corner_cases_knock, a_down_card_that_is_taken_is_shown_to_all)
{
    struct allegra_table table = table_from(POSITION_KNOCK "edition=en2020");
    struct allegra_events events;

    play_all(&table, ACCEPTED ", 1 place D1");
    events = play(&table, 0, "take 1:B3");
    cr_assert_eq(event_of(&events, ALLEGRA_EVENT_TOOK).card, 7);
    for (unsigned seat = 0; seat < 3; seat++)
        cr_assert_eq(allegra_view_of(&table, seat).taken, 7);
}

Test(corner_cases_knock, a_chain_of_the_knocker_follows_clear_chain)
{
    static const char cells[] =
        "seats=3 shared0=5,4,#11 shared1=1,#2,#0 shared2=#3,#4,#8 private0=" POSITION_FILLER
        " private1=5,5,9/7,8,9/#7,#1,2 private2=" POSITION_FILLER " draw=0,9 discard=6 ";
    struct allegra_table must = table_from("%s knock_clear1=may clear_chain=must", cells);
    struct allegra_table may = table_from("%s knock_clear1=must clear_chain=may", cells);

    play_all(&must, ACCEPTED ", 1 place D3, 1 clear D1 D2 D3");
    cr_assert_str_eq(discard_text(&must), "6 9 9 9 5 5 5");
    play_all(&may, ACCEPTED ", 1 place D3");
    cr_assert_str_eq(discard_text(&may), "6 9 9 9");
    cr_assert_str_eq(legal_text(&may, 1), "clear B1 C1 E1, none");
}

/* The hole. */

/* Seat 0 has taken E1 of seat 1, which is A1 of seat 0, and has 9 9 next to it. */
static struct allegra_table with_hole(void)
{
    struct allegra_table table = table_from(
        "seats=3 shared0=#6,4,#11 shared1=1,#2,#0 shared2=#3,#4,#8 private0=9,9,2/7,0,#1/10,#2,#3 "
        "private1=5,5,9/7,8,9/#7,#1,2 private2=" POSITION_FILLER " draw=0,5 discard=6");

    play_all(&table, ACCEPTED ", 1 place D1, 0 take 1:E1");
    return table;
}

Test(corner_cases_knock, both_players_who_share_a_hole_see_it)
{
    struct allegra_table table = with_hole();

    cr_assert_str_eq(display_text(&table, 0), "_ 9 9 2 #3 / 4 7 0 #1 #4 / #11 10 #2 #3 #8");
    cr_assert_str_eq(display_text(&table, 1), "1 . . . _ / #2 7 8 9 4 / #0 #7 #1 2 #11");
    cr_assert_eq(allegra_view_of(&table, 2).face[0][0], ALLEGRA_VIEW_HOLE);
    cr_assert_eq(allegra_view_of(&table, 2).face[1][4], ALLEGRA_VIEW_HOLE);
}

Test(corner_cases_knock, nothing_can_be_put_into_the_hole)
{
    struct allegra_table table = with_hole();

    cr_assert_eq(refused(&table, 0, "put A1"), ALLEGRA_REFUSAL_HOLE);
    cr_assert_str_eq(legal_text(&table, 0),
                     "put B1, put C1, put D1, put E1, put A2, put B2, put C2, put D2, put E2, "
                     "put A3, put B3, put C3, put D3, put E3");
}

Test(corner_cases_knock, a_hole_blocks_its_row_until_the_hand_card_fills_it)
{
    struct allegra_table table = with_hole();
    struct allegra_events events = play(&table, 0, "put B3");

    cr_assert_str_eq(events_text(&events), "put discarded returned turn");
    cr_assert_str_eq(display_text(&table, 0), "9 9 9 2 #3 / 4 7 0 #1 #4 / #11 6 #2 #3 #8",
                     "the clear step of the active player came before the 9");
}

Test(corner_cases_knock, the_hand_card_is_public_once_it_is_returned)
{
    struct allegra_table table = table_from(POSITION_KNOCK "edition=en2020");
    struct allegra_events events;

    play_all(&table, ACCEPTED ", 1 place B3, 0 take 1:B1");
    cr_assert_eq(allegra_view_of(&table, 0).hand, ALLEGRA_VIEW_UNKNOWN);
    events = play(&table, 0, "put B1");
    cr_assert_eq(event_of(&events, ALLEGRA_EVENT_RETURNED).card, 7);
    for (unsigned seat = 0; seat < 3; seat++)
        cr_assert_eq(allegra_view_of(&table, seat).face[1][1], 7);
}

Test(corner_cases_knock, taking_the_last_down_card_completes_the_knocker)
{
    static const char *const rules[] = {"trigger=active", "trigger=first"};

    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        struct allegra_table table = table_from(POSITION_LATE_KNOCK);

        set_rule(&table, rules[i]);
        play_all(&table, ACCEPTED ", 1 place B1, 0 take 1:C2, 0 put B1");
        cr_assert_eq(table.trigger, 1, "%s", rules[i]);
        cr_assert_str_eq(asked_text(&table), "2 draw");
    }
}

/* Displays that are empty or almost empty. */

Test(corner_cases_knock, the_knock_ends_if_the_knocker_has_cleared_everything)
{
    struct allegra_table table =
        table_from(POSITION_APART "private0=2,.,./.,#3,./.,.,. private1=5,5,#9/7,7,7/.,.,. "
                                  "private2=" POSITION_FILLER " draw=0,5 discard=6 edition=en2020");
    struct allegra_events events;

    play_all(&table, ACCEPTED ", 1 place D1");
    events = play(&table, 1, "clear B1 C1 D1");
    cr_assert_str_eq(events_text(&events), "cleared cleared discarded final turn");
    cr_assert_eq(event_of(&events, ALLEGRA_EVENT_DISCARDED).card, 9);
    cr_assert_str_eq(discard_text(&table), "6 5 5 5 7 7 7 9");
    cr_assert_eq(cards_of(&table, 1), 0);
    cr_assert_eq(table.trigger, 1);
    cr_assert_str_eq(asked_text(&table), "2 draw");
}

Test(corner_cases_knock, the_knock_ends_if_the_knocker_cleared_the_last_card_of_the_active_player)
{
    struct allegra_table table =
        table_from("seats=3 shared0=#9,.,. shared1=.,.,. shared2=.,.,. private0=.,.,./.,.,./.,.,. "
                   "private1=.,5,5/.,.,./#4,.,. private2=" POSITION_FILLER " draw=0,5 discard=6");

    play_all(&table, ACCEPTED ", 1 place E1");
    cr_assert_str_eq(discard_text(&table), "6 5 5 5 9");
    cr_assert_eq(cards_of(&table, 0), 0);
    cr_assert_eq(cards_of(&table, 1), 1);
    cr_assert_eq(table.trigger, 0);
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

Test(corner_cases_knock, the_knock_ends_if_both_players_have_only_the_same_cell)
{
    static const char *const rules[] = {"must", "may"};

    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        struct allegra_table table = table_from(
            "seats=3 shared0=#3,.,. shared1=.,.,. shared2=.,.,. private0=.,.,./.,.,./.,.,. "
            "private1=.,.,./5,5,#9/.,.,. private2=" POSITION_FILLER
            " draw=0,5 discard=6 knock_active_swap=%s",
            rules[i]);

        play_all(&table, ACCEPTED ", 1 place D2");
        cr_assert_str_eq(discard_text(&table), "6 5 5 5 9", "%s", rules[i]);
        cr_assert_str_eq(display_text(&table, 0), "#3 . . . . / . . . . . / . . . . .");
        cr_assert_str_eq(display_text(&table, 1), ". . . . #3 / . . . . . / . . . . .");
        cr_assert_eq(table.trigger, ALLEGRA_SEAT_NONE);
        cr_assert_str_eq(asked_text(&table), "1 draw");
    }
}

Test(corner_cases_knock, a_card_cannot_be_taken_if_no_other_cell_is_left_for_it)
{
    struct allegra_table table =
        table_from("seats=3 shared0=#3,.,. shared1=.,.,. shared2=.,.,. private0=.,.,./.,.,./.,.,. "
                   "private1=8,.,./5,5,#9/.,.,. private2=" POSITION_FILLER " draw=0,5 discard=6");

    play_all(&table, ACCEPTED ", 1 place D2");
    cr_assert_str_eq(legal_text(&table, 0), "take 1:B1");
    cr_assert_eq(refused(&table, 0, "take 1:E1"), ALLEGRA_REFUSAL_NO_OTHER_CELL);
    play(&table, 0, "take 1:B1");
    cr_assert_str_eq(legal_text(&table, 0), "put A1");
    play(&table, 0, "put A1");
    cr_assert_str_eq(display_text(&table, 1), ". 9 . . 8 / . . . . . / . . . . .");
    cr_assert_str_eq(discard_text(&table), "6 5 5 5 3");
}

Test(corner_cases_knock, two_players_with_one_cell_each_can_swap)
{
    struct allegra_table table =
        table_from(POSITION_APART "private0=#3,.,./.,.,./.,.,. private1=8,.,./5,5,#9/.,.,. "
                                  "private2=" POSITION_FILLER " draw=0,5 discard=6");

    play_all(&table, ACCEPTED ", 1 place D2, 0 take 1:B1, 0 put B1");
    cr_assert_str_eq(display_text(&table, 0), ". 8 . . . / . . . . . / . . . . .");
    cr_assert_str_eq(display_text(&table, 1), ". 9 . . . / . . . . . / . . . . .");
}

/* Two players become complete in the same turn. */

/* `both` is the trigger by trigger=active and by trigger=first. */
static void check_trigger(const char *position, const char *answers, const unsigned both[2])
{
    static const char *const rules[] = {"trigger=active", "trigger=first"};

    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        struct allegra_table table = table_from("%s", position);

        set_rule(&table, rules[i]);
        play_all(&table, answers);
        cr_assert_eq(table.trigger, both[i], "%s: %u", rules[i], table.trigger);
    }
}

Test(corner_cases_knock, the_knocker_completes_before_the_active_player)
{
    check_trigger(POSITION_LATE_KNOCK, ACCEPTED ", 1 place C2, 0 take 1:B1, 0 put C2",
                  (const unsigned[]){0, 1});
    check_trigger(POSITION_LATE_KNOCK, ACCEPTED ", 1 place B1, 0 take 1:C2, 0 put C2",
                  (const unsigned[]){0, 1});
}

Test(corner_cases_knock, the_active_player_comes_before_a_knocker_who_completes_at_the_same_time)
{
    check_trigger("seats=3 shared0=#9,.,. shared1=.,.,. shared2=.,.,. private0=1,2,./.,.,./.,.,. "
                  "private1=.,5,3/.,.,./4,.,. private2=" POSITION_FILLER " draw=0,6 discard=6",
                  ACCEPTED ", 1 place E1, 0 take 1:B3, 0 put B1", (const unsigned[]){0, 0});
}

Test(corner_cases_knock, the_knocker_comes_before_another_player_who_completes_at_the_same_time)
{
    check_trigger("seats=3 shared0=.,.,. shared1=#9,.,. shared2=.,.,. private0=" POSITION_FILLER
                  " private1=5,.,./.,.,./.,.,. private2=4,2,8/.,.,./.,.,. draw=0,6 discard=6",
                  "0 pile, 2 knock, 0 accept 2, 2 place E1, 0 take 2:B1, 0 put B1",
                  (const unsigned[]){2, 2});
}

Test(corner_cases_knock, of_two_other_players_the_next_clockwise_or_the_earlier_is_the_trigger)
{
    check_trigger("seats=4 shared0=#7,.,. shared1=.,.,. shared2=#9,.,. shared3=.,.,. "
                  "private0=#3,1,./.,.,./.,.,. private1=5,.,./.,.,./.,.,. "
                  "private2=6,.,./.,.,./.,.,. private3=4,#2,8/.,.,./.,.,. draw=0,6 discard=6",
                  "0 pile, 3 knock, 0 accept 3, 3 place E1, 0 take 3:B1, 0 put A1",
                  (const unsigned[]){1, 2});
}
