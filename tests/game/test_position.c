/* Positions as text: a written position is read back as the same table and plays the same way, and
 * an invalid position is refused with a reason. */

#include "support/position.h"
#include "game/position.h"
#include "game/rules.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define CELLS                                                                                      \
    "shared0=#4,#8,#4 shared1=#2,#2,#2 shared2=#6,#6,#6 private0=" POSITION_FILLER                 \
    " private1=" POSITION_FILLER " private2=" POSITION_FILLER
/* Seat 0 clears its first row, and has a gap at D3. */
#define CLEARING                                                                                   \
    "seats=3 display0=7,7,7,#3,#3/#3,#4,#5,#6,#7/#1,#2,#3,.,#5 shared1=#2,#2,#2 "                  \
    "private1=" POSITION_FILLER " private2=" POSITION_FILLER                                       \
    " draw=0 discard=9 ask=clear clear=move"

#define GOOD "seats=3 " CELLS " draw=0 discard=9 "

/* Clears the unused entries between the piles, which text does not keep. */
static struct allegra_table without_leftovers(struct allegra_table table)
{
    memset(&table.pile[table.draw_count], 0,
           (size_t)(ALLEGRA_DECK_MAX - table.draw_count - table.discard_count));
    return table;
}

/* Writes and reads; returns NULL, or what went wrong. */
static const char *round_trip(const struct allegra_table *table, struct allegra_table *again)
{
    static char why[200];
    char words[ALLEGRA_POSITION_MAX];
    struct allegra_table before = without_leftovers(*table);
    struct text text;

    snprintf(words, sizeof words, "%s", position_text(table));
    text_start(&text, why, sizeof why);
    if (position_read(span_of(words), again, &text) != 0)
        return why;
    if (strcmp(position_text(again), words) != 0)
        return "it is written differently the second time";
    *again = without_leftovers(*again);
    return is_same_bytes(again, &before, sizeof before) ? NULL : "some member was lost";
}

static void check_round_trip(const struct allegra_table *table)
{
    struct allegra_table again;
    const char *problem = round_trip(table, &again);

    cr_assert_null(problem, "%s:\n%s", problem, position_text(table));
}

/* Gives one random answer, the same for equal dice. */
static void step(struct allegra_table *table, struct allegra_dice *dice)
{
    unsigned seat = allegra_cell_lowest((uint16_t)allegra_table_asked(table));
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);
    struct allegra_legal legal;

    allegra_legal_list(table, seat, &legal);
    allegra_table_apply(table, seat, allegra_simulate_choose(dice, &legal), &shuffler, NULL);
}

static struct allegra_table random_match(unsigned match, struct allegra_dice *dice)
{
    struct allegra_rules rules =
        allegra_rules_of_edition((enum allegra_edition)(match % ALLEGRA_EDITION_COUNT));
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);
    struct allegra_table table;

    rules.rounds = 2;
    rules.turn_limit = (uint16_t)(10 + match % 20);
    rules.knock_rounds = (uint8_t)(1 + match % 3);
    rules.knock_offers = match / 2 % 2;
    rules.reshuffle = match / 4 % 2;
    rules.standing = match / 8 % 2;
    rules.knock_active_swap = match / 16 % 2;
    allegra_table_start(&table, &rules, 2 + match / ALLEGRA_EDITION_COUNT % 5, match % 2, &shuffler,
                        NULL);
    return table;
}

Test(position, every_table_of_random_matches_is_read_back_unchanged)
{
    for (unsigned match = 0; match < 10 * ALLEGRA_EDITION_COUNT; match++) {
        struct allegra_dice dice = allegra_dice_from(match);
        struct allegra_table table = random_match(match, &dice);

        for (; !allegra_table_is_over(&table); step(&table, &dice))
            check_round_trip(&table);
    }
}

Test(position, a_table_that_was_read_plays_like_the_original)
{
    for (unsigned match = 0; match < 10 * ALLEGRA_EDITION_COUNT; match++) {
        struct allegra_dice dice = allegra_dice_from(1000 + match);
        struct allegra_table table = random_match(match, &dice);
        struct allegra_table again;
        struct allegra_dice same;
        char end[ALLEGRA_POSITION_MAX];

        for (unsigned steps = 10 + 7 * match; steps > 0 && !allegra_table_is_over(&table); steps--)
            step(&table, &dice);
        if (allegra_table_is_over(&table))
            continue;
        cr_assert_null(round_trip(&table, &again));
        same = dice;
        while (!allegra_table_is_over(&table))
            step(&table, &dice);
        while (!allegra_table_is_over(&again))
            step(&again, &same);
        snprintf(end, sizeof end, "%s", position_text(&table));
        cr_assert_str_eq(position_text(&again), end);
    }
}

Test(position, a_match_that_is_over_is_read_back_with_any_end)
{
    struct allegra_table by_trigger = table_from(POSITION_LAST_MOVE);
    struct allegra_table by_limit = table_from(GOOD "turn_limit=1 turn=3");
    struct allegra_table by_exhaustion =
        table_from("seats=3 " CELLS " draw= discard=9 reshuffle=end_round");

    play_all(&by_trigger, "2 discard, 2 drop B1");
    check_round_trip(&by_trigger);
    play_all(&by_limit, "0 discard, 0 drop B1");
    check_round_trip(&by_limit);
    play(&by_exhaustion, 0, "pile");
    check_round_trip(&by_exhaustion);
}

/* Reads back `table` with each other value of one word key. */
static void check_words(struct allegra_table table, const struct rules_key *key)
{
    for (unsigned i = 0; i < ARRAY_LEN(key->names) && key->names[i] != NULL; i++) {
        rules_set(&table.rules, span_of(key->name), span_of(key->names[i]), NULL);
        check_round_trip(&table);
    }
}

Test(position, every_value_of_every_rule_key_is_read_back)
{
    struct allegra_table table = table_from(GOOD);

    for (size_t i = 0; i < rules_key_count(); i++) {
        if (rules_key_at(i)->kind == RULES_KEY_NAME)
            check_words(table, rules_key_at(i));
    }
    set_rule(&table, "turn_limit=10000");
    set_rule(&table, "score_limit=1000");
    set_rule(&table, "knock_rounds=9");
    set_rule(&table, "rounds=100");
    set_rule(&table, "deck=0,0,0,0,0,0,0,0,0,0,0,0,200");
    check_round_trip(&table);
}

Test(position, every_edition_is_read_back)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        const char *name = allegra_edition_name((enum allegra_edition)edition);
        struct allegra_table table = table_from(GOOD "edition=%s", name);
        struct allegra_rules rules = allegra_rules_of_edition((enum allegra_edition)edition);

        cr_assert(is_same_bytes(&table.rules, &rules, sizeof rules), "%s", name);
        check_round_trip(&table);
    }
}

Test(position, a_display_can_be_given_whole_or_in_its_parts)
{
    struct allegra_table parts = table_from(GOOD);
    struct allegra_table whole =
        table_from("seats=3 display0=#4,#3,#6,#9,#6/#8,#4,#7,#10,#6/#4,#5,#8,#11,#6 "
                   "display1=#2,#3,#6,#9,#4/#2,#4,#7,#10,#8/#2,#5,#8,#11,#4 "
                   "private2=" POSITION_FILLER " draw=0 discard=9");

    cr_assert(is_same_bytes(&parts, &whole, sizeof parts));
}

Test(position, fields_can_be_separated_by_any_white_space)
{
    struct allegra_table one = table_from(GOOD);
    struct allegra_table other = table_from("\n seats=3\n\t" CELLS "\r\n\n draw=0    discard=9 \n");

    cr_assert(is_same_bytes(&one, &other, sizeof one));
}

Test(position, half_points_are_read_and_written)
{
    struct allegra_table table = table_from(GOOD "totals=-0.5,12.5,-7");

    cr_assert_eq(table.total_halves[0], -1);
    cr_assert_eq(table.total_halves[1], 25);
    cr_assert_eq(table.total_halves[2], -14);
    cr_assert_not_null(strstr(position_text(&table), "totals=-0.5,12.5,-7"));
    check_round_trip(&table);
}

/* A position that is refused, and part of the reason. */
struct bad {
    const char *words;
    const char *says;
};

#define BIDS GOOD "drawn=5 bidding=1 "
#define OPEN1                                                                                      \
    "seats=3 shared0=.,.,. shared1=.,.,. shared2=.,.,. private0=" POSITION_FILLER                  \
    " private1=1,2,3/4,5,6/7,8,9 private2=" POSITION_FILLER " draw=0 discard=9 "

static const struct bad bads[] = {
    {"", "begins with seats"},
    {"seats=1", "\"seats=1\""},
    {"seats=7", "\"seats=7\""},
    {"seats", "\"seats\""},
    {"edition=en2020 seats=3", "begins with seats"},
    {GOOD "edition=en2021", "\"en2020\""},
    {GOOD "colour=red", "\"colour\""},
    {GOOD "talk=maybe", "on"},
    {GOOD "whatever", "\"whatever\""},
    {GOOD "private3=" POSITION_FILLER, "private3"},
    {"seats=3 draw=0 discard=9", "given nowhere in the display of seat 0: `display0=` (or "
                                 "`private0=` and `shared0=`) is missing"},
    {"seats=4 " CELLS " draw=0 discard=9", "given nowhere"},
    {"seats=3 shared0=#4,#8", "shared0"},
    {"seats=3 shared0=#4,#8,#4,#4", "shared0"},
    {"seats=3 private0=1,2,3/4,5,6", "private0"},
    {"seats=3 private0=1,2,3/4,5,6/7,8,9/1,2,3", "private0"},
    {"seats=3 private0=1,2,3,4/5,6/7,8,9", "private0"},
    {"seats=3 shared0=12,0,0", "shared0"},
    {"seats=3 shared0=-2,0,0", "shared0"},
    {"seats=3 shared0=#,0,0", "shared0"},
    {"seats=3 shared0=#.,0,0", "shared0"},
    {"seats=3 shared0=..,0,0", "shared0"},
    {"seats=3 shared0=x,0,0", "shared0"},
    {"seats=3 " CELLS " draw=12 discard=9", "draw=12"},
    {"seats=3 " CELLS " draw=0 discard=9,x", "discard=9,x"},
    {"seats=3 " CELLS " draw=0", "discard pile is empty: `discard=` is missing"},
    {GOOD "active=3", "not at the table"},
    {GOOD "active=6", "active=6"},
    {GOOD "dealer=5", "not at the table"},
    {GOOD "triggered=4", "trigger"},
    {GOOD "ask=lunch", "ask=lunch"},
    {GOOD "ask=move", "needs `drawn=`"},
    {GOOD "drawn=5", "does not go with `drawn=`"},
    {GOOD "ask=take drawn=5", "does not go with `drawn=`"},
    {GOOD "ask=take", "needs `knocker=`"},
    {GOOD "ask=take knocker=1 bids=1:knock", "needs `hand=`"},
    {GOOD "ask=put knocker=1 bids=1:knock hand=5", "needs `hole=`"},
    {GOOD "ask=put knocker=1 bids=1:knock hand=5 hole=B1", "needs `taken=`"},
    {GOOD "ask=place drawn=5 knocker=1", "`bids=` needs its bid"},
    {GOOD "ask=clear", "needs `clear=`"},
    {GOOD "clear=move", "does not go with `clear=`"},
    {GOOD "ask=clear clear=move", "nothing to clear"},
    {GOOD "start=A1", "no clear step"},
    {GOOD "triggered=0", "still has a down card"},
    {GOOD "final=1", "final round"},
    {GOOD "moved=1", "final round"},
    {GOOD "turn=0", "turns count from 1"},
    {GOOD "turn=70000", "turn=70000"},
    {GOOD "round=0", "rounds count from 1"},
    {GOOD "ask=reveal", "no moment to reveal"},
    {GOOD "reveals=2", "revealed"},
    {GOOD "first=1", "first to be complete"},
    {OPEN1, "first to be complete"},
    {OPEN1 "active=1 triggered=1 final=1", "active player has no down card"},
    {OPEN1 "triggered=1 final=3", "final round"},
    {GOOD "totals=1,2", "totals=1,2"},
    {GOOD "totals=1,2,3,4", "totals="},
    {GOOD "totals=1,2,0.25", "totals="},
    {GOOD "bids=1:knock", "does not go with `bidding=`"},
    {GOOD "deck=0,0,0,0,0,0,0,0,0,0,0,0,30", "deck"},
    {BIDS "ask=knock", "no seat is asked to knock: `asked=` is missing"},
    {BIDS "ask=knock asked=1,2 bids=1:knock", "has knocked already"},
    {BIDS "ask=knock asked=0,1", "bid"},
    {BIDS "ask=knock asked=4", "not at the table"},
    {BIDS "ask=answer bids=1:pass,2:pass", "nothing to answer"},
    {BIDS "ask=answer bids=1:maybe", "bids="},
    {BIDS "ask=place knocker=2 bids=1:knock,2:pass", "knocker"},
    {BIDS "ask=place knocker=5 bids=1:knock,2:pass", "knocker"},
    {GOOD "drawn=5 bidding=2 ask=answer bids=1:knock,2:pass", "bidding round"},
    {GOOD "bidding=1 ask=put knocker=1 bids=1:knock hand=5 taken=4 hole=B1", "hole"},
    {"seats=3 shared0=_,#8,#4 shared1=#2,#2,#2 shared2=#6,#6,#6 private0=" POSITION_FILLER
     " private1=" POSITION_FILLER " private2=" POSITION_FILLER " draw=0 discard=9",
     "hole"},
};

static void check_refused(const char *words, const char *says)
{
    char why[300];
    struct allegra_table table;
    struct text problem;

    text_start(&problem, why, sizeof why);
    cr_assert_eq(position_read(span_of(words), &table, &problem), -1, "accepted: %s", words);
    cr_assert_not_null(strstr(why, says), "\"%s\" instead of \"%s\" about: %s", why, says, words);
}

Test(position, an_invalid_position_is_refused_with_a_reason)
{
    for (size_t i = 0; i < ARRAY_LEN(bads); i++)
        check_refused(bads[i].words, bads[i].says);
}

Test(position, a_cell_that_is_given_twice_must_be_the_same_both_times)
{
    static const char *const states[] = {"4", "5", "#4", "#5", ".", "_"};

    for (size_t i = 0; i < ARRAY_LEN(states) * ARRAY_LEN(states); i++) {
        size_t first = i / ARRAY_LEN(states);
        size_t second = i % ARRAY_LEN(states);
        char words[200];

        if (first == second)
            continue;
        snprintf(words, sizeof words, "seats=3 shared0=%s,1,1 shared0=%s,1,1", states[first],
                 states[second]);
        check_refused(words, "shared0");
    }
}

Test(position, the_hundredth_round_is_checked_like_any_other)
{
    check_refused(GOOD "round=100 final=1", "final round");
    check_refused(GOOD "round=100 triggered=0", "still has a down card");
}

Test(position, too_many_cards_are_refused)
{
    static const unsigned counts[] = {199, 200, 201, 1000};

    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        char words[ALLEGRA_POSITION_MAX];
        struct text text;

        text_start(&text, words, sizeof words);
        text_add(&text, "seats=3 " CELLS " discard=9 draw=0");
        for (unsigned more = 1; more < counts[i]; more++)
            text_add(&text, ",1");
        check_refused(words, counts[i] == 199 ? "too many cards" : "draw=");
    }
}

Test(position, the_bidding_round_and_the_start_of_a_clear_step_have_defaults)
{
    static const struct {
        const char *short_form;
        const char *long_form;
    } cases[] = {
        {GOOD "drawn=5 ask=answer bids=1:knock,2:pass",
         GOOD "drawn=5 ask=answer bidding=1 bids=1:knock,2:pass"},
        {GOOD "drawn=5 ask=knock asked=1,2", GOOD "drawn=5 ask=knock bidding=1 asked=1,2"},
        {GOOD "drawn=5 ask=move bids=1:pass,2:pass",
         GOOD "drawn=5 ask=move bidding=1 bids=1:pass,2:pass"},
        {CLEARING, CLEARING " start=A1,B1,C1,D1,E1,A2,B2,C2,D2,E2,A3,B3,C3,E3"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct allegra_table one;
        struct allegra_table other;
        char message[300];
        struct text problem;

        text_start(&problem, message, sizeof message);
        cr_assert_eq(position_read(span_of(cases[i].short_form), &one, &problem), 0, "%s", message);
        cr_assert_eq(position_read(span_of(cases[i].long_form), &other, &problem), 0, "%s",
                     message);
        cr_expect_eq(one.bid_round, other.bid_round, "case %zu", i);
        cr_expect_eq(one.clear_start, other.clear_start, "case %zu", i);
    }
}
