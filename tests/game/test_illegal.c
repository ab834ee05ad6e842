/* Illegal answers. At each step of many random matches every possible answer is tried: the answers
 * in the list of legal ones must be accepted, all others refused with a reason, and a refused
 * answer must not change a single byte of the table. */

#include "support/all_answers.h"
#include "game/position.h"
#include "support/effort.h"
#include "support/random_play.h"
#include "support/same_table.h"

#include <criterion/criterion.h>
#include <limits.h>

#define MATCHES 300
#define LATE_TABLES 500

/* Malformed answers per step. */
#define RAW_ANSWERS 30

static struct allegra_answer everything[ALL_ANSWERS];

/* The legal answers of the current seat. */
static bool is_legal[ALLEGRA_VERB_COUNT][ALLEGRA_SEATS_MAX][ALLEGRA_CELL_ALL + 1];

/* How often each reason was given. */
static unsigned long reasons[ALLEGRA_REFUSAL_COUNT];

static void mark_legal(const struct allegra_legal *legal, bool mark)
{
    for (unsigned i = 0; i < legal->count; i++) {
        struct allegra_answer answer = legal->list[i];

        is_legal[answer.verb][answer.seat][answer.cells] = mark;
    }
}

static void no_shuffle(void *context, unsigned round, unsigned reshuffle, int8_t *cards,
                       unsigned count)
{
    (void)context;
    (void)round;
    (void)reshuffle;
    (void)cards;
    (void)count;
    cr_assert_fail("a refused answer shuffles");
}

static void fail(const struct allegra_table *table, unsigned seat, struct allegra_answer answer,
                 const char *what)
{
    char buffer[ALLEGRA_POSITION_MAX];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    position_write(&text, table);
    cr_assert_fail("%s: seat %u, verb %u, seat %u, cells %#x\n%s", what, seat, answer.verb,
                   answer.seat, answer.cells, buffer);
}

/* Applies an answer that must be refused. */
static void require_refusal(struct allegra_table *table, const struct allegra_table *before,
                            unsigned seat, struct allegra_answer answer)
{
    static const struct allegra_shuffler shuffler = {no_shuffle, NULL};
    static struct allegra_events events;
    enum allegra_refusal refusal = allegra_table_apply(table, seat, answer, &shuffler, &events);

    if (refusal == ALLEGRA_REFUSAL_NONE || refusal >= ALLEGRA_REFUSAL_COUNT)
        fail(before, seat, answer, "accepted although it is not in the list");
    reasons[refusal]++;
    if (!same_bytes(table, before, sizeof *table))
        fail(before, seat, answer, "refused, but the table changed");
    if (events.count != 0)
        fail(before, seat, answer, "refused, but with events");
}

/* Tries every answer of one seat. */
static void try_everything(struct allegra_table *table, const struct allegra_table *before,
                           unsigned seat)
{
    struct allegra_legal legal;
    unsigned accepted = 0;

    allegra_legal_list(table, seat, &legal);
    mark_legal(&legal, true);
    for (unsigned i = 0; i < ALL_ANSWERS; i++) {
        struct allegra_answer answer = everything[i];

        if (!is_legal[answer.verb][answer.seat][answer.cells]) {
            require_refusal(table, before, seat, answer);
            continue;
        }
        accepted++;
        if (allegra_table_judge(table, seat, answer) != ALLEGRA_REFUSAL_NONE)
            fail(table, seat, answer, "refused although it is in the list");
    }
    mark_legal(&legal, false);
    if (accepted != legal.count)
        fail(table, seat, legal.list[0], "the list has an answer twice, or an impossible one");
}

/* An answer that no text can express: a wrong verb, or a seat or cells that do not fit it. */
static struct allegra_answer malformed(struct allegra_dice *dice)
{
    static const uint16_t masks[] = {0x8000, 0xffff, 0x7fff, 0x0003, 0x8001, 0x000f, 0x8421};
    struct allegra_answer answer = everything[allegra_dice_below(dice, ALL_ANSWERS)];
    unsigned seat = 1 + allegra_dice_below(dice, 255);
    bool has_seat = answer.verb == ALLEGRA_VERB_ACCEPT || answer.verb == ALLEGRA_VERB_TAKE;

    switch (allegra_dice_below(dice, 3)) {
    case 0:
        answer.verb =
            (uint8_t)(ALLEGRA_VERB_COUNT + allegra_dice_below(dice, 256 - ALLEGRA_VERB_COUNT));
        break;
    case 1:
        answer.seat = (uint8_t)(has_seat && seat < ALLEGRA_SEATS_MAX ? seat + 6 : seat);
        break;
    default:
        answer.cells = masks[allegra_dice_below(dice, ARRAY_LEN(masks))];
        break;
    }
    return answer;
}

static void try_step(struct allegra_table *table, struct allegra_dice *dice)
{
    struct allegra_table before = *table;
    unsigned other = allegra_dice_below(dice, 8);

    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (allegra_table_asked(table) >> seat & 1)
            try_everything(table, &before, seat);
    }
    try_everything(table, &before, other);
    for (unsigned i = 0; i < RAW_ANSWERS; i++)
        require_refusal(table, &before, allegra_dice_below(dice, table->seats), malformed(dice));
    require_refusal(table, &before, UINT_MAX, everything[0]);
}

static void play(struct allegra_table *table, struct allegra_dice *dice)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);
    struct play_style style = random_play_style(dice);
    struct allegra_legal legal;

    while (!allegra_table_is_over(table)) {
        unsigned seat = random_asked(table, dice);

        try_step(table, dice);
        allegra_legal_list(table, seat, &legal);
        allegra_table_apply(table, seat, random_answer(table, seat, &legal, &style, dice),
                            &shuffler, NULL);
    }
    try_step(table, dice);
}

Test(illegal, answers_that_are_not_in_the_list_are_refused_and_change_nothing)
{
    all_answers(everything);
    for (unsigned i = 0; i < effort(MATCHES); i++) {
        struct allegra_dice dice = allegra_dice_from(i);
        struct allegra_table table;

        random_start(&table, &dice);
        play(&table, &dice);
    }
    for (unsigned i = ALLEGRA_REFUSAL_NONE + 1; i < ALLEGRA_REFUSAL_COUNT; i++)
        cr_expect(reasons[i] > 0 || i == ALLEGRA_REFUSAL_NO_OTHER_CELL, "never refused because %s",
                  allegra_refusal_text((enum allegra_refusal)i));
}

Test(illegal, answers_that_are_not_in_the_list_are_refused_late_in_a_round)
{
    all_answers(everything);
    for (unsigned i = 0; i < effort(LATE_TABLES); i++) {
        struct allegra_dice dice = allegra_dice_from(1000000 + i);
        struct allegra_table table;

        random_late_table(&table, &dice);
        play(&table, &dice);
    }
    cr_expect_gt(reasons[ALLEGRA_REFUSAL_NO_OTHER_CELL], 0);
}
