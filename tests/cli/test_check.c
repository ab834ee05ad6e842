/* The parts of `referee check` that need no process: scenarios, forced moves, coverage, causes of
 * faults, transcripts. */

#include "base/deal_random.h"
#include "cli/check/cmd_check.h"
#include "cli/check/transcript.h"
#include "cli/check/forced_moves.h"
#include "game/rules.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scenarios. */

Test(check, the_rules_of_every_scenario_are_known_and_can_be_played)
{
    for (size_t i = 0; i < scenario_count(); i++) {
        const struct scenario *scenario = scenario_at(i);
        struct allegra_rules rules = allegra_rules_of_edition(scenario->edition);
        struct span rest = span_of(scenario->rules != NULL ? scenario->rules : "");
        struct span pair = span_cut_word(&rest);
        char message[200];
        struct text problem;

        text_start(&problem, message, sizeof message);
        for (; pair.length > 0; pair = span_cut_word(&rest))
            cr_expect_eq(rules_set_pair(&rules, pair, &problem), 0, "%s", message);
        cr_expect_eq(rules_check(&rules, scenario->seats, &problem), 0, "%s", message);
        cr_expect_lt(scenario->seat, scenario->seats, "%s", scenario->name);
    }
}

Test(check, the_scenarios_have_every_edition_every_size_and_every_mangling)
{
    unsigned editions = 0;
    unsigned sizes = 0;
    unsigned mangling = 0;

    for (size_t i = 0; i < scenario_count(); i++) {
        editions |= 1U << scenario_at(i)->edition;
        sizes |= 1U << scenario_at(i)->seats;
        mangling |= scenario_at(i)->mangling;
    }
    cr_expect_eq(editions, (1U << ALLEGRA_EDITION_COUNT) - 1);
    cr_expect_eq(sizes, 0x7cU);
    cr_expect_eq(mangling, (unsigned)(MANGLE_NOTICES | MANGLE_FIELDS | MANGLE_CRLF | MANGLE_PIECES |
                                      MANGLE_PAUSE));
}

Test(check, a_slow_bot_plays_short_rounds)
{
    struct check check = {.game = options_rules_default(), .move_ms = 1000};
    struct allegra_rules rules;

    check.game.is_given = true;
    check.game.rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020);
    rules = check_rules(&check, scenario_at(0));

    cr_expect_eq(rules.edition, ALLEGRA_EDITION_EN2020);
    cr_expect_eq(rules.rounds, 3);
    check.charged_us = INT64_C(3600000000);
    rules = check_rules(&check, scenario_at(0));
    cr_expect_eq(rules.rounds, 2);
    cr_expect_lt(rules.turn_limit, 5);
    check.game.rules.score_limit = 66;
    rules = check_rules(&check, scenario_at(0));
    cr_expect_eq(rules.score_limit, 0);
}

/* How many scenarios are played by rules that the user chose. */
static unsigned playable(const char *change)
{
    struct check check = {.game = options_rules_default()};
    unsigned count = 0;

    check.game.is_given = true;
    cr_assert_eq(rules_set_pair(&check.game.rules, span_of(change), NULL), 0);
    for (size_t i = 0; i < scenario_count(); i++) {
        struct allegra_rules rules = check_rules(&check, scenario_at(i));

        if (!check_can_play(&check, scenario_at(i)))
            continue;
        cr_expect_not(scenario_at(i)->has_own_rules);
        cr_expect_eq(rules.knock, check.game.rules.knock);
        cr_expect_arr_eq(rules.deck, check.game.rules.deck, sizeof rules.deck);
        count++;
    }
    return count;
}

Test(check, a_scenario_that_the_chosen_rules_do_not_have_is_left_out)
{
    const struct check check = {.game = options_rules_default()};
    unsigned all = playable("rounds=1");

    for (size_t i = 0; i < scenario_count(); i++)
        cr_expect(check_can_play(&check, scenario_at(i)));
    cr_expect_gt(all, 10);
    cr_expect_eq(playable("knock=off"), all - 3);
    cr_expect_lt(playable("deck=5,5,5,5,5,5,5,5,5,5,5,5,5"), all);
    cr_expect_gt(playable("deck=5,5,5,5,5,5,5,5,5,5,5,5,5"), 5);
}

/* Forced moves. */

Test(check, forced_moves_lead_to_the_question_that_a_scenario_opens_with)
{
    const struct check check = {0};

    cr_assert_eq(deal_random_init(), 0);
    for (size_t i = 0; i < scenario_count(); i++) {
        const struct scenario *scenario = scenario_at(i);
        struct match_setup setup = {
            .rules = check_rules(&check, scenario), .seats = scenario->seats, .sandbox = "none"};
        struct forced_moves forced;
        unsigned found = 0;

        for (unsigned seat = 0; seat < setup.seats; seat++)
            setup.names[seat] = setup.commands[seat] = setup.hashes[seat] = "";
        for (uint8_t seed = 0; seed < 20 && scenario->opens != ALLEGRA_QUESTION_NONE; seed++) {
            setup.seed[0] = seed;
            if (forced_moves_find(&forced, &setup, scenario->seat, scenario->opens) == 0) {
                cr_expect_geq(forced.count, forced.decisions);
                cr_expect_gt(forced.decisions, 0UL);
                found++;
            }
            forced_moves_free(&forced);
        }
        cr_expect(found > 0 || scenario->opens == ALLEGRA_QUESTION_NONE, "%s", scenario->name);
    }
}

/* Coverage. */

Test(check, everything_is_covered_only_when_every_need_was_met)
{
    struct coverage coverage = {0};

    for (enum coverage_need need = COVERAGE_FIRST; need < COVERAGE_COUNT; need++) {
        cr_expect_not(coverage_is_complete(&coverage));
        cr_expect_not_null(coverage_need_text(need));
        coverage.needs[need] = 1;
    }
    cr_expect(coverage_is_complete(&coverage));
}

Test(check, a_question_covers_the_situation_at_the_table)
{
    struct coverage coverage = {0};
    struct allegra_table table = {.rules = allegra_rules_of_edition(ALLEGRA_EDITION_FR2020),
                                  .seats = 5,
                                  .round = 2,
                                  .question = ALLEGRA_QUESTION_KNOCK,
                                  .bid_round = 2,
                                  .knocker = ALLEGRA_SEAT_NONE,
                                  .trigger = ALLEGRA_SEAT_NONE};

    coverage_add(&coverage, &table, 1, true);
    cr_expect_eq(coverage.needs[ALLEGRA_QUESTION_KNOCK], 1UL);
    cr_expect_eq(coverage.needs[ALLEGRA_QUESTION_DRAW], 0UL);
    cr_expect_eq(coverage.needs[COVERAGE_BIDDING], 1UL);
    cr_expect_eq(coverage.needs[COVERAGE_ROUND], 1UL);
    cr_expect_eq(coverage.needs[COVERAGE_DISMISSED], 1UL);
    cr_expect_eq(coverage.needs[COVERAGE_FINAL], 0UL);
    cr_expect_eq(coverage.needs[COVERAGE_RESHUFFLE], 0UL);
    cr_expect_eq(coverage.editions, 1U << ALLEGRA_EDITION_FR2020);
    cr_expect_eq(coverage.sizes, 1U << 5);
}

/* Causes. */

static const struct scenario plain = {.name = "plain"};
static const struct scenario notices = {.mangling = MANGLE_NOTICES};
static const struct scenario fields = {.mangling = MANGLE_FIELDS};
static const struct scenario crlf = {.mangling = MANGLE_CRLF};
static const struct scenario pieces = {.mangling = MANGLE_PIECES};
static const struct scenario halt = {.mangling = MANGLE_PAUSE};
static const struct scenario several = {.mangling = MANGLE_NOTICES | MANGLE_FIELDS};

static char nothing[] = "";

static struct finding gone_in(const struct scenario *scenario)
{
    return (struct finding){
        .scenario = scenario,
        .outcome = BOT_GONE,
        .question = ALLEGRA_QUESTION_DRAW,
        .has_played = true,
        .round = 1,
        .message = nothing,
        .stderr_tail = nothing,
    };
}

Test(check, the_treatment_is_the_cause_of_a_fault_that_does_not_happen_without_it)
{
    static const struct {
        const struct scenario *scenario;
        enum finding_cause cause;
    } cases[] = {
        {&plain, FINDING_CAUSE_UNKNOWN},   {&notices, FINDING_CAUSE_NOTICES},
        {&fields, FINDING_CAUSE_FIELDS},   {&crlf, FINDING_CAUSE_CRLF},
        {&pieces, FINDING_CAUSE_PIECES},   {&halt, FINDING_CAUSE_PAUSE},
        {&several, FINDING_CAUSE_UNKNOWN},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct finding finding = gone_in(cases[i].scenario);
        struct finding before = gone_in(&plain);

        cr_expect_eq(finding_find_cause(&finding, NULL, 0), cases[i].cause, "case %zu", i);
        cr_expect_eq(finding_find_cause(&finding, &before, 1), FINDING_CAUSE_UNKNOWN, "case %zu",
                     i);
        before.outcome = BOT_LATE;
        cr_expect_eq(finding_find_cause(&finding, &before, 1), cases[i].cause, "case %zu", i);
        finding.has_played = false;
        cr_expect_eq(finding_find_cause(&finding, NULL, 0), FINDING_CAUSE_UNKNOWN, "case %zu", i);
        finding.was_in_buffer = true;
        cr_expect_eq(finding_find_cause(&finding, &before, 1), FINDING_CAUSE_BUFFER, "case %zu", i);
    }
}

Test(check, without_a_treatment_the_situation_is_the_cause)
{
    struct finding finding = gone_in(&plain);

    finding.round = 2;
    cr_expect_eq(finding_find_cause(&finding, NULL, 0), FINDING_CAUSE_ROUND);
    finding.is_one_dismissed = true;
    cr_expect_eq(finding_find_cause(&finding, NULL, 0), FINDING_CAUSE_DISMISSED);
    finding.is_second_match = true;
    cr_expect_eq(finding_find_cause(&finding, NULL, 0), FINDING_CAUSE_SECOND_MATCH);
}

Test(check, illegal_answers_to_two_questions_are_two_mistakes_and_other_faults_one)
{
    char one_text[] = "it ended";
    char other_text[] = "it ended again";
    struct finding one = gone_in(&plain);
    struct finding other = gone_in(&plain);

    one.message = other.message = one.stderr_tail = other.stderr_tail = one_text;
    other.question = ALLEGRA_QUESTION_MOVE;
    cr_expect(finding_is_same(&one, &other));
    other.stderr_tail = other_text;
    cr_expect_not(finding_is_same(&one, &other));
    other.stderr_tail = one_text;
    one.outcome = other.outcome = BOT_ILLEGAL;
    cr_expect_not(finding_is_same(&one, &other));
    other.question = ALLEGRA_QUESTION_DRAW;
    cr_expect(finding_is_same(&one, &other));
}

Test(check, every_fault_and_every_cause_has_its_own_advice)
{
    for (enum bot_outcome outcome = BOT_ANSWERED + 1; outcome < BOT_OUTCOME_COUNT; outcome++) {
        cr_assert_not_null(finding_advice(FINDING_CAUSE_UNKNOWN, outcome));
        cr_expect_gt(strlen(finding_advice(FINDING_CAUSE_UNKNOWN, outcome)), (size_t)40);
    }
    for (enum finding_cause cause = FINDING_CAUSE_UNKNOWN + 1; cause < FINDING_CAUSE_COUNT;
         cause++) {
        cr_expect_gt(strlen(finding_advice(cause, BOT_GONE)), (size_t)40);
        for (enum finding_cause other = FINDING_CAUSE_UNKNOWN; other < cause; other++) {
            cr_expect_str_neq(finding_cause_name(cause), finding_cause_name(other));
            cr_expect_str_neq(finding_advice(cause, BOT_GONE), finding_advice(other, BOT_GONE));
        }
    }
}

/* Transcripts. */

Test(check, a_transcript_marks_each_line_once_and_escapes_unprintable_bytes)
{
    static struct transcript transcript;
    char *last;

    transcript_add(&transcript, '>', "table\r\nas", 9);
    transcript_add(&transcript, '>', "k 1\n", 4);
    transcript_add(&transcript, '<', "1 \x01\n", 4);
    last = transcript_last(&transcript);
    cr_expect_str_eq(last, "> table\\r\n> ask 1\n< 1 \\x01\n");
    free(last);
}

Test(check, a_transcript_keeps_the_last_eight_lines)
{
    static struct transcript transcript;
    char line[60];
    char *last;

    for (unsigned i = 0; i < 5000; i++) {
        snprintf(line, sizeof line, "a line with the number %u\n", i);
        transcript_add(&transcript, '>', line, strlen(line));
    }
    last = transcript_last(&transcript);
    cr_expect(strncmp(last, "> a line with the number 4992\n", 30) == 0, "%s", last);
    cr_expect(strstr(last, "4999\n") != NULL);
    free(last);
}
