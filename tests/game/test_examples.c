/* The worked examples of the rules, each played by every edition. Where an edition lets players
 * refuse a triple, they are asked and clear it: clear_if_asked() hides that difference. */

#include "game/game_private.h"
#include "support/position.h"

#include <criterion/criterion.h>
#include <string.h>

/* Seats 1 and 2 of the first three examples, which do nothing. */
#define ONLOOKERS "shared1=#2,#2,#2 private1=" POSITION_FILLER " private2=" POSITION_FILLER " "

#define STANDING                                                                                   \
    "seats=3 shared0=#4,#8,#4 shared1=#2,#2,#2 shared2=#6,#6,#6 "                                  \
    "private0=#5,#5,#5/3,#5,#5/#5,#5,#5 private1=#7,#7,#7/1,8,8/#0,#7,#7 "                         \
    "private2=" POSITION_FILLER " draw=3,10,11 discard=4 "

#define MINUS_ONES                                                                                 \
    "seats=3 shared0=-1,.,. shared1=.,2,. shared2=#7,.,0 private0=-1,#-1,4/3,.,#5/.,2,. "          \
    "private1=#3,#6,#9/#4,#8,#10/#1,#8,#11 private2=#3,#6,#9/#4,#8,#10/#1,#8,#11 "                 \
    "draw=3,10 discard=9 "

static const char *name_of(unsigned edition)
{
    return allegra_edition_name((enum allegra_edition)edition);
}

static struct allegra_rules rules_of(unsigned edition)
{
    return allegra_rules_of_edition((enum allegra_edition)edition);
}

Test(examples, a_column_is_cleared_and_the_replaced_card_lies_on_top)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        const char *name = name_of(edition);
        struct allegra_table table = table_from("seats=3 edition=%s " ONLOOKERS
                                                "display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,#8,#3 "
                                                "draw=0 discard=7",
                                                name);

        play_all(&table, "0 discard, 0 keep B3");
        clear_if_asked(&table, 0, "B1 B2 B3");
        cr_assert_str_eq(discard_text(&table), "7 7 7 9", "%s", name);
        cr_assert_eq(cards_of(&table, 0), 12, "%s", name);
        cr_assert_eq(down_of(&table, 0), 7, "%s", name);
        cr_assert_str_eq(display_text(&table, 0), "4 . #2 1 #9 / 3 . 0 #5 #6 / #1 . 2 #8 #3");
        cr_assert_str_eq(asked_text(&table), "1 draw", "%s", name);
    }
}

static struct allegra_table overlap_of(unsigned edition)
{
    struct allegra_table table =
        table_from("seats=3 edition=%s " ONLOOKERS "display0=#4,#2,5,3,#9/5,5,9,2,#6/8,8,5,8,#3 "
                   "draw=0,5 discard=3",
                   name_of(edition));

    draw_without_knocks(&table, 0);
    play(&table, 0, "keep C2");
    return table;
}

Test(examples, of_an_overlapping_row_and_column_the_row_can_be_chosen)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_table table = overlap_of(edition);

        play(&table, 0, "clear A2 B2 C2");
        cr_assert_str_eq(discard_text(&table), "3 5 5 5 9", "%s", name_of(edition));
        cr_assert_eq(cards_of(&table, 0), 12);
        cr_assert_str_eq(asked_text(&table), "1 draw");
    }
}

Test(examples, of_an_overlapping_row_and_column_the_column_leads_to_a_row)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_table table = overlap_of(edition);
        bool may = rules_of(edition).clear_chain == ALLEGRA_FORCE_MAY;

        play(&table, 0, "clear C1 C2 C3");
        cr_assert_str_eq(asked_text(&table), may ? "0 clear" : "1 draw", "%s", name_of(edition));
        clear_if_asked(&table, 0, "A3 B3 D3");
        cr_assert_str_eq(discard_text(&table), "3 5 5 5 8 8 8 9", "%s", name_of(edition));
        cr_assert_eq(cards_of(&table, 0), 9);
        cr_assert_str_eq(asked_text(&table), "1 draw");
    }
}

Test(examples, an_overlapping_row_and_column_can_be_refused_only_if_both_are_optional)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_table table = overlap_of(edition);
        struct allegra_rules rules = rules_of(edition);

        if (rules.clear_row == ALLEGRA_FORCE_MAY && rules.clear_column == ALLEGRA_FORCE_MAY) {
            play(&table, 0, "none");
            cr_assert_str_eq(discard_text(&table), "3 9");
            cr_assert_eq(cards_of(&table, 0), 15);
        } else {
            cr_assert_eq(refused(&table, 0, "none"), ALLEGRA_REFUSAL_MUST_CLEAR, "%s",
                         name_of(edition));
        }
    }
}

Test(examples, a_row_skips_gaps_and_a_down_card_blocks_it)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_table table = table_from("seats=3 edition=%s " ONLOOKERS
                                                "display0=9,.,9,.,#9/2,#3,2,2,5/#8,5,#1,#6,#7 "
                                                "draw=0,10 discard=4",
                                                name_of(edition));

        draw_without_knocks(&table, 0);
        play(&table, 0, "drop E1");
        clear_if_asked(&table, 0, "A1 C1 E1");
        cr_assert_str_eq(discard_text(&table), "4 10 9 9 9", "%s", name_of(edition));
        cr_assert_eq(cards_of(&table, 0), 10);
        cr_assert_eq(cards_of(&table, 1), 14);
        cr_assert_eq(cards_of(&table, 2), 14);
        cr_assert_str_eq(asked_text(&table), "1 draw", "row 2 is not a triple (%s)",
                         name_of(edition));
    }
}

Test(examples, a_triple_made_by_another_player_stays_until_the_next_clear_step)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_table table = table_from(STANDING "edition=%s", name_of(edition));

        draw_without_knocks(&table, 0);
        play(&table, 0, "drop A2");
        cr_assert_str_eq(discard_text(&table), "4 11", "%s", name_of(edition));
        cr_assert_str_eq(display_text(&table, 1), "#2 #7 #7 #7 #4 / #2 1 8 8 8 / #2 #0 #7 #7 #4");
        cr_assert_str_eq(asked_text(&table), "1 draw", "%s", name_of(edition));
        draw_without_knocks(&table, 1);
        play(&table, 1, "drop B3");
        clear_if_asked(&table, 1, "C2 D2 E2");
        cr_assert_str_eq(discard_text(&table), "4 11 10 8 8 8", "%s", name_of(edition));
        cr_assert_str_eq(asked_text(&table), "2 draw");
    }
}

Test(examples, with_turn_start_a_triple_made_by_another_player_is_cleared_before_drawing)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_table table =
            table_from(STANDING "edition=%s standing=turn_start", name_of(edition));

        draw_without_knocks(&table, 0);
        play(&table, 0, "drop A2");
        clear_if_asked(&table, 1, "C2 D2 E2");
        cr_assert_str_eq(discard_text(&table), "4 11 8 8 8", "%s", name_of(edition));
        cr_assert_str_eq(asked_text(&table), "1 draw");
    }
}

/* Plays the knock to the end of the turn; each player clears everything possible. */
static struct allegra_table knock_of(unsigned edition)
{
    struct allegra_table table = table_from(POSITION_KNOCK "edition=%s", name_of(edition));

    play_all(&table, "0 pile, 1 knock D1, 2 pass, 0 accept 1, 1 place D1");
    clear_if_asked(&table, 1, "B1 C1 D1");
    play_all(&table, "0 take 1:B2, 0 put B3");
    clear_if_asked(&table, 0, "B1 B2 B3");
    return table;
}

Test(examples, in_a_knock_of_de2026_the_knocker_clears_twice)
{
    struct allegra_table table = knock_of(ALLEGRA_EDITION_DE2026);

    cr_assert_str_eq(discard_text(&table), "6 5 5 5 7 7 7 10 9 9 9");
    cr_assert_eq(cards_of(&table, 0), 12);
    cr_assert_eq(cards_of(&table, 1), 9);
    cr_assert_str_eq(asked_text(&table), "1 draw");
}

Test(examples, in_a_knock_of_the_other_editions_the_hand_card_comes_too_late_for_the_knocker)
{
    for (unsigned edition = ALLEGRA_EDITION_EN2020; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_table table = knock_of(edition);
        bool is_tossed_first = rules_of(edition).knock_toss == ALLEGRA_KNOCK_TOSS_AT_SWAP;

        cr_assert_str_eq(discard_text(&table),
                         is_tossed_first ? "6 5 5 5 10 7 7 7" : "6 5 5 5 7 7 7 10", "%s",
                         name_of(edition));
        cr_assert_eq(cards_of(&table, 0), 12);
        cr_assert_eq(cards_of(&table, 1), 12);
        cr_assert_str_eq(display_text(&table, 1), "1 . . . #6 / #2 9 9 9 4 / #0 #7 #1 2 #11");
        cr_assert_str_eq(asked_text(&table), "1 draw", "%s", name_of(edition));
    }
}

/* nl2023: "wordt afgelegd. Tot slot plaatst de klopper"; fr2020: "est ensuite défaussée". Their
 * sentence about discarding after the clearing speaks only of a drawn card that is kept. */
Test(examples, in_nl2023_and_fr2020_the_replaced_card_is_discarded_before_the_hand_card_returns)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_table table = table_from(POSITION_KNOCK "edition=%s", name_of(edition));
        struct allegra_events events;
        bool is_at_swap = edition == ALLEGRA_EDITION_NL2023 || edition == ALLEGRA_EDITION_FR2020;

        play_all(&table, "0 pile, 1 knock D1, 2 pass, 0 accept 1, 1 place D1");
        clear_if_asked(&table, 1, "B1 C1 D1");
        play(&table, 0, "take 1:B2");
        events = play(&table, 0, "put B3");
        cr_assert_eq(strncmp(events_text(&events), "put discarded returned", 22) == 0, is_at_swap,
                     "%s: %s", name_of(edition), events_text(&events));
    }
}

Test(examples, a_player_completed_by_a_neighbour_is_the_trigger)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_events events;
        struct allegra_table table =
            table_from("seats=4 edition=%s rounds=1 shared0=.,#4,. shared1=2,.,. shared2=.,3,. "
                       "shared3=.,.,1 private0=.,2,./#3,.,8/.,.,. private1=5,.,./.,.,1/.,0,. "
                       "private2=#6,.,./.,9,./1,.,. private3=.,6,./#10,.,./.,.,2 "
                       "draw=8,0,10,11 discard=7",
                       name_of(edition));

        draw_without_knocks(&table, 0);
        play(&table, 0, "drop A2");
        cr_assert_eq(table.trigger, 1, "%s", name_of(edition));
        draw_without_knocks(&table, 2);
        play(&table, 2, "drop B1");
        draw_without_knocks(&table, 3);
        play(&table, 3, "keep B2");
        draw_without_knocks(&table, 0);
        events = play(&table, 0, "drop B2");
        cr_assert_str_eq(discard_text(&table), "7 11 10 10 8", "%s", name_of(edition));
        cr_assert_str_eq(raw_text(&events), "18 12 21 12", "%s", name_of(edition));
        cr_assert_str_eq(score_text(&events), "18 24 21 12", "%s", name_of(edition));
        cr_assert_eq(allegra_table_winners(&table), 1U << 3);
        cr_assert(allegra_table_is_over(&table));
    }
}

/* The scores of example 7; seat 0 is the trigger. The blocks are the private cells of the seats;
 * that of seat 2 includes the card that it turns up in the last move of the round. */
struct scores {
    int raw[3];
    bool has_failed;
    int keep_halves;
    int halve_halves;
    const char *blocks[3];
    const char *kept;
    const char *halved;
};

static const struct scores scores[] = {
    {{12, 9, 20},
     true,
     48,
     48,
     {"11,.,./.,1,./.,.,.", "9,.,./.,.,./.,.,.", "#11,.,./.,9,./.,.,."},
     "24 9 20",
     "24 9 20"},
    {{9, 9, 20},
     true,
     36,
     36,
     {"8,.,./.,1,./.,.,.", "9,.,./.,.,./.,.,.", "#11,.,./.,9,./.,.,."},
     "18 9 20",
     "18 9 20"},
    {{8, 9, 20},
     false,
     16,
     16,
     {"8,.,./.,.,./.,.,.", "9,.,./.,.,./.,.,.", "#11,.,./.,9,./.,.,."},
     "8 9 20",
     "8 9 20"},
    {{-3, -4, 5},
     true,
     -6,
     -3,
     {"-1,.,./.,-1,./.,.,-1", "-1,.,./.,-1,-1/.,.,-1", "#5,.,./.,.,./.,.,."},
     "-3 -4 5",
     "-1.5 -4 5"},
    {{0, -1, 4},
     true,
     0,
     0,
     {"0,.,./.,.,./.,.,.", "-1,.,./.,.,./.,.,.", "#4,.,./.,.,./.,.,."},
     "0 -1 4",
     "0 -1 4"},
    {{-4, 2, 5},
     false,
     -8,
     -8,
     {"-1,.,./.,-1,-1/.,.,-1", "2,.,./.,.,./.,.,.", "#5,.,./.,.,./.,.,."},
     "-4 2 5",
     "-4 2 5"},
    {{-10, -10, 7},
     true,
     -20,
     -10,
     {".,.,./.,.,./.,.,.", ".,.,./.,.,./.,.,.", "#7,.,./.,.,./.,.,."},
     "-10 -10 7",
     "-5 -10 7"},
};

Test(examples, a_trigger_without_the_single_lowest_score_fails_and_is_penalised)
{
    struct allegra_rules keep = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    struct allegra_rules halve = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020);

    for (size_t i = 0; i < ARRAY_LEN(scores); i++) {
        const struct scores *row = &scores[i];

        cr_assert_eq(score_has_failed(row->raw, 3, 0), row->has_failed, "row %zu", i);
        cr_assert_eq(score_halves(&keep, row->raw[0], row->has_failed), row->keep_halves, "row %zu",
                     i);
        cr_assert_eq(score_halves(&halve, row->raw[0], row->has_failed), row->halve_halves,
                     "row %zu", i);
    }
}

Test(examples, whole_rounds_give_the_same_scores)
{
    for (size_t i = 0; i < ARRAY_LEN(scores) * ALLEGRA_EDITION_COUNT; i++) {
        const struct scores *row = &scores[i / ALLEGRA_EDITION_COUNT];
        const char *name = name_of((unsigned)(i % ALLEGRA_EDITION_COUNT));
        bool halves = rules_of((unsigned)(i % ALLEGRA_EDITION_COUNT)).failed_negative ==
                      ALLEGRA_FAILED_NEGATIVE_HALVE;
        struct allegra_events events;
        struct allegra_table table =
            table_from(POSITION_APART "edition=%s rounds=1 private0=%s private1=%s private2=%s "
                                      "draw=1,10 discard=3 active=2 triggered=0 moved=1 final=1",
                       name, row->blocks[0], row->blocks[1], row->blocks[2]);

        play(&table, 2, "pile");
        events = play(&table, 2, "drop B1");
        cr_assert_str_eq(score_text(&events), halves ? row->halved : row->kept, "%s, row %zu", name,
                         i / ALLEGRA_EDITION_COUNT);
    }
}

Test(examples, an_emptied_display_counts_minus_ten)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_events events;
        struct allegra_table table =
            table_from("seats=3 edition=%s rounds=1 shared0=.,#4,. shared1=.,.,3 shared2=.,4,. "
                       "private0=.,.,./.,4,./.,.,. private1=2,.,./.,1,#5/.,.,. "
                       "private2=#7,.,./.,.,./0,.,2 draw=11,0,9 discard=8",
                       name_of(edition));

        draw_without_knocks(&table, 0);
        play(&table, 0, "drop A2");
        clear_if_asked(&table, 0, "A2 C2 E2");
        cr_assert_eq(cards_of(&table, 0), 0);
        cr_assert_eq(table.trigger, 0);
        draw_without_knocks(&table, 1);
        play(&table, 1, "keep D2");
        draw_without_knocks(&table, 2);
        events = play(&table, 2, "drop B1");
        cr_assert_str_eq(discard_text(&table), "8 9 4 4 4 5 11", "%s", name_of(edition));
        cr_assert_str_eq(score_text(&events), "-10 6 12", "%s", name_of(edition));
        cr_assert_eq(allegra_table_winners(&table), 1U << 0);
    }
}

Test(examples, three_minus_ones_are_cleared_like_any_triple)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        bool may = rules_of(edition).clear_row == ALLEGRA_FORCE_MAY;
        struct allegra_table table = table_from(MINUS_ONES "edition=%s", name_of(edition));

        cr_assert_eq(allegra_table_raw_score(&table, 0), 18);
        cr_assert_eq(allegra_table_raw_score(&table, 1), 61);
        draw_without_knocks(&table, 0);
        play(&table, 0, "drop C1");
        cr_assert_str_eq(asked_text(&table), may ? "0 clear" : "1 draw", "%s", name_of(edition));
        clear_if_asked(&table, 0, "A1 B1 C1");
        cr_assert_eq(allegra_table_raw_score(&table, 0), 21);
        cr_assert_eq(allegra_table_raw_score(&table, 1), 62);
        cr_assert_str_eq(discard_text(&table), "9 10 -1 -1 -1", "%s", name_of(edition));
    }
}

Test(examples, three_minus_ones_can_be_kept_where_a_row_may_be_refused)
{
    for (unsigned edition = ALLEGRA_EDITION_NL2023; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_table table = table_from(MINUS_ONES "edition=%s", name_of(edition));

        draw_without_knocks(&table, 0);
        play_all(&table, "0 drop C1, 0 none");
        cr_assert_eq(allegra_table_raw_score(&table, 0), 18, "%s", name_of(edition));
        cr_assert_eq(allegra_table_raw_score(&table, 1), 61);
        cr_assert_str_eq(discard_text(&table), "9 10");
    }
}
