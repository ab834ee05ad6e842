/* Intervals come from a bootstrap over blocks: the matches of a block have the same cards and
 * depend on each other, the blocks do not. A resample gives each block a random weight from the
 * exponential distribution with mean 1 (Rubin's Bayesian bootstrap), instead of drawing blocks
 * with replacement. The two agree in large samples, but here no bot is ever missing from a
 * resample, and which bots reach each other stays the same. The halves of the ghost (see
 * estimate.h) get weights from the gamma distribution of shape 1/2, as Jeffreys's rule for a share
 * does: otherwise a bot that won everything would seem to be known exactly.
 *
 * The middle 95 % of resamples are too narrow for few blocks. For a mean over n blocks the
 * resamples have (n - 1) / (n + 1) of the right variance, and Student's t should replace the
 * normal distribution. So each end of the interval is moved away from the rating by the factor
 * sqrt((n + 1) / (n - 1)) * t(n - 1) / 1.96, where n is the number of blocks of the bot.
 *
 * In a Swiss tournament blocks depend on earlier blocks, and no resampling of blocks is right.
 * There replays of the whole tournament show the errors (swiss_replay.c), and a resample is the
 * rating minus the error of a replay. Its variance comes from the model and all blocks, not only
 * from the few of one bot: it needs no stretch. */

#include "tournament/stats/rating.h"

#include "game/allegra.h"
#include "base/memory.h"
#include "tournament/stats/strength_fit.h"
#include "tournament/stats/swiss_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TAIL 0.025
#define ESTIMATE_TOLERANCE 1e-8
#define POINTS_STEP 1e-7
#define RESAMPLE_TOLERANCE 1e-3
#define WORK_MAX 40000000.0 /* over all resamples: some seconds */
#define WORK_OF_BOT 100.0   /* in members of sets: more bots need more steps to solve a system */
#define GHOST_LEAST 1e-4
#define REPLAYED_BLOCKS_MAX 200000.0 /* over all replays: some seconds */

static double points_of(double strength)
{
    return 400 / log(10) * strength;
}

/* Without the noise of the computation, so that bots with equal results are exactly equal. */
static double rounded(double points)
{
    return round(points / POINTS_STEP) * POINTS_STEP + 0.0; /* never -0 */
}

static void take_estimate(struct ratings *ratings, const struct strength_fit *estimate)
{
    const struct components *components = estimate->components;

    for (unsigned bot = 0; bot < ratings->bots; bot++) {
        bool is_rated = estimate->outcomes->blocks_of[bot] > 0;

        ratings->of[bot].points =
            is_rated ? rounded(points_of(estimate->fit->strengths[bot])) : NAN;
        ratings->of[bot].is_unbeaten =
            is_rated && components->is_broken[bot] && components->is_outside[bot];
        ratings->part[bot] = components->part[bot];
    }
}

/* Above 0, below 1. */
static double draw_share(struct allegra_dice *dice)
{
    return ((double)(allegra_dice_next(dice) >> 11) + 0.5) * 0x1p-53;
}

static double draw_exponential(struct allegra_dice *dice)
{
    return -log(draw_share(dice));
}

/* Half the square of a normal number. */
static double draw_ghost(struct allegra_dice *dice)
{
    double wave = cos(2 * M_PI * draw_share(dice));

    return fmax(draw_exponential(dice) * wave * wave, GHOST_LEAST);
}

static void draw_weights(struct allegra_dice *dice, double *weights, unsigned count)
{
    double sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += weights[i] = draw_exponential(dice);
    for (unsigned i = 0; i < count; i++)
        weights[i] *= count / sum;
}

static void draw_ghosts(struct allegra_dice *dice, struct plackett_luce *fit,
                        const struct components *components)
{
    for (unsigned bot = 0; bot < fit->outcomes->bots; bot++)
        if (components->is_broken[bot]) {
            fit->ghost_wins[bot] = draw_ghost(dice);
            fit->ghost_losses[bot] = draw_ghost(dice);
        }
}

/* Every resample starts at the estimate, which is near. */
static void resample(struct ratings *ratings, const struct strength_fit *estimate, uint64_t seed)
{
    struct plackett_luce *fit = estimate->fit;
    const struct components *components = estimate->components;
    unsigned blocks = fit->outcomes->blocks;
    struct allegra_dice dice = allegra_dice_from(seed);
    double *weights = xcalloc((size_t)blocks + 1, sizeof *weights);
    double *start = xcalloc((size_t)ratings->bots + 1, sizeof *start);

    memcpy(start, fit->strengths, ratings->bots * sizeof *start);
    for (unsigned sample = 0; sample < ratings->bootstraps; sample++) {
        draw_weights(&dice, weights, blocks);
        outcomes_weigh(fit->outcomes, weights, fit->weights);
        draw_ghosts(&dice, fit, components);
        memcpy(fit->strengths, start, ratings->bots * sizeof *start);
        plackett_luce_climb(fit, RESAMPLE_TOLERANCE);
        components_centre(components, fit->strengths);
        for (unsigned bot = 0; bot < ratings->bots; bot++)
            ratings->samples[(size_t)bot * ratings->bootstraps + sample] =
                points_of(fit->strengths[bot]);
    }
    free(start);
    free(weights);
}

static void replay(struct ratings *ratings, const struct rating_input *input)
{
    struct swiss_replay replay = {
        .setup = input->swiss,
        .results = input->results,
        .count = input->count,
        .is_withdrawn = input->is_withdrawn,
        .replays = ratings->bootstraps,
        .seed = input->seed,
    };

    swiss_replay_errors(&replay, ratings->samples);
    for (unsigned bot = 0; bot < ratings->bots; bot++)
        for (unsigned i = 0; i < ratings->bootstraps; i++) {
            double *sample = &ratings->samples[(size_t)bot * ratings->bootstraps + i];

            *sample = ratings->of[bot].points - points_of(*sample);
        }
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

/* How many resamples lie outside the interval on each side. */
static unsigned tail_count(const struct ratings *ratings)
{
    unsigned count = (unsigned)(TAIL * (ratings->bootstraps + 1));

    return count > 0 ? count : 1;
}

double rating_widening(double freedom)
{
    return isinf(freedom) ? 1 : sqrt((freedom + 2) / freedom);
}

static struct interval interval_of(const struct ratings *ratings, unsigned bot, double *sorted)
{
    double points = ratings->of[bot].points;
    double freedom = ratings->freedom[bot];
    double stretch = rating_widening(freedom) * student_t_stretch(freedom);
    unsigned tail = tail_count(ratings);

    if (isnan(points) || !(freedom > 0))
        return (struct interval){NAN, NAN};
    memcpy(sorted, ratings->samples + (size_t)bot * ratings->bootstraps,
           ratings->bootstraps * sizeof *sorted);
    qsort(sorted, ratings->bootstraps, sizeof *sorted, compare_doubles);
    return (struct interval){points - stretch * fmax(points - sorted[tail - 1], 0),
                             points +
                                 stretch * fmax(sorted[ratings->bootstraps - tail] - points, 0)};
}

static void find_intervals(struct ratings *ratings, const struct outcomes *outcomes, bool is_swiss)
{
    double *sorted = xcalloc(ratings->bootstraps, sizeof *sorted);

    for (unsigned bot = 0; bot < ratings->bots; bot++) {
        unsigned blocks = outcomes->blocks_of[bot];

        if (blocks > 1)
            ratings->freedom[bot] = is_swiss ? (double)INFINITY : blocks - 1.0;
        ratings->of[bot].interval = interval_of(ratings, bot, sorted);
    }
    free(sorted);
}

static unsigned choose_replays(const struct outcomes *outcomes, unsigned wanted)
{
    double most = fmax(REPLAYED_BLOCKS_MAX / (1 + outcomes->blocks), RATING_BOOTSTRAPS_LEAST);

    if (wanted == 0)
        wanted = RATING_REPLAYS;
    return most < wanted ? (unsigned)most : wanted;
}

static unsigned choose_bootstraps(const struct outcomes *outcomes, unsigned wanted)
{
    double work = 1 + WORK_OF_BOT * outcomes->bots;
    double most;

    for (uint32_t set = 0; set < outcomes->set_count; set++)
        work += outcomes->sets[set].size;
    most = fmax(WORK_MAX / work, RATING_BOOTSTRAPS_LEAST);
    if (wanted == 0)
        wanted = RATING_BOOTSTRAPS;
    return most < wanted ? (unsigned)most : wanted;
}

struct ratings *ratings_new(const struct rating_input *input)
{
    struct ratings *ratings = xcalloc(1, sizeof *ratings);
    struct strength_fit estimate =
        strength_fit_make(input->results, input->count, input->bots, NULL, ESTIMATE_TOLERANCE);
    bool is_swiss = input->swiss != NULL && input->count > 0;
    size_t bots = input->bots;

    ratings->bots = input->bots;
    ratings->bootstraps = is_swiss ? choose_replays(estimate.outcomes, input->bootstraps)
                                   : choose_bootstraps(estimate.outcomes, input->bootstraps);
    ratings->of = xcalloc(bots + 1, sizeof *ratings->of);
    ratings->part = xcalloc(bots + 1, sizeof *ratings->part);
    ratings->freedom = xcalloc(bots + 1, sizeof *ratings->freedom);
    ratings->samples = xcalloc(bots * ratings->bootstraps + 1, sizeof *ratings->samples);
    take_estimate(ratings, &estimate);
    if (is_swiss)
        replay(ratings, input);
    else
        resample(ratings, &estimate, input->seed);
    find_intervals(ratings, estimate.outcomes, is_swiss);
    strength_fit_free(&estimate);
    return ratings;
}

void ratings_free(struct ratings *ratings)
{
    if (ratings == NULL)
        return;
    free(ratings->of);
    free(ratings->part);
    free(ratings->freedom);
    free(ratings->samples);
    free(ratings);
}
