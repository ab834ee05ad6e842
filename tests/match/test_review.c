/* Reviews of matches that the quick policy plays, with some answers replaced by bad ones. */

#include "match/review.h"
#include "support/fake_host.h"

#include "base/memory.h"
#include "game/game_text.h"
#include "value/swift.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#define PLANTED_MAX 16

/* A match and the numbers of its decisions that are blunders. */
struct played {
    struct fake_host *host;
    unsigned long planted[PLANTED_MAX];
    unsigned planted_count;
};

/* In the final round nothing can be repaired: a high card on the lowest one costs its difference.
 * Returns false if this is no moment for it. */
static bool blunder(const struct allegra_table *table, unsigned seat, struct allegra_answer *answer)
{
    uint16_t up = allegra_table_up(table, seat);
    unsigned lowest;

    if (table->question != ALLEGRA_QUESTION_MOVE || table->trigger == ALLEGRA_SEAT_NONE ||
        table->drawn < 7 || up == 0)
        return false;
    lowest = allegra_cell_lowest(up);
    for (; up != 0; up &= (uint16_t)(up - 1)) {
        if (allegra_table_card(table, seat, allegra_cell_lowest(up)) <
            allegra_table_card(table, seat, lowest))
            lowest = allegra_cell_lowest(up);
    }
    *answer = swift_say(ALLEGRA_VERB_KEEP, lowest);
    return allegra_table_card(table, seat, lowest) <= 0;
}

static void give(struct fake_host *host, unsigned seat, struct allegra_answer answer)
{
    char line[60];
    struct text text;

    text_start(&text, line, sizeof line);
    text_add_number(&text, (long)match_id(host->match, seat));
    text_add_char(&text, ' ');
    answer_write(&text, answer);
    cr_assert_eq(fake_host_line(host, seat, line, 5), BOT_ANSWERED, "%s", line);
}

/* Plays to the end; seat 1 fails at its first move, if `has_fault`. */
static struct played play_match(const char *rules, unsigned seats, const char *seed, bool has_fault)
{
    struct played played = {.host = fake_host_new(rules, seats, seed, 0)};
    struct glance glance;

    fake_host_hello(played.host, "hello bot");
    glance_start(&glance, match_table(played.host->match));
    while (fake_host_asked(played.host) != 0) {
        unsigned seat = (unsigned)__builtin_ctz(fake_host_asked(played.host));
        const struct allegra_table *table = match_table(played.host->match);
        struct allegra_answer answer = swift_choose(&glance, table, seat);

        if (has_fault && seat == 1 && table->question == ALLEGRA_QUESTION_MOVE) {
            fake_host_fault(played.host, seat, BOT_LATE);
            continue;
        }
        if (blunder(table, seat, &answer) && played.planted_count < PLANTED_MAX)
            played.planted[played.planted_count++] = match_decisions(played.host->match) + 1;
        else
            answer = swift_choose(&glance, table, seat);
        give(played.host, seat, answer);
    }
    return played;
}

static struct replay *read_log(const struct played *played)
{
    char message[1300];
    struct text problem;
    struct replay *replay;

    text_start(&problem, message, sizeof message);
    replay = replay_read(played->host->log, played->host->log_length, NULL, NULL, &problem);
    cr_assert_not_null(replay, "%s", message);
    return replay;
}

static struct review *walk(struct replay *replay)
{
    char message[1300];
    struct text problem;
    struct review *review;

    text_start(&problem, message, sizeof message);
    review = review_walk(replay, &problem);
    cr_assert_not_null(review, "%s", message);
    return review;
}

static void judge_all(struct review *review, uint64_t seed, unsigned samples)
{
    struct review_setup setup = {.seed = seed, .samples = samples};

    for (unsigned round = 1; round <= review->rounds; round++) {
        for (unsigned seat = 0; seat < review->seats; seat++)
            review_judge(review, seat, round, &setup);
    }
}

static bool is_planted(const struct played *played, unsigned long number)
{
    for (unsigned i = 0; i < played->planted_count; i++) {
        if (played->planted[i] == number)
            return true;
    }
    return false;
}

/* The first match of some with two blunders or more. */
static struct played play_blunders(void)
{
    for (unsigned i = 0; i < 100; i++) {
        struct played played;
        char seed[20];

        snprintf(seed, sizeof seed, "blunders %u", i);
        played = play_match("de2026", 4, seed, false);
        if (played.planted_count >= 2)
            return played;
        fake_host_free(played.host);
    }
    cr_assert_fail("no match has two blunders");
    return (struct played){.host = NULL};
}

Test(review, planted_blunders_are_among_the_worst_decisions)
{
    struct played played = play_blunders();
    struct replay *replay = read_log(&played);
    struct review *review = walk(replay);
    const struct review_answer *worst[5];
    unsigned found = 0;
    unsigned count;

    judge_all(review, 0, 64);
    count = review_find_worst(review, ALLEGRA_SEAT_NONE, worst, 5);
    cr_assert_eq(count, 5);
    for (unsigned i = 0; i < count; i++) {
        cr_assert(review_is_blunder(worst[i]));
        found += is_planted(&played, worst[i]->number);
    }
    cr_assert_eq(found, played.planted_count, "%u of %u", found, played.planted_count);
    review_free(review);
    replay_free(replay);
    fake_host_free(played.host);
}

Test(review, two_reviews_on_other_deals_agree_within_their_errors)
{
    struct played played = play_match("de2026", 3, "twice", false);
    struct replay *replay = read_log(&played);
    struct review *first = walk(replay);
    struct review *second;

    replay_rewind(replay);
    second = walk(replay);
    judge_all(first, 1, 64);
    judge_all(second, 2, 64);
    for (unsigned seat = 0; seat < 3; seat++) {
        struct judge_cost one = review_rate(first, seat);
        struct judge_cost other = review_rate(second, seat);

        cr_assert(fabs(one.points.mean - other.points.mean) <
                      4 * hypot(one.points.error, other.points.error),
                  "seat %u: %.1f ± %.1f and %.1f ± %.1f", seat, one.points.mean, one.points.error,
                  other.points.mean, other.points.error);
    }
    review_free(first);
    review_free(second);
    replay_free(replay);
    fake_host_free(played.host);
}

Test(review, luck_and_chances_are_there_for_every_decision)
{
    static const char *const rules[] = {"de2026", "en2020 rounds=2", "nl2023 turn_limit=4",
                                        "fr2020 reshuffle=end_round turn_limit=20",
                                        "es2020 knock_offers=binding rounds=1"};

    for (unsigned i = 0; i < 5; i++) {
        unsigned seats = 2 + i;
        struct played played = play_match(rules[i], seats, "chances", false);
        struct replay *replay = read_log(&played);
        struct review *review = walk(replay);
        double luck[ALLEGRA_SEATS_MAX] = {0};

        cr_assert(review->is_over);
        cr_assert_eq(review->step_count, match_decisions(played.host->match));
        for (size_t k = 0; k < review->step_count; k++) {
            double sum = 0;

            cr_assert_eq(review->steps[k].number, k + 1);
            for (unsigned seat = 0; seat < seats; seat++) {
                sum += review->steps[k].before.wins[seat];
                luck[seat] += review->steps[k].luck.points[seat];
            }
            cr_assert_float_eq(sum, 1, 1e-3);
        }
        for (unsigned seat = 0; seat < seats; seat++)
            cr_assert_float_eq(luck[seat] + review->deal.points[seat], review->luck.of[seat].points,
                               1e-6);
        review_free(review);
        replay_free(replay);
        fake_host_free(played.host);
    }
}

Test(review, answers_of_the_autopilot_are_not_judged)
{
    struct played played = play_match("de2026", 3, "autopilot", true);
    struct replay *replay = read_log(&played);
    struct review *review = walk(replay);
    unsigned by_autopilot = 0;

    review_judge(review, 1, 1, &(struct review_setup){.samples = 16});
    for (size_t i = 0; i < review->answer_count; i++) {
        const struct review_answer *answer = &review->answers[i];

        if (answer->kind != REVIEW_AUTOPILOT)
            continue;
        by_autopilot++;
        cr_assert_eq(answer->seat, 1);
        cr_assert_eq(answer->top_count, 0);
        cr_assert_not(review_is_blunder(answer));
    }
    cr_assert_gt(by_autopilot, 3);
    review_free(review);
    replay_free(replay);
    fake_host_free(played.host);
}

Test(review, the_same_number_of_deals_gives_the_same_review)
{
    struct played played = play_match("de2026", 2, "same", false);
    struct replay *replay = read_log(&played);
    struct judge_cost rates[2];

    for (unsigned i = 0; i < 2; i++) {
        struct review *review;

        replay_rewind(replay);
        review = walk(replay);
        judge_all(review, 5, 20);
        rates[i] = review_rate(review, 0);
        review_free(review);
    }
    cr_assert(rates[0].points.mean == rates[1].points.mean);
    cr_assert(rates[0].wins.error == rates[1].wins.error);
    replay_free(replay);
    fake_host_free(played.host);
}
