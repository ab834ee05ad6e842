/* The matches that a bot is checked with. The plain ones come first and cover every edition and
 * every number of seats, so that a fault under rough treatment can be told from one that also
 * happens without it. Scenarios with the same edition, seats and rules have the same cards and
 * the same opponents. */

#include "cli/check/cmd_check.h"
#include "game/rules.h"

/* Few cards, so that the discard pile is reshuffled. */
#define SMALL_DECK "deck=5,5,5,5,5,5,5,5,5,5,5,5,5"

/* Mostly four values, so that there are many triples. */
#define ALIKE_DECK "deck=2,2,2,24,24,24,24,2,2,2,2,2,2"

/* Limits for a slow bot: turns per seat and round, and rounds. */
#define SHORT_TURNS 2
#define SHORT_ROUNDS 2

static const struct scenario scenarios[] = {
    {.name = "two seats", .edition = ALLEGRA_EDITION_DE2026, .seats = 2},
    {.name = "three seats", .edition = ALLEGRA_EDITION_EN2020, .seats = 3, .seat = 1},
    {.name = "four seats", .edition = ALLEGRA_EDITION_NL2023, .seats = 4, .seat = 3},
    {.name = "five seats", .edition = ALLEGRA_EDITION_FR2020, .seats = 5, .seat = 2},
    {.name = "six seats", .edition = ALLEGRA_EDITION_ES2020, .seats = 6, .seat = 5},
    {.name = "six seats again", .edition = ALLEGRA_EDITION_DE2026, .seats = 6, .seat = 1},
    {.name = "several rounds", .rules = "rounds=3", .seats = 3, .seat = 2},
    {.name = "its knock is accepted", .seats = 3, .opens = ALLEGRA_QUESTION_PLACE},
    {.name = "it accepted a knock", .seats = 3, .opens = ALLEGRA_QUESTION_TAKE},
    {.name = "a knock for its card", .seats = 4, .opens = ALLEGRA_QUESTION_ANSWER},
    {.name = "a neighbour is dismissed", .seats = 3, .seat = 1, .has_quitter = true},
    {.name = "lines in pieces", .seats = 2, .mangling = MANGLE_PIECES},
    {.name = "a long pause in a question", .seats = 2, .mangling = MANGLE_PAUSE},
    {.name = "unknown notices", .seats = 2, .mangling = MANGLE_NOTICES},
    {.name = "unknown fields key=value", .seats = 2, .mangling = MANGLE_FIELDS},
    {.name = "CR before each line end", .seats = 2, .mangling = MANGLE_CRLF, .is_courtesy = true},
    {.name = "two matches in one process", .seats = 2, .is_twice = true},
    {.name = "triples that may be left",
     .rules =
         "clear_row=may clear_column=may clear_chain=may knock_clear1=may rounds=2 " ALIKE_DECK,
     .seats = 3,
     .seat = 1,
     .opens = ALLEGRA_QUESTION_CLEAR,
     .has_own_rules = true},
    {.name = "several triples at once",
     .rules = ALIKE_DECK,
     .seats = 3,
     .opens = ALLEGRA_QUESTION_CLEAR,
     .has_own_rules = true},
    {.name = "bidding rounds",
     .rules = "knock_rounds=3 knock_offers=binding",
     .seats = 4,
     .has_own_rules = true},
    {.name = "a small deck", .rules = SMALL_DECK, .seats = 4, .seat = 2, .has_own_rules = true},
    {.name = "hidden and tossed cards",
     .rules = "talk=off knock_active_swap=may knock_hand=private",
     .seats = 3,
     .opens = ALLEGRA_QUESTION_TAKE,
     .has_own_rules = true},
    {.name = "everything at once",
     .rules = "knock_rounds=3 knock_hand=private clear_row=may clear_column=may rounds=2 "
              "knock_clear1=may deck=5,5,5,7,7,7,7,5,5,5,5,5,5",
     .seats = 4,
     .seat = 1,
     .mangling = MANGLE_NOTICES | MANGLE_FIELDS,
     .has_own_rules = true,
     .has_quitter = true,
     .is_rich = true},
};

size_t scenario_count(void)
{
    return ARRAY_LEN(scenarios);
}

const struct scenario *scenario_at(size_t index)
{
    return &scenarios[index];
}

bool check_has_rules(const struct check *check)
{
    return check->game.is_given || check->game.is_named;
}

/* Its own rules would not be those of the user; a deck can be too small for its seats; and nobody
 * leads to a question about a knock without knocking. */
bool check_can_play(const struct check *check, const struct scenario *scenario)
{
    bool is_knock = scenario->opens == ALLEGRA_QUESTION_PLACE ||
                    scenario->opens == ALLEGRA_QUESTION_TAKE ||
                    scenario->opens == ALLEGRA_QUESTION_ANSWER;
    char message[300];
    struct text problem;

    if (!check_has_rules(check))
        return true;
    text_start(&problem, message, sizeof message);
    return !scenario->has_own_rules && (check->game.rules.knock || !is_knock) &&
           rules_check(&check->game.rules, scenario->seats, &problem) == 0;
}

struct allegra_rules check_rules(const struct check *check, const struct scenario *scenario)
{
    struct allegra_rules rules =
        check_has_rules(check) ? check->game.rules : allegra_rules_of_edition(scenario->edition);
    struct span rest = span_of(scenario->rules != NULL ? scenario->rules : "");
    struct span pair;
    char message[200];
    struct text problem;

    text_start(&problem, message, sizeof message);
    for (pair = span_cut_word(&rest); pair.length > 0; pair = span_cut_word(&rest))
        (void)rules_set_pair(&rules, pair, &problem);
    if (check_is_slow(check)) {
        rules.turn_limit = SHORT_TURNS;
        rules.rounds = rules.rounds < SHORT_ROUNDS ? rules.rounds : SHORT_ROUNDS;
        rules.score_limit = 0;
    }
    return rules;
}
