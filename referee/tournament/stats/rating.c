/* Where the likelihood of a part of the field has no maximum (see components.h), a ghost provides
 * one: its log strength is 0, and each bot of the part has half a win and half a loss against it.
 * The bots that need it are those outside the body of the part.
 *
 * Intervals come from a bootstrap over blocks: the matches of a block have the same cards and
 * depend on each other, the blocks do not. A resample gives each block a random weight from the
 * exponential distribution with mean 1 (Rubin's Bayesian bootstrap), instead of drawing blocks with
 * replacement. The two agree in large samples, but here no bot is ever missing from a resample, and
 * which bots reach each other stays the same. The halves of the ghost get weights from the gamma
 * distribution of shape 1/2, as Jeffreys's rule for a share does: otherwise a bot that won
 * everything would seem to be known exactly.
 *
 * The middle 95 % of resamples are too narrow for few blocks. For a mean over n blocks the
 * resamples have (n - 1) / (n + 1) of the right variance, and Student's t should replace the normal
 * distribution. So each end of the interval is moved away from the rating by the factor sqrt((n +
 * 1) / (n - 1)) * t(n - 1) / 1.96, where n is the number of blocks of the bot, or for a difference
 * of the bot that has fewer. */

#include "tournament/stats/rating.h"

#include "game/allegra.h"
#include "base/memory.h"
#include "tournament/stats/outcomes.h"
#include "tournament/stats/plackett_luce.h"
#include "tournament/stats/components.h"

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

static double points_of(double strength)
{
    return 400 / log(10) * strength;
}

/* Without the noise of the computation, so that bots with equal results are exactly equal. */
static double rounded(double points)
{
    return round(points / POINTS_STEP) * POINTS_STEP + 0.0; /* never -0 */
}

static void estimate(struct ratings *ratings, struct plackett_luce *fit,
                     const struct components *components)
{
    outcomes_weigh(fit->outcomes, NULL, fit->weights);
    for (unsigned bot = 0; bot < ratings->bots; bot++)
        if (components->is_broken[bot])
            fit->ghost_wins[bot] = fit->ghost_losses[bot] = 0.5;
    plackett_luce_climb(fit, ESTIMATE_TOLERANCE);
    components_centre(components, fit->strengths);
    for (unsigned bot = 0; bot < ratings->bots; bot++) {
        bool is_rated = fit->outcomes->blocks_of[bot] > 0;

        ratings->of[bot].points = is_rated ? rounded(points_of(fit->strengths[bot])) : NAN;
        ratings->of[bot].is_unbeaten =
            is_rated && components->is_broken[bot] && components->is_outside[bot];
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
static void resample(struct ratings *ratings, struct plackett_luce *fit,
                     const struct components *components, uint64_t seed)
{
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

static struct interval interval_of(const struct ratings *ratings, unsigned bot, double *sorted)
{
    double points = ratings->of[bot].points;
    double stretch = ratings->stretch[bot];
    unsigned tail = tail_count(ratings);

    if (isnan(points) || !isfinite(stretch))
        return (struct interval){NAN, NAN};
    memcpy(sorted, ratings->samples + (size_t)bot * ratings->bootstraps,
           ratings->bootstraps * sizeof *sorted);
    qsort(sorted, ratings->bootstraps, sizeof *sorted, compare_doubles);
    return (struct interval){points - stretch * fmax(points - sorted[tail - 1], 0),
                             points +
                                 stretch * fmax(sorted[ratings->bootstraps - tail] - points, 0)};
}

static void find_intervals(struct ratings *ratings, const struct outcomes *outcomes)
{
    double *sorted = xcalloc(ratings->bootstraps, sizeof *sorted);

    for (unsigned bot = 0; bot < ratings->bots; bot++) {
        double blocks = outcomes->blocks_of[bot];

        ratings->stretch[bot] =
            blocks > 1 ? sqrt((blocks + 1) / (blocks - 1)) * student_t_stretch(blocks - 1)
                       : INFINITY;
        ratings->of[bot].interval = interval_of(ratings, bot, sorted);
    }
    free(sorted);
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
    struct outcomes *outcomes = outcomes_new(input->results, input->count, input->bots);
    struct plackett_luce *fit = plackett_luce_new(outcomes);
    struct components *components = components_new(outcomes->beaten);
    size_t bots = input->bots;

    ratings->bots = input->bots;
    ratings->bootstraps = choose_bootstraps(outcomes, input->bootstraps);
    ratings->of = xcalloc(bots + 1, sizeof *ratings->of);
    ratings->part = xcalloc(bots + 1, sizeof *ratings->part);
    ratings->stretch = xcalloc(bots + 1, sizeof *ratings->stretch);
    ratings->samples = xcalloc(bots * ratings->bootstraps + 1, sizeof *ratings->samples);
    memcpy(ratings->part, components->part, bots * sizeof *ratings->part);
    estimate(ratings, fit, components);
    resample(ratings, fit, components, input->seed);
    find_intervals(ratings, outcomes);
    components_free(components);
    plackett_luce_free(fit);
    outcomes_free(outcomes);
    return ratings;
}

void ratings_free(struct ratings *ratings)
{
    if (ratings == NULL)
        return;
    free(ratings->of);
    free(ratings->part);
    free(ratings->stretch);
    free(ratings->samples);
    free(ratings);
}

/* The end of the interval near 0 is at difference - stretch * (difference - tail resample), so it
 * is enough to count the resamples on the far side of one value. */
bool rating_can_tell(const struct ratings *ratings, unsigned one, unsigned other)
{
    bool is_better = ratings->of[one].points > ratings->of[other].points;
    unsigned high = is_better ? one : other;
    unsigned low = is_better ? other : one;
    const double *high_samples = ratings->samples + (size_t)high * ratings->bootstraps;
    const double *low_samples = ratings->samples + (size_t)low * ratings->bootstraps;
    double difference = ratings->of[high].points - ratings->of[low].points;
    double stretch = fmax(ratings->stretch[high], ratings->stretch[low]);
    double value = difference * (1 - 1 / stretch);
    unsigned beyond = 0;

    if (!(difference > 0) || !isfinite(stretch) || ratings->part[high] != ratings->part[low])
        return false;
    for (unsigned sample = 0; sample < ratings->bootstraps; sample++)
        beyond += high_samples[sample] - low_samples[sample] <= value;
    return beyond < tail_count(ratings);
}
