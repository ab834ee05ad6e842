#include "tournament/stats/rating.h"

#include "base/memory.h"
#include "base/text.h"
#include "support/simulated_tournament.h"
#include "tournament/stats/plackett_luce.h"
#include "tournament/stats/swiss_order.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(rating);

#define POINTS (400 / log(10)) /* of a log strength of 1 */

/* One match per block: "0 1 2" places bot 0 first; "0=1 2" lets 0 and 1 share the first place. */
static struct result match_of(const char *order, uint32_t block)
{
    struct result result = {.block = block, .rounds = 1};
    unsigned place = 1;

    for (const char *at = order; *at != '\0'; at++) {
        if (*at == ' ')
            place = result.seats + 1U;
        if (*at < '0' || *at > '9')
            continue;
        result.bots[result.seats] = (uint16_t)(*at - '0');
        result.places[result.seats++] = (uint8_t)place;
    }
    return result;
}

static struct ratings *rate(const char *const *orders, size_t count, unsigned bots)
{
    struct result results[32];
    struct rating_input input = {.results = results, .count = count, .bots = bots, .seed = 1};

    for (size_t i = 0; i < count; i++)
        results[i] = match_of(orders[i], (uint32_t)i + 1);
    return ratings_new(&input);
}

static struct ratings *rate_field(const struct simulated_tournament *setup,
                                  const struct result *results, unsigned bootstraps, uint64_t seed)
{
    struct rating_input input = {.results = results,
                                 .count = simulated_tournament_matches(setup),
                                 .bots = setup->bots,
                                 .bootstraps = bootstraps,
                                 .seed = seed};

    return ratings_new(&input);
}

Test(rating, of_two_bots_is_the_log_of_wins_to_losses_with_shared_places_as_halves)
{
    static const char *const three_to_one[] = {"0 1", "0 1", "1 0", "0 1"};
    static const char *const with_a_tie[] = {"0 1", "0=1"};
    struct ratings *plain = rate(three_to_one, ARRAY_LEN(three_to_one), 2);
    struct ratings *tied = rate(with_a_tie, ARRAY_LEN(with_a_tie), 2);

    cr_assert_float_eq(plain->of[0].points, 200 * log10(3), 1e-7);
    cr_assert_float_eq(plain->of[1].points, -200 * log10(3), 1e-7);
    cr_assert_float_eq(tied->of[0].points, 200 * log10(3), 1e-7);
    cr_assert_not(tied->of[0].is_unbeaten);
    ratings_free(plain);
    ratings_free(tied);
}

/* Bots 1 and 2 did alike, so their strengths are 1 each, and a that of bot 0. It was chosen first
 * in 4 of 8 matches and second in 2 of the 4 others: that must be as many as expected. */
Test(rating, of_three_bots_is_as_computed_by_hand)
{
    static const char *const orders[] = {"0 1 2", "0 2 1", "0 1 2", "0 2 1",
                                         "1 0 2", "2 0 1", "1 2 0", "2 1 0"};
    static const char *const cycle[] = {"0 1 2", "1 2 0", "2 0 1"};
    struct ratings *ratings = rate(orders, ARRAY_LEN(orders), 3);
    struct ratings *even = rate(cycle, ARRAY_LEN(cycle), 3);
    double a = exp((ratings->of[0].points - ratings->of[1].points) / POINTS);

    cr_assert_float_eq(6 - 8 * a / (a + 2) - 4 * a / (a + 1), 0, 1e-8);
    cr_assert_float_eq(ratings->of[1].points, ratings->of[2].points, 1e-7);
    cr_assert_float_eq(ratings->of[0].points + 2 * ratings->of[1].points, 0, 1e-6);
    for (unsigned bot = 0; bot < 3; bot++)
        cr_assert_float_eq(even->of[bot].points, 0, 1e-7);
    ratings_free(ratings);
    ratings_free(even);
}

/* The strengths are a, a and 1. Apart from the choice among themselves, bots 0 and 1 are chosen
 * twice, in the first match: from all three, and then either of them from itself and bot 2. In the
 * second match they are chosen from all three, but bot 2 is. */
Test(rating, of_bots_that_share_a_place_counts_all_their_orders_in_equal_parts)
{
    static const char *const orders[] = {"0=1 2", "2 0=1"};
    struct ratings *ratings = rate(orders, ARRAY_LEN(orders), 3);
    double a = exp((ratings->of[0].points - ratings->of[2].points) / POINTS);

    cr_assert_float_eq(2 - 2 * 2 * a / (2 * a + 1) - a / (a + 1), 0, 1e-8);
    ratings_free(ratings);
}

Test(rating, of_a_bot_that_won_everything_rests_on_the_ghost)
{
    static const char *const orders[] = {"0 1", "0 1", "0 1", "0 1"};
    struct ratings *ratings = rate(orders, ARRAY_LEN(orders), 2);
    double x = ratings->of[0].points / POINTS;

    cr_assert_float_eq(4 * (1 - 1 / (1 + exp(-2 * x))) + 0.5 - 1 / (1 + exp(-x)), 0, 1e-8);
    for (unsigned bot = 0; bot < 2; bot++)
        cr_assert(ratings->of[bot].is_unbeaten);
    cr_assert_gt(ratings->of[0].interval.high - ratings->of[0].points,
                 ratings->of[0].points - ratings->of[0].interval.low, "there is no limit above");
    ratings_free(ratings);
}

Test(rating, flags_only_bots_that_lost_everything_and_keeps_the_mean_of_the_others)
{
    static const char *const orders[] = {"0 1 3", "1 2 3", "2 0 3", "1 0 3", "0 2 3"};
    struct ratings *ratings = rate(orders, ARRAY_LEN(orders), 4);

    for (unsigned bot = 0; bot < 4; bot++)
        cr_assert_eq(ratings->of[bot].is_unbeaten, bot == 3);
    cr_assert_float_eq(ratings->of[0].points + ratings->of[1].points + ratings->of[2].points, 0,
                       1e-6);
    cr_assert_lt(ratings->of[3].points, ratings->of[2].points - 100);
    cr_assert_lt(ratings->of[3].interval.low, ratings->of[3].points - 100);
    ratings_free(ratings);
}

Test(rating, of_parts_that_never_met_has_a_mean_of_zero_each)
{
    static const char *const orders[] = {"0 1", "0 1", "0 1", "1 0", "2 3", "3 2", "2 3", "2 3"};
    struct ratings *ratings = rate(orders, ARRAY_LEN(orders), 5);

    cr_assert_float_eq(ratings->of[0].points, 200 * log10(3), 1e-7);
    cr_assert_float_eq(ratings->of[2].points, 200 * log10(3), 1e-7);
    cr_assert(isnan(ratings->of[4].points), "it had no match");
    cr_assert(isnan(ratings->of[4].interval.low));
    cr_assert_not(ratings->of[4].is_unbeaten);
    ratings_free(ratings);
}

/* From far off Newton's first step goes far beyond the top. */
Test(rating, is_found_from_wherever_the_climb_begins)
{
    const struct result results[] = {match_of("0 1", 1), match_of("1 0", 2)};
    struct outcomes *outcomes = outcomes_new(results, ARRAY_LEN(results), 2);
    struct plackett_luce *fit = plackett_luce_new(outcomes);

    outcomes_weigh(outcomes, NULL, fit->weights);
    for (int start = -8; start <= 8; start++) {
        fit->strengths[0] = start;
        fit->strengths[1] = -start;
        plackett_luce_climb(fit, 1e-8);
        cr_assert_float_eq(fit->strengths[0] - fit->strengths[1], 0, 1e-7, "from %d", start);
    }
    plackett_luce_free(fit);
    outcomes_free(outcomes);
}

Test(rating, of_next_to_nothing_is_there_without_an_interval)
{
    static const char *const orders[] = {"2 0=1 3"};
    struct ratings *ratings = rate(orders, 1, 4);
    struct ratings *nothing = rate(orders, 0, 2);
    struct ratings *nobody = rate(orders, 0, 0);

    cr_assert_float_eq(ratings->of[0].points, ratings->of[1].points, 1e-7);
    cr_assert_gt(ratings->of[2].points, ratings->of[0].points);
    cr_assert(isnan(ratings->of[2].interval.low) && isnan(ratings->of[2].interval.high));
    cr_assert(isnan(nothing->of[0].points));
    ratings_free(ratings);
    ratings_free(nothing);
    ratings_free(nobody);
    ratings_free(NULL);
}

/* Odds of 99 to 1 from link to link: the strongest is e^1833 times as strong as the weakest. */
Test(rating, of_a_long_chain_does_not_overflow)
{
    enum { BOTS = 400, MATCHES = 100 };
    size_t count = (size_t)(BOTS - 1) * MATCHES;
    struct result *results = xcalloc(count, sizeof *results);
    struct rating_input input = {
        .results = results, .count = count, .bots = BOTS, .bootstraps = 1, .seed = 1};
    struct ratings *ratings;

    for (size_t i = 0; i < count; i++) {
        uint16_t bot = (uint16_t)(i / MATCHES);
        uint16_t next = (uint16_t)(bot + 1);
        bool is_upset = i % MATCHES == 0;

        results[i] = (struct result){.block = (uint32_t)i + 1, .seats = 2, .rounds = 1};
        results[i].bots[0] = is_upset ? next : bot;
        results[i].bots[1] = is_upset ? bot : next;
        results[i].places[0] = 1;
        results[i].places[1] = 2;
    }
    ratings = ratings_new(&input);
    for (unsigned bot = 0; bot + 1 < BOTS; bot++)
        cr_assert_float_eq(ratings->of[bot].points - ratings->of[bot + 1].points, 400 * log10(99),
                           1e-5);
    ratings_free(ratings);
    free(results);
}

static void reverse(struct result *results, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct result kept = results[i];

        results[i] = results[count - 1 - i];
        results[count - 1 - i] = kept;
    }
}

static const double strengths_of_five[] = {-1, -0.5, 0, 0.4, 1.1};
static const struct simulated_tournament five = {.bots = 5,
                                                 .strengths = strengths_of_five,
                                                 .seats = 4,
                                                 .blocks = 50,
                                                 .rotations = 4,
                                                 .common_luck = 0.5};

Test(rating, is_the_same_to_the_last_bit_in_whatever_order_results_come)
{
    struct allegra_dice dice = allegra_dice_from(3);
    struct result *results = simulated_tournament_play(&five, &dice);
    struct ratings *first = rate_field(&five, results, 100, 7);
    struct ratings *again;

    reverse(results, simulated_tournament_matches(&five));
    again = rate_field(&five, results, 100, 7);
    cr_assert_arr_eq(first->of, again->of, 5 * sizeof *first->of);
    cr_assert_arr_eq(first->samples, again->samples, 5 * 100 * sizeof *first->samples);
    ratings_free(again);
    again = rate_field(&five, results, 100, 8);
    cr_assert_eq(first->of[0].points, again->of[0].points);
    cr_assert_neq(first->of[0].interval.low, again->of[0].interval.low, "another seed");
    ratings_free(again);
    ratings_free(first);
    free(results);
}

Test(rating, follows_the_bots_when_they_are_numbered_otherwise)
{
    static const uint16_t number[] = {3, 0, 4, 1, 2};
    struct allegra_dice dice = allegra_dice_from(4);
    struct result *results = simulated_tournament_play(&five, &dice);
    struct ratings *first = rate_field(&five, results, 200, 7);
    struct ratings *renamed;

    for (size_t i = 0; i < simulated_tournament_matches(&five); i++)
        for (unsigned seat = 0; seat < 4; seat++)
            results[i].bots[seat] = number[results[i].bots[seat]];
    renamed = rate_field(&five, results, 200, 7);
    for (unsigned bot = 0; bot < 5; bot++) {
        const struct rating *other = &renamed->of[number[bot]];

        cr_assert_float_eq(first->of[bot].points, other->points, 1e-6);
        cr_assert_float_eq(first->of[bot].interval.low, other->interval.low, 0.1);
        cr_assert_float_eq(first->of[bot].interval.high, other->interval.high, 0.1);
    }
    ratings_free(first);
    ratings_free(renamed);
    free(results);
}

/* How many in a hundred intervals have the true rating, over some tournaments. */
static double coverage(const struct simulated_tournament *setup, bool is_by_match,
                       unsigned tournaments)
{
    struct allegra_dice dice = allegra_dice_from(2026);
    unsigned hits = 0;

    for (unsigned i = 0; i < tournaments; i++) {
        struct result *results = simulated_tournament_play(setup, &dice);
        struct ratings *ratings;

        for (size_t match = 0; is_by_match && match < simulated_tournament_matches(setup); match++)
            results[match].block = (uint32_t)match + 1;
        ratings = rate_field(setup, results, 200, i);
        for (unsigned bot = 0; bot < setup->bots; bot++) {
            double truth = simulated_tournament_rating(setup, bot);

            hits +=
                ratings->of[bot].interval.low <= truth && truth <= ratings->of[bot].interval.high;
        }
        ratings_free(ratings);
        free(results);
    }
    return 100.0 * hits / (tournaments * setup->bots);
}

Test(rating, intervals_would_be_wrong_if_matches_of_a_deal_were_taken_for_independent)
{
    struct simulated_tournament setup = five;
    double right;
    double wrong;

    setup.common_luck = 0.9;
    right = coverage(&setup, false, 100);
    wrong = coverage(&setup, true, 100);

    cr_assert(right >= 92 && right <= 98, "%.1f %% by block", right);
    cr_assert_lt(wrong, 85, "%.1f %% by match", wrong);
}

Test(rating, intervals_hold_for_few_blocks_and_for_bots_that_meet_seldom)
{
    static const double many[] = {-1.5, -1, -0.6, -0.2, 0, 0.2, 0.5, 0.8, 1.2, 1.6};
    struct simulated_tournament few = {.bots = 4,
                                       .strengths = many + 3,
                                       .seats = 4,
                                       .blocks = 8,
                                       .rotations = 4,
                                       .common_luck = 0.5};
    struct simulated_tournament ten = {.bots = 10,
                                       .strengths = many,
                                       .seats = 3,
                                       .blocks = 80,
                                       .rotations = 3,
                                       .common_luck = 0.5};
    double of_few = coverage(&few, false, 200);
    double of_ten = coverage(&ten, false, 150);

    cr_assert(of_few >= 91 && of_few <= 98, "%.1f %%", of_few);
    cr_assert(of_ten >= 92 && of_ten <= 98, "%.1f %%", of_ten);
}

Test(rating, of_a_thousand_bots_takes_fewer_resamples)
{
    enum { BOTS = 1000 };
    double *strengths = xcalloc(BOTS, sizeof *strengths);
    struct simulated_tournament setup = {
        .bots = BOTS, .strengths = strengths, .seats = 4, .blocks = 2500, .rotations = 1};
    struct allegra_dice dice = allegra_dice_from(6);
    struct result *results;
    struct ratings *ratings;
    unsigned hits = 0;

    for (unsigned bot = 0; bot < BOTS; bot++)
        strengths[bot] = simulated_tournament_normal(&dice);
    results = simulated_tournament_play(&setup, &dice);
    ratings = rate_field(&setup, results, 100000, 1);
    cr_assert_lt(ratings->bootstraps, 1000);
    cr_assert_geq(ratings->bootstraps, RATING_BOOTSTRAPS_LEAST);
    for (unsigned bot = 0; bot < BOTS; bot++)
        hits += ratings->of[bot].interval.low <= simulated_tournament_rating(&setup, bot) &&
                simulated_tournament_rating(&setup, bot) <= ratings->of[bot].interval.high;
    cr_assert(hits >= 900 && hits <= 990, "%u of 1000", hits);
    ratings_free(ratings);
    free(results);
    free(strengths);
}

/* A tournament of identical bots, with the pairing of a Swiss tournament. */
static struct result *play_swiss(const struct schedule_setup *setup, uint64_t seed, size_t *count)
{
    struct schedule *schedule = schedule_new(setup);
    struct result *results = xcalloc(schedule_matches(schedule), sizeof *results);
    struct allegra_dice dice = allegra_dice_from(seed);
    uint16_t *order = xcalloc(setup->bots, sizeof *order);

    *count = 0;
    do {
        while (*count < schedule_count(schedule)) {
            const struct block *block = schedule_block(schedule, (unsigned)*count + 1);
            struct result *result = &results[(*count)++];
            uint16_t places[] = {1, 2, 3, 4};

            *result = (struct result){.block = block->number, .seats = 4, .rounds = 1};
            schedule_seats(schedule, block, 0, result->bots);
            for (unsigned i = 4; i > 0; i--) {
                unsigned drawn = allegra_dice_below(&dice, i);

                result->places[i - 1] = (uint8_t)places[drawn];
                result->score_halves[i - 1] = 10 * places[drawn];
                places[drawn] = places[i - 1];
            }
        }
        swiss_order(results, *count, setup->bots, order);
    } while (schedule_add_round(schedule, order, setup->bots));
    free(order);
    schedule_free(schedule);
    return results;
}

/* How far the truth, which is 0 for all bots, is from the middles of the intervals, in the root of
 * the mean square and in the errors that the intervals claim. */
static double error_of(const struct ratings *ratings)
{
    double sum = 0;

    for (unsigned bot = 0; bot < ratings->bots; bot++) {
        const struct interval *interval = &ratings->of[bot].interval;

        sum += pow(1.96 * (interval->low + interval->high) / (interval->high - interval->low), 2);
    }
    return sqrt(sum / ratings->bots);
}

/* Blocks that are resampled keep the pairings, and the luck that made them. */
Test(rating, intervals_of_swiss_are_right_and_those_of_blocks_that_are_resampled_too_narrow)
{
    struct schedule_setup setup = {.format = SCHEDULE_SWISS,
                                   .seatings = SCHEDULE_SINGLE,
                                   .seats = 4,
                                   .bots = 40,
                                   .deals = 8,
                                   .rounds = 6,
                                   .seed = 1};
    double resampled = 0;
    double replayed = 0;

    for (unsigned i = 0; i < 4; i++) {
        struct rating_input input = {.bots = 40, .bootstraps = 100, .seed = i};
        struct result *results = play_swiss(&setup, i, &input.count);
        struct ratings *ratings;

        input.results = results;
        ratings = ratings_new(&input);
        resampled += error_of(ratings) / 4;
        ratings_free(ratings);
        input.swiss = &setup;
        ratings = ratings_new(&input);
        replayed += error_of(ratings) / 4;
        ratings_free(ratings);
        free(results);
    }
    cr_assert(replayed > 0.85 && replayed < 1.15, "%.2f", replayed);
    cr_assert_gt(resampled, 1.2, "%.2f", resampled);
}

Test(rating, of_swiss_is_the_same_again_and_bots_may_join_and_leave)
{
    static const unsigned generation[] = {1, 1, 1, 1, 1, 1, 1, 1, 3};
    static const bool is_withdrawn[] = {false, true,  false, false, false,
                                        false, false, false, false};
    struct schedule_setup setup = {.format = SCHEDULE_SWISS,
                                   .seatings = SCHEDULE_ROTATIONS,
                                   .seats = 4,
                                   .bots = 9,
                                   .deals = 1,
                                   .rounds = 4,
                                   .seed = 1,
                                   .generation = generation};
    struct schedule_setup played = setup;
    struct rating_input input = {
        .bots = 9, .bootstraps = 50, .seed = 3, .swiss = &setup, .is_withdrawn = is_withdrawn};
    struct result *results;
    struct ratings *first;
    struct ratings *again;

    played.seatings = SCHEDULE_SINGLE;
    results = play_swiss(&played, 5, &input.count);
    input.results = results;
    first = ratings_new(&input);
    again = ratings_new(&input);
    cr_assert_arr_eq(first->of, again->of, 9 * sizeof *first->of);
    for (unsigned bot = 0; bot < 9; bot++)
        cr_assert(isnan(first->of[bot].interval.low) ||
                  first->of[bot].interval.low < first->of[bot].points);
    ratings_free(first);
    ratings_free(again);
    free(results);
}
