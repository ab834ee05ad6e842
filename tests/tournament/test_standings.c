#include "tournament/stats/standings.h"

#include "base/memory.h"
#include "base/text.h"
#include "support/simulated_tournament.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(standings);

static const char *const names[] = {"ada", "bob", "cleo", "dan", "eve", "fay"};

/* Two blocks, three bots; a shared win, a fault, and matches of different length. */
static const struct result three_matches[] = {
    {.block = 4,
     .seats = 3,
     .rounds = 2,
     .bots = {0, 1, 2},
     .places = {1, 2, 3},
     .score_halves = {20, 40, 60}},
    {.block = 4,
     .rotation = 1,
     .seats = 3,
     .rounds = 4,
     .bots = {1, 2, 0},
     .places = {1, 3, 1},
     .score_halves = {80, 120, 80}},
    {.block = 9,
     .seats = 3,
     .rounds = 3,
     .bots = {2, 0, 1},
     .places = {1, 2, 3},
     .faults = {0, 0, BOT_LATE},
     .score_halves = {30, 60, 90}},
};

static struct standings_input input_of(const struct result *results, size_t count, unsigned bots)
{
    return (struct standings_input){.results = results,
                                    .count = count,
                                    .bots = bots,
                                    .names = names,
                                    .bootstraps = 100,
                                    .seed = 1};
}

static const struct standing *row_of(const struct standings *standings, unsigned bot)
{
    for (unsigned row = 0; row < standings->count; row++)
        if (standings->rows[row].bot == bot)
            return &standings->rows[row];
    return NULL;
}

Test(standings, counts_are_as_computed_by_hand)
{
    struct standings_input input = input_of(three_matches, ARRAY_LEN(three_matches), 3);
    struct standings *standings = standings_new(&input);
    const struct standing *ada = row_of(standings, 0);
    const struct standing *bob = row_of(standings, 1);

    cr_assert_eq(standings->blocks, 2);
    cr_assert_eq(standings->matches, 3);
    cr_assert_eq(standings->seats, 3);
    cr_assert_str_eq(ada->name, "ada");
    cr_assert_eq(ada->matches, 3);
    cr_assert_eq(ada->rounds, 9);
    cr_assert_eq(ada->places[0], 2);
    cr_assert_eq(ada->places[1], 1);
    cr_assert_float_eq(ada->win_share, 0.5, 1e-12);
    cr_assert_float_eq(bob->win_share, 1.0 / 6, 1e-12);
    cr_assert_eq(bob->fault_count, 1);
    cr_assert_eq(bob->faults[BOT_LATE], 1);
    cr_assert_eq(bob->faults[BOT_ANSWERED], 2);
    cr_assert_eq(ada->fault_count, 0);
    standings_free(standings);
}

/* Ada has 100 half points in 6 rounds and 60 in 3: a mean of 160 / 9, deviations of -20/3 and 20/3,
 * so a standard error of sqrt(2 * 800 / 9) / 9 half points, and one degree of freedom. */
Test(standings, scores_are_as_computed_by_hand)
{
    struct standings_input input = input_of(three_matches, ARRAY_LEN(three_matches), 3);
    struct standings *standings = standings_new(&input);
    const struct standing *ada = row_of(standings, 0);
    double half = 12.706204736 * sqrt(2 * 800.0 / 9) / 9 / 2;

    cr_assert_float_eq(ada->score, 80.0 / 9, 1e-12);
    cr_assert_float_eq(ada->score_interval.low, 80.0 / 9 - half, 1e-8);
    cr_assert_float_eq(ada->score_interval.high, 80.0 / 9 + half, 1e-8);
    cr_assert_float_eq(ada->seat_score[0], 5, 1e-12);
    cr_assert_float_eq(ada->seat_score[1], 10, 1e-12);
    cr_assert_float_eq(ada->seat_score[2], 10, 1e-12);
    cr_assert(isnan(ada->seat_score[3]));
    cr_assert_eq(ada->seat_matches[1], 1);
    cr_assert_float_eq(ada->score_least, 5, 1e-12);
    cr_assert_float_eq(ada->score_step, 0.5, 1e-12);
    cr_assert_eq(ada->score_bins[0], 1);
    cr_assert_eq(ada->score_bins[10], 2);
    cr_assert_eq(row_of(standings, 2)->score_bins[20], 2);
    standings_free(standings);
}

/* Without its luck ada has 12, 38 and 31.5 points in 2, 4 and 3 rounds. */
Test(standings, adjusted_scores_are_as_computed_by_hand)
{
    struct result matches[ARRAY_LEN(three_matches)] = {{0}};
    struct standings_input input = input_of(matches, ARRAY_LEN(matches), 3);
    struct standings *standings;
    const struct standing *ada;

    memcpy(matches, three_matches, sizeof matches);
    matches[0].luck[0] = (struct result_luck){.points = -2000, .wins = 100000};
    matches[1].luck[2] = (struct result_luck){.points = 2000, .wins = -50000};
    matches[2].luck[1] = (struct result_luck){.points = -1500, .wins = 10000};
    for (size_t i = 0; i < ARRAY_LEN(matches); i++)
        matches[i].has_luck = true;
    standings = standings_new(&input);
    ada = row_of(standings, 0);
    cr_assert(standings->is_adjusted);
    cr_assert_float_eq(ada->score, 80.0 / 9, 1e-12);
    cr_assert_float_eq(ada->adjusted, 81.5 / 9, 1e-12);
    cr_assert_float_eq((ada->adjusted_interval.low + ada->adjusted_interval.high) / 2, 81.5 / 9,
                       1e-9);
    cr_assert_float_eq(ada->adjusted_win_share, (1.5 - 0.06) / 3, 1e-12);
    standings_free(standings);
}

Test(standings, scores_are_adjusted_only_if_luck_is_wanted_and_known_for_all_matches)
{
    struct result matches[ARRAY_LEN(three_matches)] = {{0}};
    struct standings_input input = input_of(matches, ARRAY_LEN(matches), 3);

    for (unsigned i = 0; i < 3; i++) {
        struct standings *standings;

        memcpy(matches, three_matches, sizeof matches);
        for (size_t match = 0; match < ARRAY_LEN(matches); match++)
            matches[match].has_luck = i != 0 || match != 1;
        input.ignores_luck = i == 1;
        standings = standings_new(&input);
        cr_assert(standings->is_adjusted == (i == 2));
        cr_assert(isnan(row_of(standings, 0)->adjusted) == (i != 2));
        cr_assert(standings->has_peeks, "luck tells who knows the cards, shown or not");
        standings_free(standings);
    }
}

Test(standings, the_cross_table_is_as_computed_by_hand_and_goes_by_row)
{
    static const double expected[3][3] = {
        {NAN, 2.5 / 3, 2.0 / 3}, {0.5 / 3, NAN, 2.0 / 3}, {1.0 / 3, 1.0 / 3, NAN}};
    struct standings_input input = input_of(three_matches, ARRAY_LEN(three_matches), 3);
    struct standings *standings = standings_new(&input);

    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++) {
            unsigned a = standings->rows[i].bot;
            unsigned b = standings->rows[j].bot;
            double share = standings->cross[i * 3 + j];

            cr_assert_eq(standings->met[i * 3 + j], i == j ? 0 : 3);
            cr_assert(i == j ? isnan(share) : fabs(share - expected[a][b]) < 1e-12, "%u %u", a, b);
        }
    standings_free(standings);
}

Test(standings, rows_go_by_rating_with_withdrawn_bots_in_their_place_and_idle_ones_last)
{
    static const struct result results[] = {
        {.block = 1,
         .seats = 2,
         .rounds = 1,
         .bots = {1, 3},
         .places = {1, 2},
         .score_halves = {9, 8}},
        {.block = 2,
         .seats = 2,
         .rounds = 1,
         .bots = {3, 1},
         .places = {1, 2},
         .score_halves = {6, 9}},
        {.block = 3,
         .seats = 2,
         .rounds = 1,
         .bots = {3, 2},
         .places = {1, 2},
         .score_halves = {6, 9}},
        {.block = 4,
         .seats = 2,
         .rounds = 1,
         .bots = {2, 1},
         .places = {1, 1},
         .score_halves = {4, 4}},
        {.block = 5,
         .seats = 2,
         .rounds = 1,
         .bots = {2, 3},
         .places = {1, 2},
         .score_halves = {4, 6}},
    };
    static const bool is_withdrawn[] = {false, false, false, true, false};
    static const unsigned order[] = {2, 3, 1, 0, 4};
    struct standings_input input = input_of(results, ARRAY_LEN(results), 5);
    struct standings *standings;

    input.is_withdrawn = is_withdrawn;
    standings = standings_new(&input);
    for (unsigned row = 0; row < 5; row++) {
        cr_assert_eq(standings->rows[row].bot, order[row], "row %u", row);
        cr_assert_eq(standings->rows[row].is_withdrawn, order[row] == 3);
    }
    cr_assert_eq(standings->rows[0].rating, standings->rows[1].rating,
                 "equal ratings: the score decides");
    cr_assert(isnan(standings->rows[3].rating) && isnan(standings->rows[3].score));
    cr_assert(isnan(standings->rows[3].win_share) && isnan(standings->rows[3].score_interval.low));
    cr_assert_eq(standings->rows[3].ranks.best, 0);
    cr_assert_eq(standings->rows[3].ranks.worst, 0);
    for (unsigned row = 0; row < 3; row++) {
        cr_assert_eq(standings->rows[row].ranks.best, 1, "five blocks tell nothing");
        cr_assert_eq(standings->rows[row].ranks.worst, 3, "among the bots that have played");
    }
    standings_free(standings);
}

Test(standings, thinking_times_are_taken_from_the_histogram)
{
    static struct histogram times[3];
    struct standings_input input = input_of(three_matches, ARRAY_LEN(three_matches), 3);
    struct standings *standings = standings_new(&input);

    cr_assert_eq(standings->rows[0].median_us, 0);
    standings_free(standings);
    for (int i = 0; i < 100; i++)
        histogram_add(&times[1], i < 90 ? 7 : 14);
    input.times = times;
    standings = standings_new(&input);
    cr_assert_eq(row_of(standings, 1)->median_us, 7);
    cr_assert_eq(row_of(standings, 1)->p99_us, 14);
    cr_assert_eq(row_of(standings, 0)->p99_us, 0);
    standings_free(standings);
}

Test(standings, nothing_played_yet_gives_rows_without_numbers)
{
    struct standings_input input = input_of(three_matches, 0, 6);
    struct standings *standings = standings_new(&input);

    cr_assert_eq(standings->count, 6);
    for (unsigned row = 0; row < 6; row++) {
        cr_assert_eq(standings->rows[row].bot, row);
        cr_assert(isnan(standings->rows[row].score) && isnan(standings->rows[row].rating));
    }
    cr_assert(isnan(standings->cross[1]));
    standings_free(standings);
    standings_free(NULL);
}

static const double strengths[] = {1.1, 0.4, 0, -0.5, -1};
static const struct simulated_tournament five = {.bots = 5,
                                                 .strengths = strengths,
                                                 .seats = 4,
                                                 .blocks = 50,
                                                 .rotations = 4,
                                                 .common_luck = 0.5};

static void shuffle(struct result *results, size_t count)
{
    struct allegra_dice dice = allegra_dice_from(11);

    for (size_t i = count; i > 1; i--) {
        size_t other = allegra_dice_below(&dice, (uint32_t)i);
        struct result kept = results[i - 1];

        results[i - 1] = results[other];
        results[other] = kept;
    }
}

Test(standings, are_the_same_to_the_last_bit_in_whatever_order_results_come)
{
    struct allegra_dice dice = allegra_dice_from(2);
    struct result *results = simulated_tournament_play(&five, &dice);
    struct standings_input input = input_of(results, simulated_tournament_matches(&five), 5);
    struct standings *first = standings_new(&input);
    struct standings *again;

    shuffle(results, input.count);
    again = standings_new(&input);
    cr_assert_arr_eq(first->rows, again->rows, 5 * sizeof *first->rows);
    cr_assert_arr_eq(first->cross, again->cross, 25 * sizeof *first->cross);
    standings_free(first);
    standings_free(again);
    free(results);
}

Test(standings, ten_points_more_a_round_for_all_shift_scores_and_nothing_else)
{
    struct allegra_dice dice = allegra_dice_from(3);
    struct result *results = simulated_tournament_play(&five, &dice);
    struct standings_input input = input_of(results, simulated_tournament_matches(&five), 5);
    struct standings *first = standings_new(&input);
    struct standings *shifted;

    for (size_t i = 0; i < input.count; i++)
        for (unsigned seat = 0; seat < 4; seat++)
            results[i].score_halves[seat] += 20 * results[i].rounds;
    shifted = standings_new(&input);
    for (unsigned row = 0; row < 5; row++) {
        const struct standing *a = &first->rows[row];
        const struct standing *b = &shifted->rows[row];

        cr_assert_float_eq(b->score, a->score + 10, 1e-9);
        cr_assert_float_eq(b->score_interval.low, a->score_interval.low + 10, 1e-9);
        cr_assert_float_eq(b->score_interval.high, a->score_interval.high + 10, 1e-9);
        cr_assert_eq(b->rating, a->rating);
        cr_assert_eq(b->win_share, a->win_share);
        cr_assert_float_eq(b->score_step, a->score_step, 1e-12);
    }
    standings_free(first);
    standings_free(shifted);
    free(results);
}

Test(standings, bins_hold_every_match_of_every_bot_whatever_the_scores)
{
    struct allegra_dice dice = allegra_dice_from(4);

    for (int32_t factor = 1; factor <= 1000000; factor *= 10) {
        struct result *results = simulated_tournament_play(&five, &dice);
        struct standings_input input = input_of(results, simulated_tournament_matches(&five), 5);
        struct standings *standings;

        for (size_t i = 0; i < input.count; i++)
            for (unsigned seat = 0; seat < 4; seat++)
                results[i].score_halves[seat] =
                    (results[i].score_halves[seat] - 300) / 100 * factor;
        standings = standings_new(&input);
        for (unsigned row = 0; row < 5; row++) {
            unsigned sum = 0;

            for (unsigned bin = 0; bin < STANDINGS_BINS; bin++)
                sum += standings->rows[row].score_bins[bin];
            cr_assert_eq(sum, standings->rows[row].matches);
        }
        standings_free(standings);
        free(results);
    }
}
