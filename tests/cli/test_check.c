/* The parts of `referee check` that need no process: scenarios, coverage, causes, notes, scripts. */

#include "base/chance.h"
#include "cli/check.h"
#include "cli/check_notes.h"
#include "cli/check_script.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scenarios. */

Test(check, the_rules_of_every_scenario_are_known_and_can_be_played)
{
    for (size_t i = 0; i < check_scenario_count(); i++) {
        const struct check_scenario *scenario = check_scenario_at(i);
        struct rules rules = rules_of_edition(scenario->edition);
        struct span rest = span_of(scenario->rules != NULL ? scenario->rules : "");
        struct span pair = span_cut_word(&rest);
        char words[200];
        struct text problem;

        text_start(&problem, words, sizeof words);
        for (; pair.length > 0; pair = span_cut_word(&rest))
            cr_expect_eq(rules_set_pair(&rules, pair, &problem), 0, "%s", words);
        cr_expect_eq(rules_check(&rules, scenario->seats, &problem), 0, "%s", words);
        cr_expect_lt(scenario->seat, scenario->seats, "%s", scenario->name);
    }
}

Test(check, the_scenarios_have_every_edition_every_size_and_every_roughness)
{
    unsigned editions = 0;
    unsigned sizes = 0;
    unsigned roughness = 0;

    for (size_t i = 0; i < check_scenario_count(); i++) {
        editions |= 1U << check_scenario_at(i)->edition;
        sizes |= 1U << check_scenario_at(i)->seats;
        roughness |= check_scenario_at(i)->roughness;
    }
    cr_expect_eq(editions, (1U << EDITION_COUNT) - 1);
    cr_expect_eq(sizes, 0x7cU);
    cr_expect_eq(roughness,
                 (unsigned)(ROUGH_NOTICES | ROUGH_WORDS | ROUGH_CRLF | ROUGH_PIECES | ROUGH_PAUSE));
}

Test(check, a_slow_bot_plays_short_rounds)
{
    struct check check = {.has_edition = true, .edition = EDITION_EN2020};
    struct rules rules = check_rules(&check, check_scenario_at(0));

    cr_expect_eq(rules.edition, EDITION_EN2020);
    cr_expect_eq(rules.rounds, 3);
    check.charged_us = INT64_C(3600000000);
    rules = check_rules(&check, check_scenario_at(0));
    cr_expect_eq(rules.rounds, 2);
    cr_expect_lt(rules.turn_limit, 5);
}

/* Scripts. */

Test(check, a_script_leads_to_the_question_that_a_scenario_opens_with)
{
    const struct check check = {0};

    cr_assert_eq(chance_init(), 0);
    for (size_t i = 0; i < check_scenario_count(); i++) {
        const struct check_scenario *scenario = check_scenario_at(i);
        struct match_setup setup = {
            .rules = check_rules(&check, scenario), .seats = scenario->seats, .contain = "none"};
        struct check_script script;
        unsigned found = 0;

        for (unsigned seat = 0; seat < setup.seats; seat++)
            setup.names[seat] = setup.commands[seat] = setup.hashes[seat] = "";
        for (uint8_t seed = 0; seed < 20 && scenario->opens != QUESTION_NONE; seed++) {
            setup.seed[0] = seed;
            if (check_script_find(&script, &setup, scenario->seat, scenario->opens) == 0) {
                cr_expect_geq(script.count, script.decisions);
                cr_expect_gt(script.decisions, 0UL);
                found++;
            }
            check_script_free(&script);
        }
        cr_expect(found > 0 || scenario->opens == QUESTION_NONE, "%s", scenario->name);
    }
}

/* Coverage. */

Test(check, everything_is_covered_only_when_every_need_was_met)
{
    struct check_coverage coverage = {0};

    for (enum check_need need = NEED_FIRST; need < NEED_COUNT; need++) {
        cr_expect_not(check_is_covered(&coverage));
        cr_expect_not_null(check_need_words(need));
        coverage.needs[need] = 1;
    }
    cr_expect(check_is_covered(&coverage));
}

Test(check, a_question_covers_what_is_at_the_table)
{
    struct check_coverage coverage = {0};
    struct table table = {.rules = rules_of_edition(EDITION_FR2020),
                          .seats = 5,
                          .round = 2,
                          .question = QUESTION_KNOCK,
                          .bid_round = 2,
                          .knocker = SEAT_NONE,
                          .trigger = SEAT_NONE};

    check_cover(&coverage, &table, 1, true);
    cr_expect_eq(coverage.needs[QUESTION_KNOCK], 1UL);
    cr_expect_eq(coverage.needs[QUESTION_DRAW], 0UL);
    cr_expect_eq(coverage.needs[NEED_BIDDING], 1UL);
    cr_expect_eq(coverage.needs[NEED_ROUND], 1UL);
    cr_expect_eq(coverage.needs[NEED_DISMISSED], 1UL);
    cr_expect_eq(coverage.needs[NEED_FINAL], 0UL);
    cr_expect_eq(coverage.needs[NEED_RESHUFFLE], 0UL);
    cr_expect_eq(coverage.editions, 1U << EDITION_FR2020);
    cr_expect_eq(coverage.sizes, 1U << 5);
}

/* Causes. */

static const struct check_scenario plain = {.name = "plain"};
static const struct check_scenario notices = {.roughness = ROUGH_NOTICES};
static const struct check_scenario words = {.roughness = ROUGH_WORDS};
static const struct check_scenario crlf = {.roughness = ROUGH_CRLF};
static const struct check_scenario pieces = {.roughness = ROUGH_PIECES};
static const struct check_scenario halt = {.roughness = ROUGH_PAUSE};
static const struct check_scenario several = {.roughness = ROUGH_NOTICES | ROUGH_WORDS};

static char nothing[] = "";

static struct check_finding gone_in(const struct check_scenario *scenario)
{
    return (struct check_finding){
        .scenario = scenario,
        .outcome = BOT_GONE,
        .question = QUESTION_DRAW,
        .has_played = true,
        .round = 1,
        .words = nothing,
        .stderr_tail = nothing,
    };
}

Test(check, the_treatment_is_the_cause_of_a_fault_that_did_not_come_without_it)
{
    static const struct {
        const struct check_scenario *scenario;
        enum check_cause cause;
    } cases[] = {
        {&plain, CAUSE_UNKNOWN},   {&notices, CAUSE_NOTICES}, {&words, CAUSE_WORDS},
        {&crlf, CAUSE_CRLF},       {&pieces, CAUSE_PIECES},   {&halt, CAUSE_PAUSE},
        {&several, CAUSE_UNKNOWN},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct check_finding finding = gone_in(cases[i].scenario);
        struct check_finding before = gone_in(&plain);

        cr_expect_eq(check_find_cause(&finding, NULL, 0), cases[i].cause, "case %zu", i);
        cr_expect_eq(check_find_cause(&finding, &before, 1), CAUSE_UNKNOWN, "case %zu", i);
        before.outcome = BOT_LATE;
        cr_expect_eq(check_find_cause(&finding, &before, 1), cases[i].cause, "case %zu", i);
        finding.has_played = false;
        cr_expect_eq(check_find_cause(&finding, NULL, 0), CAUSE_UNKNOWN, "case %zu", i);
        finding.was_in_buffer = true;
        cr_expect_eq(check_find_cause(&finding, &before, 1), CAUSE_BUFFER, "case %zu", i);
    }
}

Test(check, the_situation_is_the_cause_where_there_was_no_treatment)
{
    struct check_finding finding = gone_in(&plain);

    finding.round = 2;
    cr_expect_eq(check_find_cause(&finding, NULL, 0), CAUSE_ROUND);
    finding.is_one_dismissed = true;
    cr_expect_eq(check_find_cause(&finding, NULL, 0), CAUSE_DISMISSED);
    finding.is_second_match = true;
    cr_expect_eq(check_find_cause(&finding, NULL, 0), CAUSE_SECOND_MATCH);
}

Test(check, illegal_answers_to_two_questions_are_two_mistakes_and_other_faults_one)
{
    char one_text[] = "it ended";
    char other_text[] = "it ended again";
    struct check_finding one = gone_in(&plain);
    struct check_finding other = gone_in(&plain);

    one.words = other.words = one.stderr_tail = other.stderr_tail = one_text;
    other.question = QUESTION_MOVE;
    cr_expect(check_is_same(&one, &other));
    other.stderr_tail = other_text;
    cr_expect_not(check_is_same(&one, &other));
    other.stderr_tail = one_text;
    one.outcome = other.outcome = BOT_ILLEGAL;
    cr_expect_not(check_is_same(&one, &other));
    other.question = QUESTION_DRAW;
    cr_expect(check_is_same(&one, &other));
}

Test(check, every_fault_and_every_cause_has_its_own_advice)
{
    for (enum bot_outcome outcome = BOT_ANSWERED + 1; outcome < BOT_OUTCOME_COUNT; outcome++) {
        cr_assert_not_null(check_advice(CAUSE_UNKNOWN, outcome));
        cr_expect_gt(strlen(check_advice(CAUSE_UNKNOWN, outcome)), (size_t)40);
    }
    for (enum check_cause cause = CAUSE_UNKNOWN + 1; cause < CAUSE_COUNT; cause++) {
        cr_expect_gt(strlen(check_advice(cause, BOT_GONE)), (size_t)40);
        for (enum check_cause other = CAUSE_UNKNOWN; other < cause; other++) {
            cr_expect_str_neq(check_cause_name(cause), check_cause_name(other));
            cr_expect_str_neq(check_advice(cause, BOT_GONE), check_advice(other, BOT_GONE));
        }
    }
}

/* Notes. */

Test(check, notes_mark_each_line_once_and_show_what_is_not_printable)
{
    static struct check_notes notes;
    char *last;

    check_notes_add(&notes, '>', "table\r\nas", 9);
    check_notes_add(&notes, '>', "k 1\n", 4);
    check_notes_add(&notes, '<', "1 \x01\n", 4);
    last = check_notes_last(&notes);
    cr_expect_str_eq(last, "> table\\r\n> ask 1\n< 1 \\x01\n");
    free(last);
}

Test(check, notes_keep_the_last_eight_lines_of_any_number)
{
    static struct check_notes notes;
    char line[60];
    char *last;

    for (unsigned i = 0; i < 5000; i++) {
        snprintf(line, sizeof line, "a line with the number %u\n", i);
        check_notes_add(&notes, '>', line, strlen(line));
    }
    last = check_notes_last(&notes);
    cr_expect(strncmp(last, "> a line with the number 4992\n", 30) == 0, "%s", last);
    cr_expect(strstr(last, "4999\n") != NULL);
    free(last);
}
