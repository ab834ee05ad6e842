/* Compares the table of keys with the written rules, and checks the messages for wrong keys and
 * values. */

#include "support/position.h"
#include "game/rules.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Every key, its values, and the value of each edition, copied from the rules. `takes` has all
 * values of a key, or the limits of a number. */
struct row {
    const char *key;
    const char *takes;
    const char *editions[ALLEGRA_EDITION_COUNT];
};

#define DECK "8,8,8,8,8,11,11,11,11,9,9,9,9"

static const struct row rows[] = {
    {"deck", DECK " 0,0,0,0,0,0,0,0,0,0,0,0,73", {DECK, DECK, DECK, DECK, DECK}},
    {"starter", "dealer left", {"dealer", "left", "left", "left", "left"}},
    {"deal_shared", "A E", {"A", "E", "E", "E", "E"}},
    {"row_match",
     "adjacent anywhere",
     {"adjacent", "adjacent", "adjacent", "adjacent", "adjacent"}},
    {"clear_row", "must may", {"must", "must", "may", "may", "may"}},
    {"clear_column", "must may", {"must", "must", "may", "may", "must"}},
    {"clear_chain", "must may", {"must", "must", "may", "must", "may"}},
    {"standing",
     "clear_step turn_start",
     {"clear_step", "clear_step", "clear_step", "clear_step", "clear_step"}},
    {"discard_return", "yes no", {"yes", "yes", "yes", "yes", "yes"}},
    {"reshuffle",
     "keep_top end_round",
     {"keep_top", "keep_top", "keep_top", "keep_top", "keep_top"}},
    {"turn_limit", "1 10000", {"100", "100", "100", "100", "100"}},
    {"knock", "on off", {"on", "on", "on", "on", "on"}},
    {"knock_rounds", "1 9", {"1", "1", "1", "1", "1"}},
    {"knock_offers", "talk binding", {"talk", "talk", "talk", "talk", "talk"}},
    {"knock_hand", "open private", {"open", "private", "private", "private", "private"}},
    {"knock_clear1", "must may", {"must", "must", "may", "may", "must"}},
    {"knock_clear_scope", "any caused", {"any", "any", "caused", "caused", "any"}},
    {"knock_complete", "no yes", {"no", "no", "no", "no", "no"}},
    {"knock_active_swap", "must may", {"must", "must", "may", "must", "must"}},
    {"knock_active_clear", "swap end both", {"swap", "end", "end", "end", "end"}},
    {"knock_toss",
     "after_clear at_swap",
     {"after_clear", "after_clear", "at_swap", "at_swap", "after_clear"}},
    {"knock_clear2", "on off", {"on", "off", "off", "off", "off"}},
    {"trigger", "active first", {"active", "first", "first", "first", "first"}},
    {"failed_negative", "keep halve", {"keep", "halve", "halve", "halve", "halve"}},
    {"rounds", "1 100", {"1", "3", "3", "3", "3"}},
    {"score_limit", "0 1 1000", {"0", "0", "0", "0", "0"}},
    {"talk", "on off", {"on", "on", "on", "on", "on"}},
};

static const struct rules_key *key_of(const char *name)
{
    for (size_t i = 0; i < rules_key_count(); i++) {
        if (strcmp(rules_key_at(i)->name, name) == 0)
            return rules_key_at(i);
    }
    cr_assert_fail("there is no key %s", name);
    return NULL;
}

static const char *value_text(const struct allegra_rules *rules, const char *name)
{
    static char buffer[100];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    rules_write_value(&text, rules, key_of(name));
    return buffer;
}

/* Sets a key from "key=value". Returns NULL, or the message, and then the rules are unchanged. */
static const char *set_problem(struct allegra_rules *rules, const char *pair)
{
    static char buffer[300];
    struct allegra_rules before = *rules;
    struct text problem;

    text_start(&problem, buffer, sizeof buffer);
    if (rules_set_pair(rules, span_of(pair), &problem) == 0) {
        cr_assert_str_eq(buffer, "", "a message about %s, which was accepted", pair);
        return NULL;
    }
    cr_assert_not(problem.is_cut);
    cr_assert(is_same_bytes(rules, &before, sizeof before), "%s was refused but set", pair);
    return buffer;
}

Test(rules, there_are_27_keys_and_five_editions)
{
    static const char *const names[] = {"de2026", "en2020", "nl2023", "fr2020", "es2020"};

    cr_assert_eq(ARRAY_LEN(rows), 27);
    cr_assert_eq(rules_key_count(), ARRAY_LEN(rows));
    cr_assert_eq(ALLEGRA_EDITION_COUNT, ARRAY_LEN(names));
    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++)
        cr_assert_str_eq(allegra_edition_name((enum allegra_edition)i), names[i]);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        cr_assert_str_eq(rules_key_at(i)->name, rows[i].key, "the order in which keys are shown");
}

Test(rules, every_edition_has_the_values_of_the_written_rules)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_rules rules = allegra_rules_of_edition((enum allegra_edition)edition);

        cr_assert_eq(rules.edition, edition);
        for (size_t i = 0; i < ARRAY_LEN(rows); i++)
            cr_assert_str_eq(value_text(&rules, rows[i].key), rows[i].editions[edition], "%s of %s",
                             rows[i].key, allegra_edition_name((enum allegra_edition)edition));
    }
}

Test(rules, every_value_of_every_key_is_accepted_and_printed_back)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct span rest = span_of(rows[i].takes);
        struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);

        for (struct span word = span_cut_word(&rest); word.length > 0;
             word = span_cut_word(&rest)) {
            char pair[100];
            const char *problem;

            snprintf(pair, sizeof pair, "%s=%.*s", rows[i].key, (int)word.length, word.start);
            problem = set_problem(&rules, pair);
            cr_assert_null(problem, "%s", problem);
            cr_assert_str_eq(value_text(&rules, rows[i].key), strchr(pair, '=') + 1, "%s", pair);
        }
    }
}

Test(rules, a_key_changes_nothing_but_its_own_value)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
        struct allegra_rules before = rules;
        struct span rest = span_of(rows[i].takes);

        while (rules_same_value(&rules, &before, rules_key_at(i))) {
            struct span word = span_cut_word(&rest);

            cr_assert_gt(word.length, 0, "%s has only one value", rows[i].key);
            rules_set(&rules, span_of(rows[i].key), word, NULL);
        }
        for (size_t other = 0; other < ARRAY_LEN(rows); other++)
            cr_assert_eq(rules_same_value(&rules, &before, rules_key_at(other)), other != i,
                         "%s and %s", rows[i].key, rows[other].key);
    }
}

Test(rules, an_edition_is_read_by_its_name)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_rules expected = allegra_rules_of_edition((enum allegra_edition)edition);
        struct allegra_rules rules = {0};
        struct span name = span_of(allegra_edition_name((enum allegra_edition)edition));

        cr_assert_eq(rules_read_edition(name, &rules, NULL), 0);
        cr_assert(is_same_bytes(&rules, &expected, sizeof rules));
    }
}

Test(rules, a_wrong_edition_is_refused_with_a_suggestion)
{
    static const char *const cases[][2] = {
        {"en2O20", "\"en2020\""}, {"de2025", "\"de2026\""}, {"nl2022", "\"nl2023\""},
        {"fr2021", "\"fr2020\""}, {"ES2020", "2020\""},     {"", "no edition"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char buffer[200];
        struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_FR2020);
        struct allegra_rules before = rules;
        struct text problem;

        text_start(&problem, buffer, sizeof buffer);
        cr_assert_eq(rules_read_edition(span_of(cases[i][0]), &rules, &problem), -1);
        cr_assert_not_null(strstr(buffer, cases[i][1]), "%s", buffer);
        cr_assert(is_same_bytes(&rules, &before, sizeof rules));
    }
}

Test(rules, the_bundled_variants_are_what_the_sheets_propose)
{
    static const char *const proposals[][2] = {
        {"66", "score_limit=66"}, {"77", "score_limit=77"}, {"no-knock", "knock=off"}};
    size_t next = 0;

    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        for (size_t i = 0; i < ARRAY_LEN(proposals); i++) {
            struct allegra_rules expected = allegra_rules_of_edition((enum allegra_edition)edition);
            struct allegra_rules rules = {0};
            char name[40];

            if (edition == ALLEGRA_EDITION_DE2026 && i == 1)
                continue;
            snprintf(name, sizeof name, "%s-%s",
                     allegra_edition_name((enum allegra_edition)edition), proposals[i][0]);
            cr_assert_str_eq(rules_variant_at(next++)->name, name);
            cr_assert_eq(rules_set_pair(&expected, span_of(proposals[i][1]), NULL), 0);
            cr_assert_eq(rules_read_edition(span_of(name), &rules, NULL), 0);
            cr_assert(is_same_bytes(&rules, &expected, sizeof rules), "%s", name);
        }
    }
    cr_assert_eq(next, RULES_VARIANT_COUNT);
}

Test(rules, the_longest_list_of_changes_fits_its_buffer)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    char changes[RULES_CHANGES_MAX];
    struct text text;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct span rest = span_of(rows[i].takes);

        for (struct span word = span_cut_word(&rest); word.length > 0; word = span_cut_word(&rest))
            cr_assert_eq(rules_set(&rules, span_of(rows[i].key), word, NULL), 0);
    }
    cr_assert_eq(
        rules_set_pair(&rules, span_of("deck=16,16,16,16,16,16,16,16,16,16,16,12,12"), NULL), 0);
    text_start(&text, changes, sizeof changes);
    rules_write_changes(&text, &rules, " --set  ");
    cr_assert_not(text.is_cut);
    cr_assert_not_null(strstr(changes, " --set  deck=16,16"));
}

/* A pair that is refused, and two parts of the message. */
struct wrong {
    const char *pair;
    const char *names;
    const char *says;
};

static const struct wrong wrongs[] = {
    {"startr=left", "\"startr\"", "\"starter\""},
    {"clear_rows=must", "\"clear_rows\"", "\"clear_row\""},
    {"knock_clear=must", "\"knock_clear\"", "\"knock_clear1\""},
    {"Talk=on", "\"Talk\"", "\"talk\""},
    {"turnlimit=3", "\"turnlimit\"", "\"turn_limit\""},
    {"xyzzy=1", "\"xyzzy\"", "no rule key"},
    {"=left", "\"\"", "no rule key"},
    {"starter", "\"starter\"", "key=value"},
    {"", "\"\"", "key=value"},
    {"starter=", "starter", "dealer, left"},
    {"starter=leeft", "starter", "\"left\""},
    {"starter=LEFT", "starter", "dealer, left"},
    {"starter=left ", "starter", "\"left\""},
    {"starter=right", "starter", "dealer, left"},
    {"clear_row=mus", "clear_row", "\"must\""},
    {"knock_active_clear=bot", "knock_active_clear", "\"both\""},
    {"knock_active_clear=x", "knock_active_clear", "swap, end, both"},
    {"deal_shared=B", "deal_shared", "A, E"},
    {"knock=yes", "knock", "off, on"},
    {"discard_return=on", "discard_return", "no, yes"},
    {"turn_limit=0", "turn_limit", "1..10000"},
    {"turn_limit=10001", "turn_limit", "1..10000"},
    {"turn_limit=-1", "turn_limit", "1..10000"},
    {"turn_limit=many", "turn_limit", "1..10000"},
    {"turn_limit=65636", "turn_limit", "1..10000"},
    {"turn_limit=05", "turn_limit", "1..10000"},
    {"knock_rounds=0", "knock_rounds", "1..9"},
    {"knock_rounds=10", "knock_rounds", "1..9"},
    {"knock_rounds=257", "knock_rounds", "1..9"},
    {"rounds=0", "rounds", "1..100"},
    {"rounds=101", "rounds", "1..100"},
    {"rounds=1.5", "rounds", "1..100"},
    {"score_limit=-1", "score_limit", "1..1000"},
    {"score_limit=1001", "score_limit", "1..1000"},
    {"score_limit=99999999999999999999", "score_limit", "1..1000"},
    {"deck=8,8,8,8,8,11,11,11,11,9,9,9", "deck", "13"},
    {"deck=8,8,8,8,8,11,11,11,11,9,9,9,9,9", "deck", "13"},
    {"deck=8,8,8,8,8,11,11,11,11,9,9,9,-1", "deck", "13"},
    {"deck=8,8,8,8,8,11,11,11,11,9,9,9,", "deck", "13"},
    {"deck=8,8,8,8,8,11,11,11,11,9,9,9,x", "deck", "13"},
    {"deck=0,0,0,0,0,0,0,0,0,0,0,0,201", "deck", "200"},
    {"deck=16,16,16,16,16,16,16,16,16,16,16,16,9", "deck", "200"},
};

Test(rules, a_wrong_key_or_value_is_refused_with_a_helpful_message)
{
    for (size_t i = 0; i < ARRAY_LEN(wrongs); i++) {
        struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_NL2023);
        const char *problem = set_problem(&rules, wrongs[i].pair);

        cr_assert_not_null(problem, "%s was accepted", wrongs[i].pair);
        cr_assert_not_null(strstr(problem, wrongs[i].names), "%s: %s", wrongs[i].pair, problem);
        cr_assert_not_null(strstr(problem, wrongs[i].says), "%s: %s", wrongs[i].pair, problem);
    }
}

Test(rules, a_message_quotes_only_printable_text_and_shortens_it)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    char pair[400] = "talk=\033[2J\n";
    const char *problem = set_problem(&rules, pair);

    cr_assert_null(strpbrk(problem, "\033\n"), "%s", problem);
    memset(pair, 'x', sizeof pair - 1);
    problem = set_problem(&rules, pair);
    cr_assert_lt(strlen(problem), 200, "%s", problem);
}

Test(rules, the_size_of_a_deck_is_the_sum_of_its_counts)
{
    static const unsigned sizes[] = {[2] = 94, [3] = 94, [4] = 120, [5] = 120, [6] = 120};
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);

    for (unsigned seats = 2; seats <= 6; seats++) {
        unsigned cards = 0;

        for (int card = ALLEGRA_CARD_MIN; card <= ALLEGRA_CARD_MAX; card++)
            cards += allegra_rules_cards_of(&rules, seats, card);
        cr_assert_eq(cards, sizes[seats], "%u seats", seats);
    }
    cr_assert_eq(allegra_rules_cards_of(&rules, 4, -1), 8);
    cr_assert_eq(allegra_rules_cards_of(&rules, 4, 3), 8);
    cr_assert_eq(allegra_rules_cards_of(&rules, 4, 4), 11);
    cr_assert_eq(allegra_rules_cards_of(&rules, 4, 7), 11);
    cr_assert_eq(allegra_rules_cards_of(&rules, 4, 8), 9);
    cr_assert_eq(allegra_rules_cards_of(&rules, 4, 11), 9);
    cr_assert_eq(allegra_rules_cards_of(&rules, 3, 7), 9);
}

Test(rules, a_value_with_fewer_than_two_cards_loses_all_of_them)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);

    cr_assert_null(set_problem(&rules, "deck=0,1,2,3,40,0,0,0,0,0,0,0,0"));
    for (unsigned seats = 2; seats <= 3; seats++) {
        cr_assert_eq(allegra_rules_cards_of(&rules, seats, -1), 0);
        cr_assert_eq(allegra_rules_cards_of(&rules, seats, 0), 0);
        cr_assert_eq(allegra_rules_cards_of(&rules, seats, 1), 0);
        cr_assert_eq(allegra_rules_cards_of(&rules, seats, 2), 1);
        cr_assert_eq(allegra_rules_cards_of(&rules, seats, 3), 38);
    }
    cr_assert_eq(allegra_rules_cards_of(&rules, 4, 0), 1);
    cr_assert_eq(allegra_rules_cards_of(&rules, 4, 1), 2);
}

Test(rules, every_edition_supports_two_to_six_players)
{
    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        struct allegra_rules rules = allegra_rules_of_edition((enum allegra_edition)edition);

        for (unsigned seats = ALLEGRA_SEATS_MIN; seats <= ALLEGRA_SEATS_MAX; seats++)
            cr_assert_eq(rules_check(&rules, seats, NULL), 0);
    }
    cr_assert_eq(ALLEGRA_SEATS_MIN, 2);
    cr_assert_eq(ALLEGRA_SEATS_MAX, 6);
}

/* A deck of one value that is just large enough, before two cards are removed for few players. */
Test(rules, a_deck_needs_one_card_more_than_are_dealt)
{
    static const unsigned enough[] = {[2] = 27, [3] = 39, [4] = 49, [5] = 61, [6] = 73};

    for (unsigned seats = 2; seats <= 6; seats++) {
        char pair[60];
        char buffer[200];
        struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
        struct text problem;

        snprintf(pair, sizeof pair, "deck=0,0,0,0,0,0,0,%u,0,0,0,0,0", enough[seats]);
        cr_assert_null(set_problem(&rules, pair));
        text_start(&problem, buffer, sizeof buffer);
        cr_assert_eq(rules_check(&rules, seats, &problem), 0, "%s", buffer);
        snprintf(pair, sizeof pair, "deck=0,0,0,0,0,0,0,%u,0,0,0,0,0", enough[seats] - 1);
        cr_assert_null(set_problem(&rules, pair));
        cr_assert_eq(rules_check(&rules, seats, &problem), -1);
        cr_assert_not_null(strstr(buffer, "deck"), "%s", buffer);
    }
}

Test(rules, the_largest_deck_has_200_cards_and_can_be_dealt)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    struct script script = {.first = ""};
    struct allegra_shuffler shuffler = shuffler_scripted(&script);
    struct allegra_table table;

    cr_assert_null(set_problem(&rules, "deck=200,0,0,0,0,0,0,0,0,0,0,0,0"));
    allegra_table_start(&table, &rules, 6, 0, &shuffler, NULL);
    cr_assert_eq(script.count, 200);
    cr_assert_eq(table.draw_count, 200 - 72 - 1);
}
