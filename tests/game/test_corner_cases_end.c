/* Corner cases of the end of a round and of a match: final round, limits, scores, next deal. */

#include "support/position.h"

#include <criterion/criterion.h>

/* Turn limit. */

#define TURNS                                                                                      \
    "seats=3 shared0=#4,#8,#4 shared1=#2,#2,#2 shared2=#6,#6,#6 private0=" POSITION_FILLER         \
    " private1=" POSITION_FILLER " private2=" POSITION_FILLER " draw=0 discard=9 active=2 "

Test(corner_cases_end, the_turn_limit_shows_all_cards_and_has_no_trigger)
{
    struct allegra_table table = table_from(TURNS "turn_limit=2 turn=6");
    struct allegra_events events;
    unsigned shown = 0;

    play(&table, 2, "discard");
    events = play(&table, 2, "drop B1");
    for (unsigned i = 0; i < events.count; i++)
        shown += events.list[i].kind == ALLEGRA_EVENT_SHOWN;
    cr_assert_eq(shown, 35, "each shared cell is shown once");
    cr_assert_eq(event_of(&events, ALLEGRA_EVENT_LIMIT).number, 6);
    cr_assert_str_eq(raw_text(&events), "97 85 87");
    cr_assert_str_eq(score_text(&events), "97 85 87");
    cr_assert_eq(table.trigger, ALLEGRA_SEAT_NONE);
}

Test(corner_cases_end, a_final_round_that_has_started_continues_past_the_turn_limit)
{
    struct allegra_table table =
        table_from(POSITION_APART "private0=4,.,./.,.,./.,.,. "
                                  "private1=#9,.,./.,.,./.,.,. "
                                  "private2=#7,.,./.,.,./.,.,. draw=1 discard=3 "
                                  "active=1 turn=6 turn_limit=2 triggered=0 final=2");
    struct allegra_events events;

    play_all(&table, "1 discard, 1 drop B1");
    cr_assert_str_eq(asked_text(&table), "2 draw");
    play(&table, 2, "discard");
    events = play(&table, 2, "drop B1");
    cr_assert_str_eq(events_text(&events), "dropped turned scored scored scored over");
}

Test(corner_cases_end, a_last_turn_that_completes_a_player_starts_the_final_round)
{
    struct allegra_table table =
        table_from(POSITION_APART "private0=#4,.,./.,.,./.,.,. "
                                  "private1=#9,.,./.,.,./.,.,. "
                                  "private2=#7,.,./.,.,./.,.,. draw=1 discard=3 "
                                  "active=2 turn=6 turn_limit=2");
    struct allegra_events events;

    play(&table, 2, "discard");
    events = play(&table, 2, "drop B1");
    cr_assert_str_eq(events_text(&events), "dropped turned final turn");
    cr_assert_str_eq(asked_text(&table), "0 draw");
}

/* The final round. */

/* Seat 0 shares A2 with seat 1, which has no other down card. */
#define NEIGHBOUR                                                                                  \
    "seats=3 shared0=.,#4,. shared1=.,.,. shared2=.,.,. private0=#3,.,./.,.,./.,.,. "              \
    "private1=5,.,./.,.,./.,.,. private2=#6,.,./.,.,./.,.,. draw=1 discard=9 "

Test(corner_cases_end, a_player_who_completes_only_a_neighbour_moves_once_more_and_last)
{
    struct allegra_table table = table_from(NEIGHBOUR);
    struct allegra_events events;

    play(&table, 0, "discard");
    events = play(&table, 0, "drop A2");
    cr_assert_eq(event_of(&events, ALLEGRA_EVENT_FINAL).seat, 1);
    cr_assert_str_eq(asked_text(&table), "2 draw", "seat 1 is complete and skipped");
    play_all(&table, "2 discard, 2 keep B1");
    cr_assert_str_eq(asked_text(&table), "0 draw");
    events = play_all(&table, "0 discard, 0 keep A2");
    cr_assert(allegra_table_is_over(&table));
    cr_assert_str_eq(raw_text(&events), "9 11 9");
    cr_assert_str_eq(score_text(&events), "9 22 9");
    cr_assert_eq(allegra_table_winners(&table), 5, "seats 0 and 2 share the win");
}

Test(corner_cases_end, a_player_who_becomes_complete_does_not_move_again)
{
    struct allegra_table table =
        table_from(POSITION_APART "private0=#4,.,./.,.,./.,.,. "
                                  "private1=#9,.,./.,.,./.,.,. "
                                  "private2=#7,.,./.,.,./.,.,. draw=1 discard=3");

    play_all(&table, "0 discard, 0 drop B1");
    cr_assert_eq(table.trigger, 0);
    play_all(&table, "1 discard, 1 drop B1");
    cr_assert_str_eq(asked_text(&table), "2 draw");
    play_all(&table, "2 discard, 2 drop B1");
    cr_assert(allegra_table_is_over(&table));
}

Test(corner_cases_end, each_player_has_one_move_in_the_final_round)
{
    struct allegra_table table =
        table_from(POSITION_APART "private0=4,.,./.,.,./.,.,. private1=" POSITION_FILLER
                                  " private2=" POSITION_FILLER
                                  " draw=1 discard=3 active=1 triggered=0 final=2");

    play_all(&table, "1 discard, 1 drop B1, 2 discard, 2 drop B1");
    cr_assert(allegra_table_is_over(&table));
    cr_assert_eq(down_of(&table, 1), 0, "down cards are shown");
}

Test(corner_cases_end, a_player_completed_during_the_final_round_is_skipped_and_is_not_a_trigger)
{
    struct allegra_table table = table_from(
        "seats=3 shared0=.,.,. shared1=.,#4,. shared2=.,.,. private0=1,.,./.,.,./.,.,. "
        "private1=#5,.,./.,.,./.,.,. private2=6,.,./.,.,./.,.,. draw=1 discard=9 active=1 "
        "triggered=0 final=2");
    struct allegra_events events;

    play(&table, 1, "discard");
    events = play(&table, 1, "drop A2");
    cr_assert_str_eq(events_text(&events), "dropped turned shown scored scored scored over");
    cr_assert_eq(table.trigger, 0);
    cr_assert_str_eq(score_text(&events), "1 9 10");
}

Test(corner_cases_end, the_active_player_comes_before_a_neighbour_who_completes_at_the_same_time)
{
    static const char *const rules[] = {"trigger=active", "trigger=first"};

    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        struct allegra_table table = table_from(
            "seats=3 shared0=.,#4,. shared1=.,.,. shared2=.,.,. private0=3,.,./.,.,./.,.,. "
            "private1=5,.,./.,.,./.,.,. private2=#6,.,./.,.,./.,.,. draw=1 discard=9");

        set_rule(&table, rules[i]);
        play_all(&table, "0 discard, 0 drop A2");
        cr_assert_eq(table.trigger, 0, "%s", rules[i]);
        cr_assert_str_eq(asked_text(&table), "2 draw");
    }
}

Test(corner_cases_end, a_completed_right_neighbour_is_the_trigger)
{
    struct allegra_table table =
        table_from("seats=3 shared0=.,.,. shared1=.,.,. shared2=.,#4,. private0=#3,.,./.,.,./.,.,. "
                   "private1=#5,.,./.,.,./.,.,. private2=6,.,./.,.,./.,.,. draw=1 discard=9");

    play_all(&table, "0 discard, 0 drop E2");
    cr_assert_eq(table.trigger, 2);
    play_all(&table, "1 discard, 1 drop B1, 0 discard, 0 drop B1");
    cr_assert(allegra_table_is_over(&table));
}

Test(corner_cases_end, nothing_is_cleared_when_all_cards_are_shown)
{
    struct allegra_table table = table_from(
        POSITION_APART "private0=4,.,./.,.,./.,.,. private1=5,5,#5/.,.,./.,.,. "
                       "private2=#7,.,./.,.,./.,.,. draw=1 discard=3 active=2 triggered=0 moved=1 "
                       "final=1");
    struct allegra_events events = play_all(&table, "2 discard, 2 drop B1");

    cr_assert_str_eq(raw_text(&events), "4 15 7");
    cr_assert_eq(cards_of(&table, 1), 3);
}

/* Scores. */

Test(corner_cases_end, shared_cards_count_fully_for_both_players)
{
    struct allegra_table table =
        table_from("seats=2 shared0=1,2,. shared1=.,3,4 private0=#5,.,./.,.,./.,.,. "
                   "private1=6,.,./.,.,./.,.,. draw=1 discard=9 triggered=1 final=1");
    struct allegra_events events = play_all(&table, "0 discard, 0 drop B1");

    cr_assert_str_eq(raw_text(&events), "15 16");
    cr_assert_str_eq(score_text(&events), "15 32");
}

Test(corner_cases_end, a_trigger_who_ties_for_the_lowest_score_fails)
{
    struct allegra_table table = table_from(
        POSITION_APART "private0=7,.,./.,.,./.,.,. private1=9,.,./.,.,./.,.,. "
                       "private2=#7,.,./.,.,./.,.,. draw=1 discard=3 active=2 triggered=0 moved=1 "
                       "final=1");
    struct allegra_events events = play_all(&table, "2 discard, 2 drop B1");

    cr_assert_str_eq(score_text(&events), "14 9 7");
    cr_assert_eq(allegra_table_winners(&table), 1U << 2);
}

Test(corner_cases_end, a_failed_trigger_with_zero_stays_at_zero)
{
    struct allegra_table table = table_from(
        POSITION_APART "private0=0,.,./.,.,./.,.,. private1=9,.,./.,.,./.,.,. "
                       "private2=#0,.,./.,.,./.,.,. draw=1 discard=3 active=2 triggered=0 moved=1 "
                       "final=1 failed_negative=halve");
    struct allegra_events events = play_all(&table, "2 discard, 2 drop B1");

    cr_assert_str_eq(score_text(&events), "0 9 0");
}

Test(corner_cases_end, half_points_are_added_to_the_total)
{
    struct allegra_table table = table_from(
        POSITION_APART "private0=-1,.,./.,.,./.,.,. private1=-1,.,./.,-1,./.,.,. "
                       "private2=#7,.,./.,.,./.,.,. draw=1 discard=3 active=2 triggered=0 moved=1 "
                       "final=1 failed_negative=halve totals=0,-0.5,2.5");
    struct allegra_events events = play_all(&table, "2 discard, 2 drop B1");

    cr_assert_str_eq(score_text(&events), "-0.5 -2 7");
    cr_assert_str_eq(total_text(&events), "-0.5 -2.5 9.5");
    cr_assert_eq(allegra_table_winners(&table), 1U << 1);
}

Test(corner_cases_end, a_trigger_who_fails_with_an_empty_display_keeps_or_halves_minus_ten)
{
    static const char *const rules[][2] = {{"keep", "-10 -10 7"}, {"halve", "-5 -10 7"}};

    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        struct allegra_table table = table_from(
            POSITION_APART "private0=.,.,./.,.,./.,.,. private1=.,.,./.,.,./.,.,. "
                           "private2=#7,.,./.,.,./.,.,. draw=1 discard=3 active=2 triggered=0 "
                           "final=1 failed_negative=%s",
            rules[i][0]);
        struct allegra_events events = play_all(&table, "2 discard, 2 drop B1");

        cr_assert_str_eq(score_text(&events), rules[i][1]);
    }
}

Test(corner_cases_end, the_lowest_total_wins_and_equal_totals_share_the_win)
{
    struct allegra_table table = table_from(POSITION_LAST_MOVE "totals=5,0,20");

    play_all(&table, "2 discard, 2 drop B1");
    cr_assert_str_eq(asked_text(&table), "nothing");
    cr_assert_eq(allegra_table_winners(&table), 3, "9 and 9 against 27");
}

/* The match. */

/* Makes the last move of a round with the scores 4, 9 and 7. */
static struct allegra_table after_round(const char *fields)
{
    struct allegra_table table = table_from(POSITION_LAST_MOVE "%s", fields);
    struct script script = {.first = ""};
    struct allegra_shuffler shuffler = shuffler_scripted(&script);

    play(&table, 2, "discard");
    play_with(&table, 2, "drop B1", &shuffler);
    return table;
}

Test(corner_cases_end, a_total_equal_to_the_score_limit_ends_the_match)
{
    struct allegra_table reached = after_round("score_limit=100 totals=0,91,0");
    struct allegra_table missed = after_round("score_limit=100 totals=0,90.5,0");

    cr_assert(allegra_table_is_over(&reached));
    cr_assert_not(allegra_table_is_over(&missed));
}

Test(corner_cases_end, a_match_with_a_score_limit_has_at_most_a_hundred_rounds)
{
    struct allegra_table last = after_round("score_limit=1000 round=100");
    struct allegra_table before = after_round("score_limit=1000 round=99");

    cr_assert(allegra_table_is_over(&last));
    cr_assert_not(allegra_table_is_over(&before));
    cr_assert_eq(before.round, 100);
}

Test(corner_cases_end, the_next_dealer_is_the_left_neighbour_of_the_last_one)
{
    struct allegra_table table = after_round("rounds=2 dealer=2 starter=dealer");

    cr_assert_eq(table.dealer, 0);
    cr_assert_str_eq(asked_text(&table), "0 reveal");
    table = after_round("rounds=2 dealer=0 starter=left");
    cr_assert_eq(table.dealer, 1);
    cr_assert_str_eq(asked_text(&table), "2 reveal");
}

Test(corner_cases_end, nothing_is_asked_after_the_match)
{
    struct allegra_table table = after_round("");

    cr_assert_eq(allegra_table_asked(&table), 0);
    for (unsigned seat = 0; seat < 3; seat++) {
        cr_assert_eq(refused(&table, seat, "pile"), ALLEGRA_REFUSAL_NOT_ASKED);
        cr_assert_str_eq(legal_text(&table, seat), "");
    }
}
