/* Answers as text: each has exactly one spelling, and nothing else is an answer. */

#include "support/all_answers.h"
#include "game/game_text.h"

#include <criterion/criterion.h>

static bool is_same(struct allegra_answer one, struct allegra_answer other)
{
    return one.verb == other.verb && one.seat == other.seat && one.cells == other.cells;
}

Test(answer, every_answer_is_read_as_it_was_written)
{
    static struct allegra_answer list[ALL_ANSWERS];

    all_answers(list);
    for (unsigned i = 0; i < ALL_ANSWERS; i++) {
        char buffer[40];
        struct text text;
        struct allegra_answer read = {ALLEGRA_VERB_COUNT, 9, 9};

        text_start(&text, buffer, sizeof buffer);
        answer_write(&text, list[i]);
        cr_assert_not(text.is_cut);
        cr_expect_eq(answer_read(span_of(buffer), &read), 0, "rejected: %s", buffer);
        cr_expect(is_same(read, list[i]), "read as another answer: %s", buffer);
    }
}

static const struct {
    struct allegra_answer answer;
    const char *words;
} spellings[] = {
    {{ALLEGRA_VERB_TURN, 0, 1U << 0}, "turn A1"},
    {{ALLEGRA_VERB_PILE, 0, 0}, "pile"},
    {{ALLEGRA_VERB_DISCARD, 0, 0}, "discard"},
    {{ALLEGRA_VERB_PASS, 0, 0}, "pass"},
    {{ALLEGRA_VERB_KNOCK, 0, 0}, "knock"},
    {{ALLEGRA_VERB_KNOCK, 0, 1U << 4}, "knock E1"},
    {{ALLEGRA_VERB_ACCEPT, 5, 0}, "accept 5"},
    {{ALLEGRA_VERB_DECLINE, 0, 0}, "decline"},
    {{ALLEGRA_VERB_AGAIN, 0, 0}, "again"},
    {{ALLEGRA_VERB_KEEP, 0, 1U << 11}, "keep B3"},
    {{ALLEGRA_VERB_DROP, 0, 1U << 14}, "drop E3"},
    {{ALLEGRA_VERB_PLACE, 0, 1U << 8}, "place D2"},
    {{ALLEGRA_VERB_TAKE, 2, 1U << 0}, "take 2:A1"},
    {{ALLEGRA_VERB_PUT, 0, 1U << 7}, "put C2"},
    {{ALLEGRA_VERB_TOSS, 0, 0}, "toss"},
    {{ALLEGRA_VERB_CLEAR, 0, 1U << 0 | 1U << 2 | 1U << 4}, "clear A1 C1 E1"},
    {{ALLEGRA_VERB_CLEAR, 0, 1U << 1 | 1U << 6 | 1U << 11}, "clear B1 B2 B3"},
    {{ALLEGRA_VERB_NONE, 0, 0}, "none"},
};

Test(answer, each_kind_of_answer_has_its_spelling)
{
    for (unsigned i = 0; i < ARRAY_LEN(spellings); i++) {
        char buffer[40];
        struct text text;

        text_start(&text, buffer, sizeof buffer);
        answer_write(&text, spellings[i].answer);
        cr_expect_str_eq(buffer, spellings[i].words);
    }
}

static const char *const unreadable[] = {
    /* nothing, or wrong spaces */
    "",
    " ",
    "  ",
    " pile",
    "pile ",
    "\tpile",
    "pile\n",
    "pile\r",
    "keep  B3",
    "keep B3 ",
    " keep B3",
    "keep\tB3",
    "keep ",
    "knock ",
    "knock  A1",
    "accept ",
    "take ",
    "clear ",
    "clear A1 B1  C1",
    "clear A1  B1 C1",
    "clear A1 B1 C1 ",
    "clear  A1 B1 C1",
    "take 2: A1",
    "take 2 :A1",
    /* unknown verb */
    "Pile",
    "PILE",
    "pil",
    "pile1",
    "piles",
    "keepB3",
    "fold",
    "turn_A1",
    "0",
    "A1",
    "-1",
    "?",
    /* an argument is missing */
    "turn",
    "keep",
    "drop",
    "place",
    "put",
    "accept",
    "take",
    "clear",
    "take 2",
    "take 2:",
    "take :A1",
    "take A1",
    "clear A1",
    "clear A1 B1",
    /* too many arguments */
    "pile A1",
    "discard 3",
    "pass now",
    "decline 1",
    "again 2",
    "toss A1",
    "none A1",
    "keep A1 B1",
    "turn A1 A1",
    "accept 1 2",
    "accept 1:A1",
    "knock A1 B1",
    "knock 1",
    "take 2:A1 B1",
    "take 2:A1:B1",
    "clear A1 B1 C1 D1",
    /* unknown cell */
    "keep a1",
    "keep A0",
    "keep A4",
    "keep F1",
    "keep @1",
    "keep A",
    "keep 1",
    "keep 1A",
    "keep A11",
    "keep A1,",
    "keep A-1",
    "keep \xc3\x84\x31",
    "turn e3",
    "drop G2",
    "place A9",
    "put A:",
    "knock F1",
    "take 2:a1",
    "take 2:F1",
    "take 2:A4",
    /* unknown seat */
    "accept 6",
    "accept -1",
    "accept -0",
    "accept 01",
    "accept +1",
    "accept 10",
    "accept A",
    "accept 1.",
    "accept 1a",
    "accept 99999999999999999999",
    "take 6:A1",
    "take -0:A1",
    "take 01:A1",
    "take x:A1",
    /* cells that are not in order, or not three */
    "clear B1 A1 C1",
    "clear A1 C1 B1",
    "clear C1 B1 A1",
    "clear A1 A1 B1",
    "clear A1 B1 B1",
    "clear A1 A1 A1",
    "clear A2 A1 A3",
    "clear A1 B1 F1",
    "clear A1,B1,C1",
    "clear A1B1C1",
    "clear a1 b1 c1",
};

Test(answer, a_misspelled_answer_is_rejected)
{
    for (unsigned i = 0; i < ARRAY_LEN(unreadable); i++) {
        struct allegra_answer answer = {ALLEGRA_VERB_COUNT, 9, 9};

        cr_expect_eq(answer_read(span_of(unreadable[i]), &answer), -1, "read: \"%s\"",
                     unreadable[i]);
        cr_expect(is_same(answer, (struct allegra_answer){ALLEGRA_VERB_COUNT, 9, 9}),
                  "changed by \"%s\"", unreadable[i]);
    }
}

Test(answer, an_answer_with_a_nul_byte_is_rejected)
{
    struct allegra_answer answer;

    cr_expect_eq(answer_read((struct span){"pile\0", 5}, &answer), -1);
    cr_expect_eq(answer_read((struct span){"keep A1\0", 8}, &answer), -1);
    cr_expect_eq(answer_read((struct span){"keep A1x", 7}, &answer), 0);
}

Test(answer, questions_verbs_and_refusals_have_names)
{
    for (unsigned i = 0; i < ALLEGRA_QUESTION_COUNT; i++) {
        enum allegra_question question = ALLEGRA_QUESTION_COUNT;

        cr_expect_eq(
            question_read(span_of(allegra_question_name((enum allegra_question)i)), &question), 0);
        cr_expect_eq(question, i);
    }
    for (unsigned i = 0; i < ALLEGRA_REFUSAL_COUNT; i++)
        cr_expect_not_null(allegra_refusal_text((enum allegra_refusal)i));
}
