/* The test for bots that play a deal better when it comes again. Results are simulated: points have
 * luck of the deal, luck of the match, an effect of the seat, and a gain where somebody cheats. */

#include "tournament/stats/repeat_gain.h"

#include "base/memory.h"
#include "support/effort.h"
#include "support/simulated_tournament.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BOTS 4
#define CHEAT 2
#define SEAT_EFFECT 3.0
#define LUCK 9.0

TestSuite(repeat_gain);

struct trial {
    unsigned blocks;
    unsigned rotations;
    double gain; /* points per round that CHEAT saves in later matches */
};

/* Who begins on which seat is drawn for each block, as in a schedule. */
static void seat_bots(unsigned seats[BOTS], struct allegra_dice *dice)
{
    for (unsigned i = 0; i < BOTS; i++)
        seats[i] = i;
    for (unsigned i = BOTS; i > 1; i--) {
        unsigned other = (unsigned)allegra_dice_below(dice, i);
        unsigned kept = seats[i - 1];

        seats[i - 1] = seats[other];
        seats[other] = kept;
    }
}

/* Points are skewed, as in the game. */
static double draw_points(unsigned seat, double hand, struct allegra_dice *dice)
{
    return hand + SEAT_EFFECT * seat + LUCK * simulated_tournament_exponential(dice);
}

static void play_match(struct result *result, const unsigned *order, const double *hands,
                       const struct trial *trial, struct allegra_dice *dice)
{
    result->seats = BOTS;
    result->rounds = 1;
    for (unsigned seat = 0; seat < BOTS; seat++) {
        unsigned bot = order[(seat + result->rotation) % BOTS];
        double points = draw_points(seat, hands[seat], dice);

        if (bot == CHEAT && result->rotation > 0)
            points -= trial->gain;
        result->bots[seat] = (uint16_t)bot;
        result->places[seat] = 1;
        result->score_halves[seat] = (int32_t)(2 * points);
    }
}

static void play(const struct trial *trial, struct allegra_dice *dice, struct repeat_gain *gains)
{
    size_t count = (size_t)trial->blocks * trial->rotations;
    struct result *results = xcalloc(count, sizeof *results);
    unsigned order[BOTS];
    double hands[BOTS];

    for (size_t i = 0; i < count; i++) {
        results[i].block = (uint32_t)(i / trial->rotations + 1);
        results[i].rotation = (uint16_t)(i % trial->rotations);
        if (results[i].rotation == 0) {
            seat_bots(order, dice);
            for (unsigned seat = 0; seat < BOTS; seat++)
                hands[seat] = LUCK * simulated_tournament_exponential(dice);
        }
        play_match(&results[i], order, hands, trial, dice);
    }
    repeat_gain_measure(results, count, BOTS, gains);
    free(results);
}

/* In which share of tournaments a bot is suspected: the cheat, or any other. */
static double share_suspected(const struct trial *trial, bool is_cheat, unsigned tournaments)
{
    struct allegra_dice dice = allegra_dice_from(trial->blocks * 31 + trial->rotations);
    unsigned alarms = 0;

    for (unsigned i = 0; i < tournaments; i++) {
        struct repeat_gain gains[BOTS];
        bool is_alarm = false;

        play(trial, &dice, gains);
        for (unsigned bot = 0; bot < BOTS; bot++)
            is_alarm = is_alarm || (gains[bot].is_suspicious && (bot == CHEAT) == is_cheat);
        alarms += is_alarm;
    }
    return (double)alarms / tournaments;
}

static const struct result by_hand[] = {
    {.block = 1, .rotation = 1, .seats = 2, .rounds = 2, .bots = {1, 0}, .score_halves = {8, 20}},
    {.block = 1, .rotation = 0, .seats = 2, .rounds = 1, .bots = {0, 1}, .score_halves = {20, 12}},
    {.block = 2, .rotation = 0, .seats = 2, .rounds = 1, .bots = {0, 2}, .score_halves = {40, 40}},
};

Test(repeat_gain, means_are_as_computed_by_hand)
{
    struct repeat_gain gains[3];

    repeat_gain_measure(by_hand, 3, 3, gains);
    cr_expect_eq(gains[0].blocks, 1, "a deal that is played once does not count");
    cr_expect_float_eq(gains[0].first, 10, 1e-9);
    cr_expect_float_eq(gains[0].later, 5, 1e-9);
    cr_expect_float_eq(gains[1].first, 6, 1e-9);
    cr_expect_float_eq(gains[1].later, 2, 1e-9);
    cr_expect(isnan(gains[0].p) && !gains[0].is_suspicious);
    cr_expect_eq(gains[2].blocks, 0);
    cr_expect(isnan(gains[2].first) && isnan(gains[2].later) && isnan(gains[2].p));
}

Test(repeat_gain, nothing_is_known_without_results)
{
    struct repeat_gain gains[1];

    repeat_gain_measure(NULL, 0, 1, gains);
    cr_expect(gains[0].blocks == 0 && isnan(gains[0].p) && !gains[0].is_suspicious);
    repeat_gain_measure(NULL, 0, 0, NULL);
}

/* Two bots: 8 blocks in which one is better by exactly 3 and 5 points in turn, the other never. The
 * t-value is 4 / (1.069 / sqrt(8)) = 10.58 with 7 degrees of freedom. */
Test(repeat_gain, the_probability_is_that_of_a_corrected_t_test)
{
    struct result results[16] = {0};
    struct repeat_gain gains[2];

    for (unsigned i = 0; i < 16; i++) {
        results[i] = (struct result){.block = i / 2 + 1,
                                     .rotation = (uint16_t)(i % 2),
                                     .seats = 2,
                                     .rounds = 1,
                                     .bots = {0, 1},
                                     .score_halves = {40, 40}};
        if (i % 2 == 1)
            results[i].score_halves[0] -= i / 2 % 2 == 0 ? 6 : 10;
    }
    repeat_gain_measure(results, 16, 2, gains);
    cr_expect_float_eq(gains[0].p, 2 * 7.353928630e-6, 1e-9, "%.10g", gains[0].p);
    cr_expect(gains[0].is_suspicious);
    cr_expect_float_eq(gains[1].p, 1, 1e-9);
    cr_expect_not(gains[1].is_suspicious);
}

Test(repeat_gain, honest_bots_are_rarely_suspected)
{
    const unsigned tournaments = effort(400);

    for (unsigned blocks = REPEAT_GAIN_BLOCKS_MIN; blocks <= 128; blocks *= 4) {
        struct trial honest = {.blocks = blocks, .rotations = BOTS};
        double share = share_suspected(&honest, true, tournaments) +
                       share_suspected(&honest, false, tournaments);

        printf("count %u deals: an honest bot suspected in %.2f %% of tournaments\n", blocks,
               100 * share);
        cr_expect_lt(share, 0.03);
    }
}

Test(repeat_gain, who_gains_much_is_found_and_the_others_are_not)
{
    struct trial cheating = {.blocks = 100, .rotations = BOTS, .gain = LUCK};

    cr_expect_gt(share_suspected(&cheating, true, 200), 0.95);
    cr_expect_lt(share_suspected(&cheating, false, 200), 0.03);
}
