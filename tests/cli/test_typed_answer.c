/* A person may leave out what is clear, and gets a sentence about what is not. */

#include "cli/play/typed_answer.h"
#include "game/game_text.h"
#include "support/position.h"

#include <criterion/criterion.h>
#include <string.h>

#define ROW "private1=#3,#6,#9/#4,#7,#10/#5,#8,#11 "
#define MOVE "seats=2 display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,#8,#3 " ROW "draw=5,1 discard=7 "
#define CLEAR                                                                                      \
    "seats=2 edition=es2020 display0=5,5,5,1,#9/3,7,0,#5,#6/#1,9,2,#8,#3 " ROW                     \
    "draw=5,1 discard=7 ask=clear clear=move start=A1,B1,C1,D1,E1,A2,B2,C2,D2,E2,A3,B3,C3,D3,E3 "

/* `answer` is what is meant; NULL: it is not clear, and `problem` is a part of the sentence. */
static const struct {
    const char *position;
    unsigned seat;
    const char *typed;
    const char *answer;
    const char *problem;
} cases[] = {
    {MOVE, 0, "pile", "pile", NULL},
    {MOVE, 0, "PILE", "pile", NULL},
    {MOVE, 0, "  Discard ", "discard", NULL},
    {MOVE, 0, "1", "pile", NULL},
    {MOVE, 0, "2", "discard", NULL},
    {MOVE, 0, "3", NULL, "Not a legal answer"},
    {MOVE, 0, "0", NULL, "Not a legal answer"},
    {MOVE, 0, "b2", NULL, "Not a legal answer"},
    {MOVE, 0, "pile b2", NULL, "Not a legal answer"},
    {MOVE, 0, "keep b2", "keep B2", NULL}, /* the rules refuse it, and say why */
    {MOVE "ask=move drawn=1 from=pile", 0, "keep B2", "keep B2", NULL},
    {MOVE "ask=move drawn=1 from=pile", 0, "Keep  b2", "keep B2", NULL},
    {MOVE "ask=move drawn=1 from=pile", 0, "b2", "keep B2", NULL}, /* it is up: no drop */
    {MOVE "ask=move drawn=1 from=pile", 0, "c1", NULL, "Not clear: type `keep C1` or `drop C1`."},
    {MOVE "ask=move drawn=1 from=pile", 0, "drop c1", "drop C1", NULL},
    {MOVE "ask=move drawn=1 from=pile", 0, "f1", NULL, "Not a legal answer"},
    {MOVE "ask=move drawn=1 from=pile", 0, "keep", NULL, "Not a legal answer"},
    {POSITION_KNOCK "ask=knock drawn=5 bidding=1 asked=1,2", 1, "knock", "knock", NULL},
    {POSITION_KNOCK "ask=knock drawn=5 bidding=1 asked=1,2", 1, "knock d1", "knock D1", NULL},
    {POSITION_KNOCK "ask=knock drawn=5 bidding=1 asked=1,2", 1, "d1", NULL, "Not a legal answer"},
    {POSITION_KNOCK "ask=answer drawn=5 bidding=1 bids=1:knock,2:pass", 0, "accept", "accept 1",
     NULL},
    {POSITION_KNOCK "ask=answer drawn=5 bidding=1 bids=1:knock,2:pass", 0, "ACCEPT 1", "accept 1",
     NULL},
    {POSITION_KNOCK "ask=answer drawn=5 bidding=1 bids=1:knock,2:knock", 0, "accept", NULL,
     "Not clear: type `accept 1` or `accept 2`."},
    {CLEAR, 0, "clear A1 B1 C1", "clear A1 B1 C1", NULL},
    {CLEAR, 0, "clear c1 a1 b1", "clear A1 B1 C1", NULL},
    {CLEAR, 0, "c1 b1 a1", "clear A1 B1 C1", NULL},
    {CLEAR, 0, "none", "none", NULL},
    {CLEAR, 0, "a1", NULL, "Not a legal answer"},
};

Test(typed_answer, what_is_clear_is_taken_and_the_rest_is_explained)
{
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct allegra_table table = table_from("%s", cases[i].position);
        struct allegra_legal legal;
        struct allegra_answer answer;
        char message[500], written[40];
        struct text problem, text;
        int result;

        text_start(&problem, message, sizeof message);
        text_start(&text, written, sizeof written);
        allegra_legal_list(&table, cases[i].seat, &legal);
        cr_assert_gt(legal.count, 0, "case %zu: nothing is asked", i);
        result = typed_answer_read(span_of(cases[i].typed), &legal, &answer, &problem);
        cr_expect_eq(result, cases[i].answer != NULL ? 0 : -1, "case %zu: %s", i, message);
        if (result == 0)
            answer_write(&text, answer);
        cr_expect_str_eq(written, cases[i].answer != NULL ? cases[i].answer : "", "case %zu", i);
        if (cases[i].problem != NULL)
            cr_expect_not_null(strstr(message, cases[i].problem), "case %zu: %s", i, message);
    }
}

Test(typed_answer, a_take_needs_neither_verb_nor_seat)
{
    static const char *const lines[] = {"b2", "take b2", "1:B2", "take 1:b2"};

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct allegra_table table = table_from(POSITION_KNOCK);
        struct allegra_legal legal;
        struct allegra_answer answer;
        char message[500];
        struct text problem;

        play(&table, 0, "pile");
        play(&table, 1, "knock");
        play(&table, 2, "pass");
        play(&table, 0, "accept 1");
        play(&table, 1, "place D1");
        allegra_legal_list(&table, 0, &legal);
        text_start(&problem, message, sizeof message);
        cr_assert_eq(typed_answer_read(span_of(lines[i]), &legal, &answer, &problem), 0, "%s",
                     message);
        cr_expect_eq(answer.verb, ALLEGRA_VERB_TAKE);
        cr_expect_eq(answer.seat, 1);
        cr_expect_eq(answer.cells, ALLEGRA_CELL_BIT(6));
    }
}

Test(typed_answer, no_line_is_too_long_or_too_strange)
{
    char line[300];
    struct allegra_table table = table_from(MOVE);
    struct allegra_legal legal;

    allegra_legal_list(&table, 0, &legal);
    for (size_t length = 0; length < sizeof line; length++) {
        struct allegra_answer answer;
        char message[500];
        struct text problem;

        for (size_t i = 0; i < length; i++)
            line[i] = (char)(length % 3 == 0 ? 'a' : length % 3 == 1 ? 128 + i : i);
        text_start(&problem, message, sizeof message);
        cr_expect_eq(typed_answer_read((struct span){line, length}, &legal, &answer, &problem), -1);
    }
}
