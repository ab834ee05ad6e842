/* The effect of each value of each rule key of the knock. Each test changes one key; all others are
 * those of de2026. Most tests play worked example 5: seat 1 knocks for a 5 and clears a row with
 * it, seat 0 takes a 7 and clears a column with it, and the hand card 9 makes the second row of the
 * knocker. */

#include "support/position.h"

#include <criterion/criterion.h>

#define ACCEPTED "0 pile, 1 knock, 2 pass, 0 accept 1"
#define SWAPPED ACCEPTED ", 1 place D1, 0 take 1:B2, 0 put B3"

Test(keys_knock, with_knock_on_the_opponents_are_asked_about_a_card_from_the_draw_pile)
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock=on");

    play(&table, 0, "pile");
    cr_assert_str_eq(asked_text(&table), "1,2 knock");
}

Test(keys_knock, with_knock_off_no_player_is_asked)
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock=off");

    play(&table, 0, "pile");
    cr_assert_str_eq(asked_text(&table), "0 move");
}

Test(keys_knock, with_one_bidding_round_no_second_one_follows)
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock_rounds=1");

    play_all(&table, "0 pile, 1 knock, 2 pass");
    cr_assert_str_eq(legal_text(&table, 0), "accept 1, decline");
    cr_assert_eq(refused(&table, 0, "again"), ALLEGRA_REFUSAL_NO_AGAIN);
}

Test(keys_knock, with_more_bidding_rounds_the_active_player_can_ask_for_them)
{
    for (unsigned rounds = 2; rounds <= 9; rounds++) {
        struct allegra_table table = table_from(POSITION_KNOCK "knock_rounds=%u", rounds);
        struct allegra_events events;

        play_all(&table, "0 pile, 1 knock, 2 pass");
        for (unsigned round = 2; round <= rounds; round++) {
            cr_assert_str_eq(legal_text(&table, 0), "accept 1, decline, again");
            events = play(&table, 0, "again");
            cr_assert_str_eq(events_text(&events), "again");
            cr_assert_eq(events.list[0].number, (int)round);
            cr_assert_str_eq(asked_text(&table), "1,2 knock");
            play_all(&table, "2 pass, 1 knock");
        }
        cr_assert_str_eq(legal_text(&table, 0), "accept 1, decline");
    }
}

Test(keys_knock, with_offers_as_talk_the_knocker_places_the_card_in_any_cell)
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock_offers=talk");

    play_all(&table, "0 pile, 1 knock D1, 2 pass, 0 accept 1");
    cr_assert_str_eq(asked_text(&table), "1 place");
    play(&table, 1, "place B3");
    cr_assert_str_eq(display_text(&table, 1), "1 5 5 9 #6 / #2 7 9 9 4 / #0 5 #1 2 #11");
}

Test(keys_knock, with_binding_offers_the_card_is_placed_in_the_offered_cell_without_asking)
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock_offers=binding");
    struct allegra_events events;

    play_all(&table, "0 pile, 1 knock B3, 2 pass");
    events = play(&table, 0, "accept 1");
    cr_assert_str_eq(events_text(&events), "accepted placed");
    cr_assert_eq(events.list[1].cell, 11);
    cr_assert_eq(events.list[1].card, 5);
    cr_assert_eq(events.list[1].old, 7);
    cr_assert_str_eq(asked_text(&table), "0 take");
}

Test(keys_knock, with_binding_offers_a_knock_without_a_cell_leaves_the_choice)
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock_offers=binding");

    play_all(&table, ACCEPTED);
    cr_assert_str_eq(asked_text(&table), "1 place");
}

/* What seats 0, 1 and 2 know of the hand card after `place`, from the event and from their views.
 * */
static void check_hand(const char *rule, const char *place, const int by_seat[3])
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock_hand=%s", rule);
    struct allegra_event placed;
    struct allegra_events events;

    play_all(&table, ACCEPTED);
    events = play(&table, 1, place);
    placed = event_of(&events, ALLEGRA_EVENT_PLACED);
    for (unsigned seat = 0; seat < 3; seat++) {
        int hand = by_seat[seat] == ALLEGRA_CARD_NONE ? ALLEGRA_VIEW_UNKNOWN : by_seat[seat];

        cr_assert_eq(allegra_event_hide(placed, seat).old, by_seat[seat], "seat %u, %s", seat,
                     place);
        cr_assert_eq(allegra_event_hide(placed, seat).card, 5, "seat %u, %s", seat, place);
        cr_assert_eq(allegra_view_of(&table, seat).hand, hand, "seat %u, %s", seat, place);
    }
}

Test(keys_knock, with_an_open_hand_all_players_see_the_hand_card)
{
    check_hand("open", "place B3", (const int[]){7, 7, 7});
    check_hand("open", "place D1", (const int[]){9, 9, 9});
}

Test(keys_knock, with_a_private_hand_only_the_knocker_sees_a_hand_card_that_was_down)
{
    check_hand("private", "place B3", (const int[]){ALLEGRA_CARD_NONE, 7, ALLEGRA_CARD_NONE});
}

Test(keys_knock, with_a_private_hand_all_players_see_a_hand_card_that_was_up)
{
    check_hand("private", "place D1", (const int[]){9, 9, 9});
}

/* The drawn card is a 9 and makes column D of seat 1. */
#define KNOCK_COLUMN POSITION_KNOCK_CELLS "draw=0,9 discard=6 "

Test(keys_knock, with_knock_clear1_must_the_knocker_clears_regardless_of_other_keys)
{
    struct allegra_table row = table_from(POSITION_KNOCK "knock_clear1=must clear_row=may "
                                                         "clear_column=may");
    struct allegra_table column = table_from(KNOCK_COLUMN "knock_clear1=must clear_row=may "
                                                          "clear_column=may");

    play_all(&row, ACCEPTED ", 1 place D1");
    cr_assert_str_eq(discard_text(&row), "6 5 5 5");
    cr_assert_str_eq(asked_text(&row), "0 take");
    play_all(&column, ACCEPTED ", 1 place D3");
    cr_assert_str_eq(discard_text(&column), "6 9 9 9");
    cr_assert_str_eq(asked_text(&column), "0 take");
}

Test(keys_knock, with_knock_clear1_may_the_knocker_can_refuse_regardless_of_other_keys)
{
    struct allegra_table row = table_from(POSITION_KNOCK "knock_clear1=may");
    struct allegra_table column = table_from(KNOCK_COLUMN "knock_clear1=may");

    play_all(&row, ACCEPTED ", 1 place D1");
    cr_assert_str_eq(asked_text(&row), "1 clear");
    cr_assert_str_eq(legal_text(&row, 1), "clear B1 C1 D1, none");
    play_all(&column, ACCEPTED ", 1 place D3");
    cr_assert_str_eq(legal_text(&column, 1), "clear D1 D2 D3, none");
    play(&column, 1, "none");
    cr_assert_str_eq(discard_text(&column), "6");
    cr_assert_str_eq(asked_text(&column), "0 take");
}

/* Row 2 of seat 1 is a triple before the knock. */
#define KNOCK_STANDING                                                                             \
    "seats=3 shared0=#6,4,#11 shared1=1,#2,#0 shared2=#3,#4,#8 private0=7,8,2/7,0,#1/10,#2,#3 "    \
    "private1=5,5,9/7,7,7/#7,#1,2 private2=" POSITION_FILLER " draw=0,5 discard=6 "

Test(keys_knock, with_scope_any_the_knocker_clears_a_standing_triple_too)
{
    struct allegra_table table = table_from(KNOCK_STANDING "knock_clear_scope=any");

    play_all(&table, ACCEPTED ", 1 place D1");
    cr_assert_str_eq(legal_text(&table, 1), "clear B1 C1 D1, clear B2 C2 D2");
    play(&table, 1, "clear B2 C2 D2");
    cr_assert_str_eq(discard_text(&table), "6 7 7 7 5 5 5");
    cr_assert_str_eq(asked_text(&table), "0 take");
}

Test(keys_knock, with_scope_caused_a_standing_triple_stays)
{
    struct allegra_table table = table_from(KNOCK_STANDING "knock_clear_scope=caused");

    play_all(&table, ACCEPTED ", 1 place D1");
    cr_assert_str_eq(discard_text(&table), "6 5 5 5");
    cr_assert_str_eq(asked_text(&table), "0 take");
    cr_assert_str_eq(display_text(&table, 1), "1 . . . #6 / #2 7 7 7 4 / #0 #7 #1 2 #11");
}

Test(keys_knock, with_scope_caused_the_triple_must_contain_the_drawn_card)
{
    struct allegra_table table = table_from(
        "seats=3 shared0=#6,4,#11 shared1=5,#2,#0 shared2=#3,#4,#8 private0=" POSITION_FILLER
        " private1=5,5,#9/7,8,7/#7,#1,2 private2=" POSITION_FILLER
        " draw=0,5 discard=6 knock_clear_scope=caused");

    play_all(&table, ACCEPTED ", 1 place D1");
    cr_assert_str_eq(discard_text(&table), "6 5 5 5");
    cr_assert_str_eq(display_text(&table, 1), "5 . . . #6 / #2 7 8 7 4 / #0 #7 #1 2 #11",
                     "A1 B1 C1 were a triple without the new card");
}

Test(keys_knock, with_scope_caused_a_chain_from_the_drawn_card_is_cleared)
{
    struct allegra_table table = table_from(
        "seats=3 shared0=5,4,#11 shared1=1,#2,#0 shared2=#3,#4,#8 private0=" POSITION_FILLER
        " private1=5,5,9/7,8,9/#7,#1,2 private2=" POSITION_FILLER
        " draw=0,9 discard=6 knock_clear_scope=caused");

    play_all(&table, ACCEPTED ", 1 place D3");
    cr_assert_str_eq(discard_text(&table), "6 9 9 9 5 5 5");
    cr_assert_str_eq(asked_text(&table), "0 take");
}

/* In the final round seat 2 is complete and seat 1 is not. */
#define KNOCK_FINAL                                                                                \
    POSITION_APART "private0=" POSITION_FILLER " private1=" POSITION_FILLER                        \
                   " private2=3,6,9/4,7,10/5,8,11 draw=0,5 discard=6 triggered=2 final=2 "

Test(keys_knock, with_knock_complete_no_a_complete_player_is_not_asked)
{
    struct allegra_table table = table_from(KNOCK_FINAL "knock_complete=no");

    play(&table, 0, "pile");
    cr_assert_str_eq(asked_text(&table), "1 knock");
}

Test(keys_knock, with_knock_complete_yes_a_complete_player_is_asked)
{
    struct allegra_table table = table_from(KNOCK_FINAL "knock_complete=yes");

    play(&table, 0, "pile");
    cr_assert_str_eq(asked_text(&table), "1,2 knock");
    play_all(&table, "2 knock, 1 pass, 0 accept 2, 2 place B1, 0 take 2:C3, 0 put B1");
    cr_assert_str_eq(display_text(&table, 2), ". 5 6 9 . / . 4 7 10 . / . 5 3 11 .");
    cr_assert_eq(table.trigger, 2);
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

Test(keys_knock, with_knock_active_swap_must_the_taken_card_cannot_be_tossed)
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock_active_swap=must");

    play_all(&table, ACCEPTED ", 1 place D1, 0 take 1:B2");
    cr_assert_eq(refused(&table, 0, "toss"), ALLEGRA_REFUSAL_NO_TOSS);
}

Test(keys_knock, with_knock_active_swap_may_the_taken_card_can_be_put_or_tossed)
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock_active_swap=may");
    struct allegra_table other;

    play_all(&table, ACCEPTED ", 1 place D1, 0 take 1:B2");
    other = table;
    play(&other, 0, "put B3");
    cr_assert_str_eq(discard_text(&other), "6 5 5 5 7 7 7 10 9 9 9");
    play(&table, 0, "toss");
    cr_assert_str_eq(discard_text(&table), "6 5 5 5 7 9 9 9");
    cr_assert_eq(cards_of(&table, 0), 15);
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

Test(keys_knock, a_tossed_card_lies_under_the_cards_that_the_active_player_clears)
{
    static const char *const steps[][2] = {
        {"swap", "6 5 5 5 7 10 10 10 9 9 9"},
        {"end", "6 5 5 5 7 9 9 9 10 10 10"},
        {"both", "6 5 5 5 7 10 10 10 9 9 9"},
    };

    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        struct allegra_table table = table_from(
            "seats=3 shared0=#6,4,#11 shared1=1,#2,#0 shared2=#3,#4,#8 "
            "private0=7,8,2/7,0,#1/10,10,10 private1=5,5,9/7,9,9/#7,#1,2 private2=" POSITION_FILLER
            " draw=0,5 discard=6 knock_active_swap=may knock_active_clear=%s",
            steps[i][0]);

        play_all(&table, ACCEPTED ", 1 place D1, 0 take 1:B2, 0 toss");
        cr_assert_str_eq(discard_text(&table), steps[i][1], "%s", steps[i][0]);
    }
}

/* When the active player clears, and when the replaced 10 is discarded. */
struct order {
    const char *clear;
    const char *toss;
    const char *discard;
};

static const struct order orders[] = {
    {"swap", "after_clear", "6 5 5 5 7 7 7 10 9 9 9"},
    {"swap", "at_swap", "6 5 5 5 10 7 7 7 9 9 9"},
    {"end", "after_clear", "6 5 5 5 9 9 9 7 7 7 10"},
    {"end", "at_swap", "6 5 5 5 10 9 9 9 7 7 7"},
    {"both", "after_clear", "6 5 5 5 7 7 7 9 9 9 10"},
    {"both", "at_swap", "6 5 5 5 10 7 7 7 9 9 9"},
};

Test(keys_knock, knock_active_clear_and_knock_toss_set_the_order_of_the_discard_pile)
{
    for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
        struct allegra_table table = table_from(
            POSITION_KNOCK "knock_active_clear=%s knock_toss=%s", orders[i].clear, orders[i].toss);

        play_all(&table, SWAPPED);
        cr_assert_str_eq(discard_text(&table), orders[i].discard, "%s %s", orders[i].clear,
                         orders[i].toss);
        cr_assert_str_eq(asked_text(&table), "1 draw");
    }
}

/* Seat 0 takes E1 of seat 1, which is A1 of seat 0; the returned 9 completes row 1 of seat 0. */
#define KNOCK_RETURN                                                                               \
    "seats=3 shared0=#6,4,#11 shared1=1,#2,#0 shared2=#3,#4,#8 private0=9,9,2/7,0,#1/10,#2,#3 "    \
    "private1=5,5,9/7,8,9/#7,#1,2 private2=" POSITION_FILLER " draw=0,5 discard=6 "

Test(keys_knock, a_triple_that_the_hand_card_makes_for_the_active_player_is_cleared_at_the_end)
{
    static const char *const steps[][2] = {
        {"swap", "6 5 5 5 10"},
        {"end", "6 5 5 5 9 9 9 10"},
        {"both", "6 5 5 5 9 9 9 10"},
    };

    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        struct allegra_table table = table_from(KNOCK_RETURN "knock_active_clear=%s", steps[i][0]);

        play_all(&table, ACCEPTED ", 1 place D1, 0 take 1:E1, 0 put B3");
        cr_assert_str_eq(discard_text(&table), steps[i][1], "%s", steps[i][0]);
    }
}

Test(keys_knock, with_knock_clear2_on_the_knocker_clears_again_by_the_ordinary_keys)
{
    struct allegra_table must = table_from(POSITION_KNOCK "knock_clear2=on knock_clear1=must "
                                                          "knock_clear_scope=caused");
    struct allegra_table may = table_from(POSITION_KNOCK "knock_clear2=on clear_row=may");

    play_all(&must, SWAPPED);
    cr_assert_str_eq(discard_text(&must), "6 5 5 5 7 7 7 10 9 9 9");
    play_all(&may, SWAPPED);
    cr_assert_str_eq(asked_text(&may), "1 clear");
    cr_assert_str_eq(legal_text(&may, 1), "clear B2 C2 D2, none");
    play(&may, 1, "none");
    cr_assert_str_eq(discard_text(&may), "6 5 5 5 7 7 7 10");
    cr_assert_str_eq(asked_text(&may), "1 draw");
}

Test(keys_knock, with_knock_clear2_off_a_triple_made_by_the_hand_card_stays)
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock_clear2=off");

    play_all(&table, SWAPPED);
    cr_assert_str_eq(discard_text(&table), "6 5 5 5 7 7 7 10");
    cr_assert_str_eq(display_text(&table, 1), "1 . . . #6 / #2 9 9 9 4 / #0 #7 #1 2 #11");
    cr_assert_str_eq(asked_text(&table), "1 draw");
}
