/* The parts of `strong`: guesses that fit what a seat knows, a fast copy of greedy, the search, and
 * the time limit. Then all of it together, with a fixed number of guesses. */

#include "greedy/policy.h"
#include "game/position.h"
#include "strong/guess.h"
#include "strong/pace.h"
#include "strong/search.h"
#include "strong/trial.h"
#include "value/redeal.h"
#include "value/swift.h"
#include "support/effort.h"
#include "support/invariants.h"
#include "support/position.h"
#include "support/random_play.h"
#include "support/same_table.h"

#include <criterion/criterion.h>

#define MATCHES 30
#define SEARCHED_MATCHES 4

/* What a seat knows that has seen the round from the start. */
struct memory {
    struct allegra_view view;
    int8_t discards[ALLEGRA_DECK_MAX];
    struct knowledge knowledge;
};

static void remember(struct memory *memory, const struct allegra_table *table, unsigned seat)
{
    memory->view = allegra_view_of(table, seat);
    for (unsigned i = 0; i < table->discard_count; i++)
        memory->discards[i] = allegra_table_discarded(table, i);
    memory->knowledge = (struct knowledge){&memory->view, memory->discards, table->discard_count};
}

/* A match with random rules, or a made-up late table. */
static void start_any(struct allegra_table *table, struct allegra_dice *dice, uint64_t seed)
{
    *dice = allegra_dice_from(seed);
    if (seed % 3 == 0)
        random_late_table(table, dice);
    else
        random_start(table, dice);
}

/* Calls `look` at every question of many random matches. */
typedef void look_fn(const struct allegra_table *table, unsigned seat, struct allegra_dice *dice);

static void watch_matches(unsigned matches, look_fn *look)
{
    for (uint64_t seed = 1; seed <= matches; seed++) {
        struct allegra_dice dice;
        struct allegra_table table;
        struct play_style style;

        start_any(&table, &dice, seed);
        style = random_play_style(&dice);
        while (!allegra_table_is_over(&table)) {
            struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
            unsigned seat = random_asked(&table, &dice);
            struct allegra_legal legal;

            look(&table, seat, &dice);
            allegra_legal_list(&table, seat, &legal);
            allegra_table_apply(&table, seat, random_answer(&table, seat, &legal, &style, &dice),
                                &shuffler, NULL);
        }
    }
}

static void check_guess(const struct allegra_table *table, unsigned seat, struct allegra_dice *dice)
{
    struct memory memory;
    struct guess guess;
    struct allegra_table guessed;
    struct allegra_view seen;

    remember(&memory, table, seat);
    guess_start(&guess, &memory.knowledge);
    guess_deal(&guess, dice, &guessed);
    seen = allegra_view_of(&guessed, seat);
    cr_assert(same_bytes(&seen, &memory.view, sizeof seen));
    cr_assert_null(position_problem(&guessed), "%s", position_problem(&guessed));
    cr_assert_null(invariants_deck_problem(&guessed), "%s", invariants_deck_problem(&guessed));
}

Test(strong, a_guess_has_the_same_view_as_the_table_and_the_whole_deck)
{
    watch_matches(effort(MATCHES), check_guess);
}

Test(strong, guesses_differ_in_hidden_cards)
{
    struct allegra_dice dice = allegra_dice_from(3);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    struct allegra_table table;
    struct allegra_table guessed[2];
    struct memory memory;
    struct guess guess;

    allegra_table_start(&table, &rules, 4, 0, &shuffler, NULL);
    remember(&memory, &table, 1);
    guess_start(&guess, &memory.knowledge);
    guess_deal(&guess, &dice, &guessed[0]);
    guess_deal(&guess, &dice, &guessed[1]);
    cr_assert_neq(guessed[0].codes[2], guessed[1].codes[2]);
    cr_assert_arr_neq(guessed[0].pile, guessed[1].pile, guessed[0].draw_count);
}

Test(strong, a_guess_without_memory_still_has_the_right_number_of_cards)
{
    struct allegra_dice dice = allegra_dice_from(3);
    struct allegra_table table = table_from(POSITION_KNOCK);
    struct allegra_view view;
    struct guess guess;
    struct allegra_table guessed;

    table.discard_count = 5;
    view = allegra_view_of(&table, 0);
    guess_start(&guess, &(struct knowledge){&view, NULL, 0});
    guess_deal(&guess, &dice, &guessed);
    cr_assert_eq(guessed.discard_count, 5);
    cr_assert_eq(allegra_table_discarded(&guessed, 4), view.discard_top);
    for (unsigned i = 0; i < 4; i++)
        cr_assert_leq(allegra_table_discarded(&guessed, i), ALLEGRA_CARD_MAX);
}

static void check_swift(const struct allegra_table *table, unsigned seat, struct allegra_dice *dice)
{
    struct allegra_table played = *table;
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);
    struct glance glance;

    (void)seat;
    glance_start(&glance, &played);
    for (unsigned i = 0; i < 40 && !allegra_table_is_over(&played); i++) {
        unsigned asked = random_asked(&played, dice);
        struct allegra_answer answer = swift_choose(&glance, &played, asked);

        cr_assert_eq(allegra_table_apply(&played, asked, answer, &shuffler, NULL),
                     ALLEGRA_REFUSAL_NONE);
    }
}

Test(strong, swift_answers_are_legal_under_any_rules)
{
    watch_matches(effort(MATCHES / 10), check_swift);
}

/* In percent, how often swift chooses the same answer as greedy in matches of greedy. */
static unsigned agreement_at(enum allegra_question question)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    unsigned same = 0;
    unsigned all = 0;

    for (uint64_t seed = 1; seed <= effort(MATCHES / 10); seed++) {
        struct allegra_dice dice = allegra_dice_from(seed);
        struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
        struct allegra_table table;
        struct glance glance;

        allegra_table_start(&table, &rules, 4, 0, &shuffler, NULL);
        glance_start(&glance, &table);
        while (!allegra_table_is_over(&table)) {
            unsigned seat = allegra_cell_lowest(table.asked);
            struct allegra_answer swift = swift_choose(&glance, &table, seat);
            struct memory memory;
            struct allegra_legal legal;
            struct odds odds;
            struct allegra_answer greedy;

            remember(&memory, &table, seat);
            allegra_legal_list(&table, seat, &legal);
            odds = odds_of(&memory.view, memory.discards, table.discard_count);
            greedy = policy_choose(&memory.view, &legal, &odds);
            all += table.question == question;
            same += table.question == question && same_bytes(&swift, &greedy, sizeof swift);
            allegra_table_apply(&table, seat, greedy, &shuffler, NULL);
        }
    }
    return 100 * same / all;
}

Test(strong, swift_nearly_always_chooses_the_answer_of_greedy)
{
    static const struct {
        enum allegra_question question;
        unsigned least;
    } cases[] = {
        {ALLEGRA_QUESTION_DRAW, 98},
        {ALLEGRA_QUESTION_KNOCK, 99},
        {ALLEGRA_QUESTION_MOVE, 95},
        {ALLEGRA_QUESTION_ANSWER, 95},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        cr_expect_geq(agreement_at(cases[i].question), cases[i].least, "%s: %u",
                      allegra_question_name(cases[i].question), agreement_at(cases[i].question));
}

static struct allegra_answer search(const struct allegra_table *table, unsigned seat, uint64_t seed,
                                    unsigned samples)
{
    struct allegra_dice dice = allegra_dice_from(seed);
    struct memory memory;
    struct allegra_legal legal;

    remember(&memory, table, seat);
    allegra_legal_list(table, seat, &legal);
    return search_choose(&memory.knowledge, &legal, &dice,
                         &(struct search_limit){.samples = samples});
}

/* A search is slow, so only some questions are searched. */
#define EVERY 5

static void check_search(const struct allegra_table *table, unsigned seat,
                         struct allegra_dice *dice)
{
    struct allegra_answer answer;

    if (allegra_dice_below(dice, EVERY) != 0)
        return;
    answer = search(table, seat, dice->state, 2);
    cr_assert_eq(allegra_table_judge(table, seat, answer), ALLEGRA_REFUSAL_NONE);
}

Test(strong, every_answer_is_legal_under_any_rules)
{
    watch_matches(effort(SEARCHED_MATCHES), check_search);
}

/* The same table with other hidden cards: the answer must not change. */
static void check_hidden_cards(const struct allegra_table *table, unsigned seat,
                               struct allegra_dice *dice)
{
    struct memory memory;
    struct guess guess;
    struct allegra_table other;
    struct allegra_answer answers[2];

    if (allegra_dice_below(dice, EVERY) != 0)
        return;
    remember(&memory, table, seat);
    guess_start(&guess, &memory.knowledge);
    guess_deal(&guess, dice, &other);
    answers[0] = search(table, seat, dice->state, 3);
    answers[1] = search(&other, seat, dice->state, 3);
    cr_assert(same_bytes(&answers[0], &answers[1], sizeof answers[0]));
}

Test(strong, its_answer_does_not_depend_on_hidden_cards)
{
    watch_matches(effort(SEARCHED_MATCHES / 2), check_hidden_cards);
}

/* Positions whose best answer is known. */
static const struct {
    const char *position;
    unsigned seat;
    const char *answer;
} known[] = {
    /* three sevens to clear */
    {"seats=3 shared0=#6,4,#11 shared1=1,#2,#0 shared2=#3,#4,#8 private0=7,8,2/7,0,#1/10,#2,#3 "
     "private1=5,5,9/8,9,1/#7,#1,2 private2=#3,#6,#9/#4,#8,#10/#1,#8,#11 "
     "draw=0,4 discard=6 active=0 turn=4 ask=move drawn=7",
     0, "keep B3"},
    /* the last move; greedy would save five points, but only the down card can still win */
    {POSITION_APART "private0=9,.,./.,.,./.,.,. private1=8,.,./.,.,./.,.,. "
                    "private2=4,3,./.,#7,./.,.,3 draw=1 discard=10 active=2 turn=9 triggered=0 "
                    "moved=1 final=1 ask=move drawn=0",
     2, "keep B1"},
};

Test(strong, it_finds_answers_that_are_known_to_be_best)
{
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        struct allegra_table table = table_from("%s", known[i].position);

        for (uint64_t seed = 1; seed <= 3; seed++) {
            char answer[ALLEGRA_ANSWER_MAX];

            allegra_answer_write(search(&table, known[i].seat, seed, 60), answer, sizeof answer);
            cr_expect_str_eq(answer, known[i].answer, "case %zu: %s", i, answer);
        }
    }
}

Test(strong, it_does_not_end_a_round_that_it_cannot_win)
{
    struct allegra_table table = table_from(
        POSITION_APART "private0=11,5,4/6,#5,./.,.,. private1=1,0,2/#3,#4,./.,.,. "
                       "private2=2,1,./#5,#6,#2/.,.,. draw=0,4 discard=6 turn=13 ask=move drawn=2");

    for (uint64_t seed = 1; seed <= 3; seed++)
        cr_expect_neq(search(&table, 0, seed, 60).cells, table.down[0]);
}

/* Moves each of the lowest cards of the draw pile to another place. */
static void stir(struct allegra_table *table, unsigned count)
{
    int8_t first = table->pile[0];

    for (unsigned i = 1; i < count; i++)
        table->pile[i - 1] = table->pile[i];
    table->pile[count - 1] = first;
}

/* Of 20 games, how many change with cards that nobody draws before our next turn. */
static unsigned games_that_see_far(const struct allegra_table *table, bool is_full)
{
    struct allegra_answer pile = {.verb = ALLEGRA_VERB_PILE};
    unsigned changed = 0;
    struct trial trial;

    trial_start(&trial, table, table->active, is_full);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct allegra_dice dice = allegra_dice_from(seed);
        struct allegra_table one = *table;
        struct allegra_table other;

        redeal_hidden(&one, table->active, &dice);
        other = one;
        stir(&other, one.draw_count - 2U * one.seats);
        changed += trial_play(&trial, &one, pile, seed) != trial_play(&trial, &other, pile, seed);
    }
    return changed;
}

Test(strong, a_game_ends_when_our_turn_comes_again_unless_it_is_a_full_one)
{
    struct allegra_dice dice = allegra_dice_from(5);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    struct allegra_table table;
    struct glance glance;

    allegra_table_start(&table, &rules, 4, 0, &shuffler, NULL);
    glance_start(&glance, &table);
    while (table.question != ALLEGRA_QUESTION_DRAW) {
        unsigned seat = allegra_cell_lowest(table.asked);

        allegra_table_apply(&table, seat, swift_choose(&glance, &table, seat), &shuffler, NULL);
    }
    cr_expect_eq(games_that_see_far(&table, false), 0);
    cr_expect_geq(games_that_see_far(&table, true), 10);
}

Test(strong, the_same_dice_and_guesses_give_the_same_answer)
{
    struct allegra_table table = table_from(POSITION_KNOCK);

    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct allegra_answer one = search(&table, 0, seed, 20);
        struct allegra_answer other = search(&table, 0, seed, 20);

        cr_assert(same_bytes(&one, &other, sizeof one));
    }
}

/* A clock that advances by one step each time it is read. */
struct fake_time {
    int64_t now_us;
    int64_t step_us;
    unsigned looks;
    unsigned looks_too_late;
    int64_t end_us;
};

static int64_t fake_now(enum pace_clock clock, void *context)
{
    struct fake_time *time = context;

    if (clock == PACE_WAIT)
        return 0;
    time->looks++;
    time->looks_too_late += time->now_us > time->end_us;
    return time->now_us += time->step_us;
}

Test(strong, it_stops_when_its_time_has_run_out)
{
    struct allegra_table table = table_from(POSITION_KNOCK);
    struct pace_terms terms = {.limit_ms = 20, .move_ms = 20, .is_fair = true};
    struct fake_time time = {.step_us = 100, .end_us = INT64_MAX};
    struct allegra_dice dice = allegra_dice_from(1);
    struct memory memory;
    struct allegra_legal legal;
    struct pace pace;

    remember(&memory, &table, 0);
    allegra_legal_list(&table, 0, &legal);
    pace_start(&pace, &terms, fake_now, &time);
    time.end_us = time.now_us + pace.budget_us;
    /* Full games, because they do not agree on an answer before the time is over. */
    search_choose(&memory.knowledge, &legal, &dice,
                  &(struct search_limit){1000000, pace_is_over, &pace, true});
    cr_assert_gt(time.looks, 50);
    cr_assert_leq(time.looks_too_late, 1);
    cr_assert_lt(time.now_us, 20000);
}

Test(strong, it_uses_most_of_its_time_but_never_all)
{
    static const struct {
        struct pace_terms terms;
        int64_t least_us;
        int64_t most_us;
    } cases[] = {
        {{1, 1, true}, 500, 700},
        {{20, 20, true}, 12000, 14000},
        {{200, 200, true}, 160000, 190000},
        {{1000, 1000, false}, 850000, 950000},
        {{1020, 20, true}, 30000, 40000}, /* a bank must last for the whole match */
        {{20, 0, true}, 12000, 14000},    /* no match line came */
        {{5, 20, true}, 2500, 4000},      /* less than usual is left */
        {{0, 0, true}, 0, 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int64_t budget = pace_budget_us(&cases[i].terms);

        cr_expect_geq(budget, cases[i].least_us, "case %zu: %ld", i, (long)budget);
        cr_expect_leq(budget, cases[i].most_us, "case %zu: %ld", i, (long)budget);
    }
}

/* One clock advances, the other one stands still. */
struct split_time {
    int64_t now_us[PACE_CLOCKS];
};

static int64_t split_now(enum pace_clock clock, void *context)
{
    struct split_time *time = context;

    return time->now_us[clock];
}

Test(strong, with_a_fair_clock_it_may_wait_for_the_machine_but_not_compute)
{
    static const struct {
        bool is_fair;
        int64_t wall_us;
        int64_t cpu_us;
        int64_t wait_us;
        bool is_over;
    } cases[] = {
        {true, 5000, 5000, 0, false},      {true, 25000, 5000, 20000, false},
        {true, 25000, 15000, 10000, true}, /* it has computed long enough */
        {true, 25000, 5000, 2000, true},   /* unknown use, but it is charged */
        {true, 41000, 5000, 36000, true},  /* too long even for a fair clock */
        {false, 25000, 5000, 20000, true}, {false, 5000, 5000, 0, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct pace_terms terms = {20, 20, cases[i].is_fair};
        struct split_time time = {{0}};
        struct pace pace;

        pace_start(&pace, &terms, split_now, &time);
        time.now_us[PACE_WALL] = cases[i].wall_us;
        time.now_us[PACE_CPU] = cases[i].cpu_us;
        time.now_us[PACE_WAIT] = cases[i].wait_us;
        cr_expect_eq(pace_is_over(&pace), cases[i].is_over, "case %zu", i);
    }
}
