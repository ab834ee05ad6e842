/* Bargaining: requests from which both sides gain, and their texts. The negotiator itself runs on
 * lines of the referee, with a fixed number of guesses. */

#include "negotiator/bargain.h"

#include "game/game_text.h"
#include "negotiator/negotiate.h"
#include "support/kit_send.h"
#include "support/position.h"
#include "wire/bot_line.h"

#include <criterion/criterion.h>

/* Seat 0 has drawn a 4 and has two 9s. Seat 1 could complete a triple with the 4 at D1, and has a 9
 * to give. But both other players have passed. */
#define DEAL                                                                                       \
    "seats=3 knock_rounds=2 shared0=#6,3,#11 shared1=#5,#2,#0 shared2=#3,#4,#8 "                   \
    "private0=9,9,5/7,0,#1/10,#2,#3 private1=4,4,8/9,6,#9/#7,#1,6 "                                \
    "private2=#3,#6,#9/#4,#8,#10/#1,#8,#11 draw=0 discard=6 ask=answer drawn=4 bidding=1 "         \
    "bids=1:pass,2:pass "

Test(negotiator, a_request_is_an_exchange_from_which_both_sides_gain)
{
    struct allegra_table table = table_from(DEAL);
    struct offer request;

    cr_assert(bargain_find_request(&table, 0, &request));
    cr_assert_eq(request.seat, 1);
    cr_assert_lt(request.cost, 0);
    cr_assert_lt(request.active_cost, request.otherwise);
    cr_assert(bargain_suits(&table, 1, request.cell));
}

Test(negotiator, no_player_is_asked_for_the_same_twice)
{
    struct allegra_table table = table_from(DEAL);
    struct offer request;

    cr_assert_not(bargain_find_request(&table, 1U << 1, &request));
}

Test(negotiator, a_request_is_read_by_the_seat_that_it_addresses)
{
    static const struct {
        const char *saying;
        unsigned seat;
        int cell; /* or -1 */
    } cases[] = {
        {"seat 2: knock B3 and I accept", 2, 11},
        {"seat 0: knock A1 and I accept", 0, 0},
        {"seat 2: knock B3 and I accept", 1, -1},
        {"seat 2: knock F3 and I accept", 2, -1},
        {"seat 2: knock B3 and I accep", 2, -1},
        {"", 2, -1},
        {"what a nice day", 2, -1},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        unsigned cell = 99;
        int result = bargain_read_request(cases[i].saying, cases[i].seat, &cell);

        cr_expect_eq(result, cases[i].cell < 0 ? -1 : 0, "case %zu", i);
        cr_expect_eq(cell, cases[i].cell < 0 ? 99 : (unsigned)cases[i].cell, "case %zu", i);
    }
}

Test(negotiator, every_written_request_can_be_read)
{
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
            struct offer request = {.seat = seat, .cell = cell};
            char sentence[BARGAIN_REQUEST_MAX];
            unsigned read = ALLEGRA_CELL_NONE;

            bargain_write_request(&request, sentence);
            cr_assert_eq(bargain_read_request(sentence, seat, &read), 0);
            cr_assert_eq(read, cell);
        }
    }
}

static struct allegra_answer choose(const struct allegra_view *view,
                                    const struct allegra_legal *legal, struct kit *kit)
{
    struct negotiation negotiation = {.samples = 4};

    (void)view;
    (void)legal;
    return negotiate(&negotiation, kit);
}

/* A kit at `seat` that gets the table and a question. `said` is a `said` line that comes first. */
static const char *ask(const struct allegra_table *table, unsigned seat, const char *said)
{
    static struct kit kit;
    static char buffer[KIT_SEND_MAX];
    struct bot_line_match match = {.rules = &table->rules,
                                   .seats = table->seats,
                                   .seat = seat,
                                   .clock = "fair",
                                   .names = {"one", "two", "three"}};
    struct allegra_view view = allegra_view_of(table, seat);
    struct allegra_legal legal;
    struct text text;

    kit_start(&kit, "test", choose);
    text_start(&text, buffer, sizeof buffer);
    allegra_legal_list(table, seat, &legal);
    bot_line_write_match(&text, &match);
    text_add(&text, "turn 1 0\ndrew pile 0 4\n");
    if (table->question == ALLEGRA_QUESTION_ANSWER)
        text_add(&text, "passed 1\npassed 2\n");
    text_add(&text, said);
    bot_line_write_table(&text, &view);
    bot_line_write_legal(&text, &legal);
    bot_line_write_ask(&text, &view, 7, 1000);
    cr_assert_not(text.is_cut);
    return kit_send(&kit, buffer);
}

Test(negotiator, it_says_its_request_and_asks_for_another_round)
{
    struct allegra_table table = table_from(DEAL);
    const char *reply = ask(&table, 0, "");
    struct span rest = span_of(reply);
    struct span first = span_cut(&rest, '\n');

    cr_assert(first.length > 4 && span_is((struct span){first.start, 4}, "say "), "%s", reply);
    cr_assert(span_is(span_cut(&rest, '\n'), "7 again"), "%s", reply);
}

Test(negotiator, with_talk_off_it_says_nothing_and_asks_for_no_other_round)
{
    struct allegra_table table = table_from(DEAL);

    set_rule(&table, "talk=off");
    cr_assert_str_eq(ask(&table, 0, ""), "7 decline\n");
}

Test(negotiator, a_knocker_follows_a_favourable_request_and_keeps_its_promise)
{
    struct allegra_table table = table_from(DEAL);
    struct offer request;
    char sentence[BARGAIN_REQUEST_MAX];
    char said[100];
    char expected[2][40];
    struct text text;

    cr_assert(bargain_find_request(&table, 0, &request));
    text_start(&text, said, sizeof said);
    bargain_write_request(&request, sentence);
    text_printf(&text, "said 0 %s\n", sentence);
    for (unsigned i = 0; i < 2; i++) {
        text_start(&text, expected[i], sizeof expected[i]);
        text_add(&text, i == 0 ? "7 knock " : "7 place ");
        cell_write(&text, request.cell);
        text_add_char(&text, '\n');
    }
    play(&table, 0, "again");
    cr_assert_str_eq(ask(&table, 1, said), expected[0]);
    play(&table, 1, "knock");
    play_all(&table, "2 pass, 0 accept 1");
    cr_assert_str_eq(ask(&table, 1, said), expected[1]);
}

Test(negotiator, it_does_not_follow_a_request_that_harms_it)
{
    struct allegra_table table = table_from(DEAL);

    table.drawn = 11;
    cr_assert_not(bargain_suits(&table, 1, 1));
    play(&table, 0, "again");
    cr_assert_str_neq(ask(&table, 1, "said 0 seat 1: knock B1 and I accept\n"), "7 knock B1\n");
}
