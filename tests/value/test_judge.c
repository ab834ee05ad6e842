/* Answers are judged as a person would judge them where that is easy, from what the seat knows
 * alone, and with errors that can be trusted. */

#include "value/judge.h"
#include "game/game_text.h"
#include "support/position.h"
#include "support/same_table.h"
#include "value/redeal.h"
#include "value/swift.h"

#include <criterion/criterion.h>
#include <math.h>

/* Draw piles that do not run out in the final turns of a round. */
#define PILE "draw=8,3,10,5,1,9,6,0,4,7,2,11,5,8,-1,6,3,9,4,7,10,1,2,6,5 "

/* Seat 0 has two 7s in column B, and a 7 lies on the discard pile. */
#define TWO_SEVENS                                                                                 \
    "seats=3 display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,#8,#3 shared1=#2,#2,#2 "                      \
    "private1=" POSITION_FILLER " private2=" POSITION_FILLER " " PILE "discard=7 "

/* Seat 0 can end the round with 40 points, and everybody else is far below that. */
#define HOPELESS                                                                                   \
    POSITION_APART "private0=10,10,9/9,#5,./.,.,. private1=1,0,#2/1,.,./.,#3,. "                   \
                   "private2=0,2,#1/0,.,./.,#4,. " PILE "discard=6 "

/* Seat 2 makes the last move of a round and draws an 11. */
#define LAST_MOVE                                                                                  \
    POSITION_APART "private0=4,.,./.,.,./.,.,. private1=9,.,./.,.,./.,.,. "                        \
                   "private2=#7,.,./.,.,./.,.,. draw=1,3,2,6,4,11 discard=3 active=2 turn=9 "      \
                   "triggered=0 moved=1 final=1 "

static struct judgement judge(const struct allegra_table *table, unsigned seat, unsigned turns)
{
    struct judge_setup setup = {.seed = 7, .samples = 64, .turns = turns};
    struct judgement judgement;

    judge_answers(table, seat, &setup, &judgement);
    return judgement;
}

static const char *answer_text(struct allegra_answer answer)
{
    static char line[40];
    struct text text;

    text_start(&text, line, sizeof line);
    answer_write(&text, answer);
    return line;
}

static const struct judged *find(const struct judgement *judgement, const char *answer)
{
    for (unsigned i = 0; i < judgement->count; i++) {
        if (strcmp(answer_text(judgement->list[i].answer), answer) == 0)
            return &judgement->list[i];
    }
    cr_assert_fail("%s is not legal", answer);
    return NULL;
}

/* Positions with a best answer that needs no thought; a prefix stands for all that begin so. The
 * worse answer is surely behind. */
static const struct {
    const char *position;
    const char *answers; /* given first */
    unsigned seat;
    const char *best;
    const char *worse;
} known[] = {
    {TWO_SEVENS, "", 0, "discard", "pile"},
    {TWO_SEVENS, "0 discard", 0, "keep B3", "keep C2"},
    {HOPELESS "ask=move drawn=3", "", 0, "keep ", "drop C2"},
    {HOPELESS "ask=move drawn=3", "", 0, "keep ", "keep C2"},
    {POSITION_KNOCK_CELLS PILE "discard=6 ", "0 pile, 1 knock, 2 pass, 0 accept 1", 1, "place D1",
     "place A1"},
    {LAST_MOVE, "2 pile", 2, "drop B1", "keep B1"},
    {"seats=3 edition=nl2023 display0=-1,-1,9,4,#9/3,7,0,#5,#6/#1,9,2,#8,#3 shared1=#2,#2,#2 "
     "private1=" POSITION_FILLER " private2=" POSITION_FILLER " " PILE "discard=-1 ",
     "0 discard, 0 keep C1", 0, "none", "clear A1 B1 C1"},
};

Test(judge, a_best_answer_that_everybody_sees_is_found)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct allegra_table table = table_from("%s", known[i].position);

        if (known[i].answers[0] != '\0')
            play_all(&table, known[i].answers);
        for (unsigned turns = 0; turns <= 8; turns += 8) {
            struct judgement judgement = judge(&table, known[i].seat, turns);
            const char *best = answer_text(judgement.list[judgement.best].answer);
            struct judge_pair pair;
            struct judge_estimate worse;

            cr_assert(strncmp(best, known[i].best, strlen(known[i].best)) == 0,
                      "number %zu, %u turns: %s", i, turns, best);
            pair = (struct judge_pair){.answer = find(&judgement, known[i].worse)->answer,
                                       .other = judgement.list[judgement.best].answer};
            judge_pair_add(&pair, &table, known[i].seat,
                           &(struct judge_setup){.seed = 8, .samples = 600, .turns = turns});
            worse = judge_pair_cost(&pair).worth;
            cr_assert(judge_least(worse, 2) > 0, "number %zu, %u turns: %s costs %.1f ± %.1f", i,
                      turns, known[i].worse, worse.mean, worse.error);
        }
    }
}

Test(judge, where_the_hidden_cards_lie_does_not_count)
{
    struct allegra_table table = table_from(TWO_SEVENS);
    struct judgement first;

    draw_without_knocks(&table, 0);
    first = judge(&table, 0, 8);
    for (uint64_t seed = 1; seed < 6; seed++) {
        struct allegra_dice dice = allegra_dice_from(seed);
        struct allegra_table other = table;
        struct judgement second;

        redeal_hidden(&other, 0, &dice);
        cr_assert_not(is_same_bytes(&other, &table, sizeof table));
        second = judge(&other, 0, 8);
        for (unsigned i = 0; i < first.count; i++) {
            cr_assert(first.list[i].points.mean == second.list[i].points.mean);
            cr_assert(first.list[i].wins.mean == second.list[i].wins.mean);
        }
    }
}

Test(judge, all_legal_answers_are_judged_and_only_poor_ones_are_given_up)
{
    struct allegra_table table = table_from(TWO_SEVENS);
    struct allegra_legal legal;
    struct judgement judgement;
    unsigned given_up = 0;

    draw_without_knocks(&table, 0);
    allegra_legal_list(&table, 0, &legal);
    judgement = judge(&table, 0, 8);
    cr_assert_eq(judgement.count, legal.count);
    for (unsigned i = 0; i < legal.count; i++) {
        cr_assert_str_eq(answer_text(judgement.list[i].answer), answer_text(legal.list[i]));
        cr_assert_geq(judgement.list[i].samples, 8);
        cr_assert(isfinite(judgement.list[i].cost.worth.error));
        given_up += judgement.list[i].samples < 64;
    }
    cr_assert_eq(judgement.list[judgement.best].samples, 64);
    cr_assert_eq(judgement.list[judgement.best].cost.worth.mean, 0);
    cr_assert_geq(given_up, legal.count - 5);
}

/* The questions of a match that the quick policy plays. */
static unsigned ask_on(struct allegra_table *table, struct allegra_dice *dice, unsigned count)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);
    struct glance glance;

    glance_start(&glance, table);
    for (unsigned i = 0; i < count; i++) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(table));

        allegra_table_apply(table, seat, swift_choose(&glance, table, seat), &shuffler, NULL);
    }
    return (unsigned)__builtin_ctz(allegra_table_asked(table));
}

/* The difference of two independent estimates, in standard errors. */
static double deviation(struct judge_estimate one, struct judge_estimate other)
{
    double error = hypot(one.error, other.error);

    return error > 0 ? fabs(one.mean - other.mean) / error : 0;
}

Test(judge, two_runs_with_other_deals_agree_within_their_errors)
{
    unsigned far = 0;
    unsigned compared = 0;

    for (uint64_t match = 1; match <= 24; match++) {
        struct allegra_dice dice = allegra_dice_from(match);
        struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
        struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
        struct allegra_table table;
        struct allegra_legal legal;
        unsigned seat;

        allegra_table_start(&table, &rules, 4, 0, &shuffler, NULL);
        seat = ask_on(&table, &dice, 20 + (unsigned)match);
        allegra_legal_list(&table, seat, &legal);
        for (unsigned turns = 0; turns <= 8 && legal.count > 1; turns += 8) {
            struct judge_cost costs[2];

            for (unsigned run = 0; run < 2; run++) {
                struct judge_pair pair = {.answer = legal.list[0], .other = legal.list[1]};
                struct judge_setup setup = {.seed = run, .samples = 64, .turns = turns};

                judge_pair_add(&pair, &table, seat, &setup);
                costs[run] = judge_pair_cost(&pair);
            }
            far += deviation(costs[0].points, costs[1].points) > 2;
            far += deviation(costs[0].wins, costs[1].wins) > 2;
            cr_assert(deviation(costs[0].points, costs[1].points) < 4);
            cr_assert(deviation(costs[0].wins, costs[1].wins) < 4);
            compared += 2;
        }
    }
    cr_assert_geq(compared, 80);
    cr_assert_leq(far, compared / 8, "%u of %u", far, compared);
}

Test(judge, deals_can_be_added_in_parts)
{
    struct allegra_table table = table_from(TWO_SEVENS);
    struct allegra_legal legal;
    struct judge_pair whole;
    struct judge_pair parts;

    allegra_legal_list(&table, 0, &legal);
    whole = parts = (struct judge_pair){.answer = legal.list[0], .other = legal.list[1]};
    judge_pair_add(&whole, &table, 0, &(struct judge_setup){.seed = 1, .samples = 24});
    for (unsigned i = 0; i < 3; i++)
        judge_pair_add(&parts, &table, 0, &(struct judge_setup){.seed = 1, .samples = 8});
    cr_assert_eq(whole.samples, parts.samples);
    cr_assert(judge_pair_cost(&whole).points.mean == judge_pair_cost(&parts).points.mean);
    cr_assert(judge_pair_cost(&whole).worth.error == judge_pair_cost(&parts).worth.error);
}
