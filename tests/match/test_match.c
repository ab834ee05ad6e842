/* Matches without processes: what a match tells, asks, logs and decides. */

#include "match/match.h"
#include "support/fake_host.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static unsigned count_of(const char *text, const char *word)
{
    unsigned count = 0;

    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        count++;
    return count;
}

static bool starts_with(const char *line, const char *message)
{
    return line != NULL && strncmp(line, message, strlen(message)) == 0;
}

Test(match, matches_of_all_editions_and_sizes_are_played_to_their_end)
{
    struct allegra_dice dice = allegra_dice_from(1);

    for (unsigned edition = 0; edition < ALLEGRA_EDITION_COUNT; edition++) {
        for (unsigned seats = 2; seats <= 6; seats++) {
            char rules[60];
            struct fake_host *host;

            snprintf(rules, sizeof rules, "%s turn_limit=10",
                     allegra_edition_name((enum allegra_edition)edition));
            host = fake_host_new(rules, seats, "all", 0);
            fake_host_hello(host, "hello bot legal=on");
            fake_host_play(host, &dice, ALLEGRA_QUESTION_NONE);
            cr_expect(match_is_over(host->match));
            cr_expect_eq(fake_host_asked(host), 0);
            cr_expect_eq(count_of(host->log, "\"result\""), 1);
            for (unsigned seat = 0; seat < seats; seat++)
                cr_expect(strstr(host->seats[seat].told, "\nbye\n") != NULL);
            fake_host_free(host);
        }
    }
}

Test(match, a_bot_gets_greeting_match_rules_and_players_first)
{
    struct fake_host *host = fake_host_new("en2020", 3, "x", 0);
    const char *told = host->seats[1].told;

    cr_expect(starts_with(told, "allegra 1 referee="));
    fake_host_hello(host, "hello bot");
    cr_expect(strstr(told,
                     "\nmatch seats=3 seat=1 edition=en2020 move_ms=1000 bank_ms=0 clock=fair "
                     "rng=") != NULL);
    cr_expect(strstr(told, "\nrules deck=8,8,8,8,8,11,11,11,11,9,9,9,9 starter=left ") != NULL ||
              host->seats[1].told_length < 100);
    cr_expect_eq(fake_host_asked(host), 1U << 1);
    cr_expect(strstr(told, "\nplayer 0 ann\nplayer 1 bob\nplayer 2 cem\nround 1 0 ") != NULL);
    fake_host_free(host);
}

Test(match, each_bot_gets_a_different_random_number)
{
    struct fake_host *host = fake_host_new("de2026", 2, "x", 0);
    const char *first;
    const char *second;
    struct allegra_dice dice = allegra_dice_from(1);

    fake_host_hello(host, "hello bot");
    fake_host_play(host, &dice, ALLEGRA_QUESTION_DRAW);
    first = strstr(host->seats[0].told, " rng=");
    second = strstr(host->seats[1].told, " rng=");
    cr_assert(first != NULL && second != NULL);
    cr_expect_neq(strncmp(first, second, 21), 0);
    fake_host_free(host);
}

/* Plays to the first bidding round of a four-seat match and has the bidders answer in that
 * order. */
static struct fake_host *play_bids(const unsigned *order, unsigned at_fault)
{
    struct fake_host *host = fake_host_new("de2026", 4, "bids", 0);
    struct allegra_dice dice = allegra_dice_from(7);
    char line[40];

    fake_host_hello(host, "hello bot");
    fake_host_play(host, &dice, ALLEGRA_QUESTION_KNOCK);
    for (unsigned i = 0; i < 3; i++) {
        unsigned seat = order[i];

        cr_assert(host->seats[seat].is_asked);
        snprintf(line, sizeof line, "%llu knock", (unsigned long long)match_id(host->match, seat));
        if (at_fault >> seat & 1)
            fake_host_fault(host, seat, BOT_LATE);
        else
            fake_host_line(host, seat, line, 5);
    }
    return host;
}

Test(match, nothing_depends_on_the_order_in_which_bids_arrive)
{
    struct fake_host *one = play_bids((unsigned[]){1, 2, 3}, 1U << 2);
    struct fake_host *other = play_bids((unsigned[]){3, 2, 1}, 1U << 2);

    cr_expect_str_eq(one->log, other->log);
    for (unsigned seat = 0; seat < 4; seat++)
        cr_expect_str_eq(one->seats[seat].told, other->seats[seat].told);
    fake_host_free(one);
    fake_host_free(other);
}

Test(match, no_bid_is_announced_before_the_last_one_is_in)
{
    struct fake_host *host = fake_host_new("de2026", 4, "bids", 0);
    struct allegra_dice dice = allegra_dice_from(7);
    size_t lengths[4];

    fake_host_hello(host, "hello bot");
    fake_host_play(host, &dice, ALLEGRA_QUESTION_KNOCK);
    for (unsigned seat = 0; seat < 4; seat++)
        lengths[seat] = host->seats[seat].told_length;
    fake_host_answer(host, 1, &dice);
    fake_host_answer(host, 3, &dice);
    for (unsigned seat = 0; seat < 4; seat++)
        cr_expect_eq(host->seats[seat].told_length, lengths[seat]);
    fake_host_free(host);
}

Test(match, a_bidder_at_fault_counts_as_a_pass_and_is_dismissed_before_the_bids_are_announced)
{
    struct fake_host *host = play_bids((unsigned[]){3, 1, 2}, 1U << 1 | 1U << 2);
    const char *dismissed = fake_host_find(host, 0,
                                           "dismissed 1 late\ndismissed 2 late\npassed 1\n"
                                           "passed 2\nknocked 3\n");

    cr_expect(dismissed != NULL, "%s", host->seats[0].told + host->seats[0].burst);
    cr_expect(host->seats[1].is_dismissed && host->seats[2].is_dismissed);
    cr_expect_eq(match_fault(host->match, 1), BOT_LATE);
    fake_host_free(host);
}

Test(match, dismissed_bots_are_last_and_the_earlier_the_worse)
{
    struct fake_host *host = fake_host_new("de2026 turn_limit=5", 4, "places", 0);
    struct allegra_dice dice = allegra_dice_from(3);

    fake_host_hello(host, "hello bot");
    fake_host_fault(host, 0, BOT_GONE);
    fake_host_play(host, &dice, ALLEGRA_QUESTION_KNOCK);
    fake_host_fault(host, (unsigned)__builtin_ctz(fake_host_asked(host)), BOT_LATE);
    fake_host_play(host, &dice, ALLEGRA_QUESTION_NONE);
    cr_expect_eq(match_places(host->match)[0], 4);
    cr_expect_eq(match_places(host->match)[1], 3);
    cr_expect_leq(match_places(host->match)[2], 2);
    cr_expect_leq(match_places(host->match)[3], 2);
    fake_host_free(host);
}

Test(match, bots_dismissed_in_the_same_question_share_a_place)
{
    struct fake_host *host = play_bids((unsigned[]){1, 2, 3}, 1U << 1 | 1U << 3);
    struct allegra_dice dice = allegra_dice_from(3);

    fake_host_play(host, &dice, ALLEGRA_QUESTION_NONE);
    cr_expect_eq(match_places(host->match)[1], 3);
    cr_expect_eq(match_places(host->match)[3], 3);
    fake_host_free(host);
}

Test(match, the_autopilot_finishes_when_all_are_dismissed)
{
    struct fake_host *host = fake_host_new("en2020", 3, "nobody", 0);
    struct allegra_dice dice = allegra_dice_from(3);

    fake_host_hello(host, "hello bot");
    fake_host_play(host, &dice, ALLEGRA_QUESTION_DRAW);
    while (!match_is_over(host->match))
        fake_host_fault(host, (unsigned)__builtin_ctz(fake_host_asked(host)), BOT_GONE);
    cr_expect_eq(count_of(host->log, "\"fault\":\"gone\""), 3);
    cr_expect_gt(count_of(host->log, "\"by\":\"autopilot\""), 20);
    cr_expect_eq(count_of(host->log, "\"result\""), 1);
    fake_host_free(host);
}

Test(match, a_failed_hello_is_logged_after_the_header_and_announced_to_the_others)
{
    struct fake_host *host = fake_host_new("de2026", 3, "hello", 0);
    struct bot_line_hello hello = {.name = "bot",
                                   .options = {.has_table = true, .has_events = true}};
    struct bot_failure failure = {
        .outcome = BOT_BAD_HELLO, .line = "hi", .message = "no", .ending = "", .stderr_tail = ""};

    match_fail(host->match, 2, &failure);
    match_hello(host->match, 0, &hello);
    match_hello(host->match, 1, &hello);
    cr_expect(starts_with(host->log, "{\"allegra_log\":1,"));
    cr_expect(
        starts_with(strchr(host->log, '\n') + 1, "{\"n\":0,\"fault\":\"bad_hello\",\"seat\":2"));
    cr_expect(strstr(host->seats[0].told, "\ndismissed 2 bad_hello\nround 1 0 ") != NULL);
    fake_host_free(host);
}

Test(match, texts_are_passed_on_when_the_answer_is_accepted)
{
    struct fake_host *host = fake_host_new("de2026", 2, "say", 0);

    fake_host_hello(host, "hello bot");
    cr_expect_eq(fake_host_line(host, 0, "say 100% sure %n", 5), BOT_ANSWERED);
    cr_expect_eq(fake_host_line(host, 0, "say again", 5), BOT_ANSWERED);
    cr_expect(strstr(host->log, "100%") == NULL);
    cr_expect_eq(fake_host_line(host, 0, "1 turn B2", 5), BOT_ANSWERED);
    cr_expect(strstr(host->log, "\"say\":[\"100% sure %n\",\"again\"]") != NULL);
    cr_expect_eq(fake_host_line(host, 0, "2 turn B3", 5), BOT_ANSWERED);
    cr_expect(strstr(host->seats[1].told, "\nsaid 0 100% sure %n\nsaid 0 again\nturned 0:B2 ") !=
              NULL);
    fake_host_free(host);
}

Test(match, texts_are_dropped_with_a_fault)
{
    struct fake_host *host = fake_host_new("de2026", 2, "say", 0);

    fake_host_hello(host, "hello bot");
    fake_host_line(host, 0, "say something", 5);
    cr_expect_eq(fake_host_line(host, 0, "1 turn", 5), BOT_UNREADABLE);
    cr_expect(strstr(host->seats[1].told, "something") == NULL);
    cr_expect(strstr(host->log, "something") == NULL);
    fake_host_free(host);
}

struct fault_case {
    const char *lines[4];
    enum bot_outcome outcome;
};

static const struct fault_case fault_cases[] = {
    {{"1 turn B2"}, BOT_ANSWERED},
    {{"2 turn B2"}, BOT_UNASKED},
    {{"999999999999999999 turn B2"}, BOT_UNASKED},
    {{"0 turn B2"}, BOT_UNREADABLE},
    {{"1 pile"}, BOT_ILLEGAL},
    {{"1 keep B2"}, BOT_ILLEGAL},
    {{"1 accept 0"}, BOT_ILLEGAL},
    {{"1 turn F2"}, BOT_UNREADABLE},
    {{"1 turn"}, BOT_UNREADABLE},
    {{"1"}, BOT_UNREADABLE},
    {{""}, BOT_UNREADABLE},
    {{"say a", "say b", "1 turn B2"}, BOT_ANSWERED},
    {{"say a", "say b", "say c"}, BOT_FLOOD},
    {{"hello bot"}, BOT_UNREADABLE},
};

Test(match, every_line_is_accepted_or_a_named_fault)
{
    for (size_t i = 0; i < ARRAY_LEN(fault_cases); i++) {
        struct fake_host *host = fake_host_new("de2026", 2, "lines", 0);
        enum bot_outcome outcome = BOT_ANSWERED;

        fake_host_hello(host, "hello bot");
        for (unsigned k = 0; k < 4 && fault_cases[i].lines[k] != NULL; k++)
            outcome = fake_host_line(host, 0, fault_cases[i].lines[k], 5);
        cr_expect_eq(outcome, fault_cases[i].outcome, "case %zu: %s", i, fault_cases[i].lines[0]);
        cr_expect_eq(host->seats[0].is_dismissed, outcome != BOT_ANSWERED, "case %zu", i);
        fake_host_free(host);
    }
}

Test(match, a_text_is_illegal_where_talk_is_off)
{
    struct fake_host *host = fake_host_new("de2026 talk=off", 2, "x", 0);

    fake_host_hello(host, "hello bot");
    cr_expect_eq(fake_host_line(host, 0, "say x", 5), BOT_ILLEGAL);
    fake_host_free(host);
}

Test(match, the_bank_is_used_up_by_answers_that_take_longer)
{
    struct fake_host *host = fake_host_new("de2026", 2, "bank", 500);

    fake_host_hello(host, "hello bot");
    cr_expect(starts_with(fake_host_find(host, 0, "ask "), "ask 1 reveal 1500\n"));
    fake_host_line(host, 0, "1 turn B1", 900000);
    cr_expect(starts_with(fake_host_find(host, 0, "ask "), "ask 2 reveal 1500\n"));
    cr_expect_eq(host->seats[0].limit_us, 1500000);
    fake_host_line(host, 0, "2 turn B2", 1200400);
    cr_expect(starts_with(fake_host_find(host, 1, "ask "), "ask 1 reveal 1500\n"));
    fake_host_line(host, 1, "1 turn B1", 5);
    fake_host_line(host, 1, "2 turn B2", 5);
    cr_expect(starts_with(fake_host_find(host, 0, "ask "), "ask 3 draw 1299\n"));
    cr_expect_eq(host->seats[0].limit_us, 1299600);
    fake_host_free(host);
}

Test(match, options_decide_which_lines_a_bot_gets)
{
    static const char *const hellos[] = {"hello a", "hello a table=off", "hello a events=off",
                                         "hello a legal=on"};
    static const bool expected[][3] = {
        {true, true, false}, {false, true, false}, {true, false, false}, {true, true, true}};

    for (size_t i = 0; i < ARRAY_LEN(hellos); i++) {
        struct fake_host *host = fake_host_new("de2026", 2, "wish", 0);

        fake_host_hello(host, hellos[i]);
        cr_expect_eq(fake_host_find(host, 0, "table ") != NULL, expected[i][0]);
        cr_expect_eq(fake_host_find(host, 0, "display 1 ") != NULL, expected[i][0]);
        cr_expect_eq(fake_host_find(host, 0, "round ") != NULL, expected[i][1]);
        cr_expect_eq(fake_host_find(host, 0, "legal turn A1|") != NULL, expected[i][2]);
        fake_host_free(host);
    }
}

/* In private editions only the knocker may know what he took up. */
Test(match, only_its_owner_sees_a_private_hand_card)
{
    struct allegra_dice dice = allegra_dice_from(11);
    unsigned hidden = 0;

    for (unsigned game = 0; game < 10; game++) {
        char seed[20];
        struct fake_host *host;

        snprintf(seed, sizeof seed, "hand %u", game);
        host = fake_host_new("en2020 rounds=1 turn_limit=10", 3, seed, 0);
        fake_host_hello(host, "hello bot");
        fake_host_play(host, &dice, ALLEGRA_QUESTION_NONE);
        for (unsigned seat = 0; seat < 3; seat++) {
            const char *at = host->seats[seat].told;

            while ((at = strstr(at, "\nplaced ")) != NULL) {
                size_t length = strcspn(at + 1, "\n");
                bool is_own = at[8] == (char)('0' + seat);
                bool is_hidden = at[length] == '?';

                hidden += is_hidden;
                cr_expect_not(is_own && is_hidden);
                at += length;
            }
        }
        cr_expect(strstr(host->log, " ?") == NULL, "the log hides nothing");
        fake_host_free(host);
    }
    cr_expect_gt(hidden, 0);
}

Test(match, the_same_answers_give_the_same_log_and_the_same_bytes)
{
    struct fake_host *hosts[2];

    for (unsigned i = 0; i < 2; i++) {
        struct allegra_dice dice = allegra_dice_from(5);

        hosts[i] = fake_host_new("nl2023", 5, "same", 0);
        fake_host_hello(hosts[i], "hello bot");
        fake_host_play(hosts[i], &dice, ALLEGRA_QUESTION_NONE);
    }
    cr_expect_str_eq(hosts[0]->log, hosts[1]->log);
    cr_expect_str_eq(hosts[0]->seats[3].told, hosts[1]->seats[3].told);
    fake_host_free(hosts[0]);
    fake_host_free(hosts[1]);
}
