/* What a seat sees and what it does not. These tests change everything that a seat may not know;
 * its view must stay the same to the last byte. */

#include "support/position.h"

#include <criterion/criterion.h>
#include <string.h>

static bool is_same_view(const struct allegra_table *one, const struct allegra_table *other,
                         unsigned seat)
{
    struct allegra_view first = allegra_view_of(one, seat);
    struct allegra_view second = allegra_view_of(other, seat);

    return is_same_bytes(&first, &second, sizeof first);
}

static bool is_same_legal(const struct allegra_table *one, const struct allegra_table *other,
                          unsigned seat)
{
    struct allegra_legal first;
    struct allegra_legal second;

    allegra_legal_list(one, seat, &first);
    allegra_legal_list(other, seat, &second);
    return first.count == second.count &&
           memcmp(first.list, second.list, first.count * sizeof first.list[0]) == 0;
}

/* Changes every down card and every card in the draw pile. */
static void change_hidden(struct allegra_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (uint16_t rest = table->down[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
            unsigned shift = 4 * allegra_cell_lowest(rest);
            uint64_t code = table->codes[seat] >> shift & 15U;

            table->codes[seat] &= ~(UINT64_C(15) << shift);
            table->codes[seat] |= (code + 5) % ALLEGRA_CARD_VALUES << shift;
        }
    }
    for (unsigned i = 0; i < table->draw_count; i++)
        table->pile[i] = (int8_t)(ALLEGRA_CARD_MAX - 1 - table->pile[i]);
}

Test(view, a_view_shows_the_open_cards)
{
    struct allegra_table table =
        table_from("seats=3 shared0=#6,4,. shared1=1,#2,#0 shared2=#3,#4,#8 "
                   "private0=7,.,2/7,0,#1/10,#2,-1 private1=" POSITION_FILLER
                   " private2=" POSITION_FILLER " draw=0,5,5 discard=6,8 totals=1,2.5,-3");
    struct allegra_view view = allegra_view_of(&table, 1);

    cr_assert_eq(view.me, 1);
    cr_assert_eq(view.face[0][0], ALLEGRA_VIEW_DOWN);
    cr_assert_eq(view.face[0][1], 7);
    cr_assert_eq(view.face[0][2], ALLEGRA_VIEW_GAP);
    cr_assert_eq(view.face[0][5], 4);
    cr_assert_eq(view.face[1][9], 4, "the same cell in the display of seat 1");
    cr_assert_eq(view.face[0][10], ALLEGRA_VIEW_GAP);
    cr_assert_eq(view.face[1][14], ALLEGRA_VIEW_GAP);
    cr_assert_eq(view.face[0][13], -1);
    cr_assert_eq(view.discard_top, 8);
    cr_assert_eq(view.discard_count, 2);
    cr_assert_eq(view.draw_count, 3);
    cr_assert_eq(view.total_halves[1], 5);
    cr_assert_eq(view.total_halves[2], -6);
}

Test(view, only_asked_seats_see_a_question)
{
    struct allegra_table table = table_from(POSITION_KNOCK);

    cr_assert_eq(allegra_view_of(&table, 0).question, ALLEGRA_QUESTION_DRAW);
    cr_assert_eq(allegra_view_of(&table, 1).question, ALLEGRA_QUESTION_NONE);
    play(&table, 0, "pile");
    cr_assert_eq(allegra_view_of(&table, 0).question, ALLEGRA_QUESTION_NONE);
    cr_assert_eq(allegra_view_of(&table, 1).question, ALLEGRA_QUESTION_KNOCK);
    cr_assert_eq(allegra_view_of(&table, 2).question, ALLEGRA_QUESTION_KNOCK);
}

Test(view, no_seat_sees_a_change_of_one_down_card)
{
    static const char cells[] =
        "seats=3 shared0=#6,4,#11 shared1=1,#2,#0 shared2=#3,#4,#8 private0=7,8,2/7,0,#%d/10,#2,#3 "
        "private1=" POSITION_FILLER " private2=" POSITION_FILLER " draw=%d,5 discard=6";
    struct allegra_table one = table_from(cells, 1, 3);
    struct allegra_table other = table_from(cells, -1, 11);

    for (unsigned seat = 0; seat < 3; seat++) {
        cr_assert(is_same_view(&one, &other, seat), "seen by seat %u", seat);
        cr_assert(is_same_legal(&one, &other, seat));
    }
}

Test(view, bids_are_hidden_until_the_last_one_is_made)
{
    static const char *const bids[] = {"pass", "knock", "knock D1"};
    struct allegra_table before = table_from(POSITION_KNOCK);
    struct allegra_table after[ARRAY_LEN(bids)];

    play(&before, 0, "pile");
    for (size_t i = 0; i < ARRAY_LEN(bids); i++) {
        after[i] = before;
        play(&after[i], 1, bids[i]);
        cr_assert(is_same_view(&after[i], &before, 0), "%s", bids[i]);
        cr_assert(is_same_view(&after[i], &before, 2), "%s", bids[i]);
        cr_assert(is_same_legal(&after[i], &before, 2), "%s", bids[i]);
        cr_assert_eq(allegra_view_of(&after[i], 0).bidders, 0);
    }
    play(&after[2], 2, "pass");
    for (unsigned seat = 0; seat < 3; seat++) {
        struct allegra_view view = allegra_view_of(&after[2], seat);

        cr_assert_eq(view.bidders, 6);
        cr_assert_eq(view.knockers, 2);
        cr_assert_eq(view.offer[1], ALLEGRA_CELL_BIT(3));
    }
}

Test(view, bids_of_an_earlier_round_are_hidden_in_a_later_one)
{
    struct allegra_table table = table_from(POSITION_KNOCK "knock_rounds=2");

    play_all(&table, "0 pile, 1 knock D1, 2 pass, 0 again, 1 pass");
    cr_assert_eq(allegra_view_of(&table, 2).bid_round, 2);
    cr_assert_eq(allegra_view_of(&table, 2).knockers, 0);
    cr_assert_eq(allegra_view_of(&table, 2).offer[1], 0);
}

Test(view, only_the_knocker_sees_a_private_hand)
{
    static const char cells[] =
        "seats=3 shared0=#6,4,#11 shared1=1,#2,#0 shared2=#3,#4,#8 private0=7,8,2/7,0,#1/10,#2,#3 "
        "private1=5,5,9/7,9,9/#%d,#1,2 private2=" POSITION_FILLER
        " draw=0,5 discard=6 edition=en2020";
    struct allegra_table one = table_from(cells, 7);
    struct allegra_table other = table_from(cells, -1);

    play_all(&one, "0 pile, 1 knock, 2 pass, 0 accept 1, 1 place B3");
    play_all(&other, "0 pile, 1 knock, 2 pass, 0 accept 1, 1 place B3");
    cr_assert(is_same_view(&one, &other, 0));
    cr_assert(is_same_view(&one, &other, 2));
    cr_assert_not(is_same_view(&one, &other, 1));
    play(&one, 0, "take 1:B1");
    play(&other, 0, "take 1:B1");
    cr_assert(is_same_view(&one, &other, 0));
    cr_assert_eq(allegra_view_of(&one, 1).hand, 7);
    cr_assert_eq(allegra_view_of(&other, 1).hand, -1);
}

/* The same table with other hidden cards, another private hand, and other bids that are not
 * announced yet: no seat may see a difference, except the knocker in the hand. */
static void check_secrets(const struct allegra_table *table)
{
    struct allegra_table other = *table;

    change_hidden(&other);
    if (other.is_hand_private)
        other.hand = (int8_t)(ALLEGRA_CARD_MAX - 1 - other.hand);
    if (allegra_table_question(&other) == ALLEGRA_QUESTION_KNOCK) {
        other.knockers ^= (uint8_t)(other.bidders & ~other.asked);
        memset(other.offer, 0, sizeof other.offer);
    }
    for (unsigned seat = 0; seat < table->seats; seat++) {
        bool knows = table->is_hand_private && seat == table->knocker;

        cr_assert(knows || is_same_view(table, &other, seat), "seat %u sees too much in:\n%s", seat,
                  position_text(table));
        cr_assert(is_same_legal(table, &other, seat), "seat %u learns from its answers in:\n%s",
                  seat, position_text(table));
    }
}

Test(view, no_seat_ever_sees_a_hidden_card_in_random_matches)
{
    for (unsigned match = 0; match < 20 * ALLEGRA_EDITION_COUNT; match++) {
        struct allegra_dice dice = allegra_dice_from(match);
        struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
        struct allegra_rules rules =
            allegra_rules_of_edition((enum allegra_edition)(match % ALLEGRA_EDITION_COUNT));
        struct allegra_table table;

        rules.rounds = 1;
        rules.turn_limit = 30;
        rules.knock_rounds = (uint8_t)(1 + match % 3);
        allegra_table_start(&table, &rules, 2 + match / ALLEGRA_EDITION_COUNT % 5, 0, &shuffler,
                            NULL);
        while (!allegra_table_is_over(&table)) {
            unsigned seat = allegra_cell_lowest((uint16_t)allegra_table_asked(&table));
            struct allegra_legal legal;

            check_secrets(&table);
            allegra_legal_list(&table, seat, &legal);
            allegra_table_apply(&table, seat, allegra_simulate_choose(&dice, &legal), &shuffler,
                                NULL);
        }
    }
}
