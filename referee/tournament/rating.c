/* Whether there is a maximum: let A beat B if A was ever placed before B or level with it. There is one
 * if in each part of the field that is connected at all everybody reaches everybody by such steps. If
 * not, the part has classes that never lost to those below them. The one class that has more bots than
 * any other is the body of the part, and the bots outside it are the ones concerned; if no class is
 * larger than all others, all bots of the part are. A ghost, whose log strength is 0 and with whom each
 * bot of the part shared one match in halves, makes a maximum.
 *
 * Intervals by bootstrap over deal blocks: the matches of a block have the same cards and depend on
 * each other, the blocks do not. A resample gives each block a random weight from the exponential
 * distribution, with a mean of 1 (Rubin's Bayesian bootstrap), instead of drawing blocks from an urn.
 * The two agree in large samples, but here no bot is ever missing from a resample, and who reaches whom
 * stays as it was. The ghost's halves get weights from the gamma distribution of shape 1/2, as
 * Jeffreys's rule for a share would: otherwise a bot that won everything would seem to be known
 * exactly.
 *
 * The middle 95 % of resamples are too narrow for few blocks. Of a mean over n blocks the resamples
 * have the variance (n - 1) / (n + 1) of what they should have, and Student's t belongs in the place of
 * the normal distribution. So each end of the interval is moved away from the rating by the factor
 * sqrt((n + 1) / (n - 1)) * t(n - 1) / 1.96, n being the number of blocks of the bot, of the one of two
 * that has fewer if it is a difference. */

#include "tournament/rating.h"

#include "base/dice.h"
#include "base/memory.h"
#include "tournament/contest.h"
#include "tournament/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TAIL 0.025
#define ESTIMATE_TOLERANCE 1e-8
#define RESAMPLE_TOLERANCE 1e-3
#define WORK_MAX 40000000.0 /* members of sets, over all resamples: some seconds */
#define GHOST_LEAST 1e-4

/* Who reaches whom in the field. */
struct field {
    unsigned *part;   /* by bot: the lowest number of a bot in its part */
    unsigned *class;  /* the same of its class */
    bool *is_broken;  /* its part has more than one class */
    bool *is_outside; /* of the body of its part */
};

static struct relation *connect(const struct relation *beaten)
{
    struct relation *connected = relation_copy(beaten);

    for (unsigned a = 0; a < beaten->count; a++)
        for (unsigned b = 0; b < beaten->count; b++)
            if (relation_has(beaten, a, b))
                relation_add(connected, b, a);
    relation_close(connected);
    return connected;
}

static void find_classes(struct field *field, const struct relation *beaten)
{
    struct relation *connected = connect(beaten);
    struct relation *reached = relation_copy(beaten);

    relation_close(reached);
    for (unsigned bot = 0; bot < beaten->count; bot++) {
        field->part[bot] = relation_next(connected, relation_row(connected, bot), 0);
        for (field->class[bot] = 0; field->class[bot] < bot; field->class[bot]++)
            if (relation_has(reached, bot, field->class[bot]) &&
                relation_has(reached, field->class[bot], bot))
                break;
    }
    relation_free(connected);
    relation_free(reached);
}

/* By part: the body's class, and the size of the largest class, 0 with `bots` for a body if the largest
 * size is that of several. */
static void find_bodies(struct field *field, unsigned bots)
{
    unsigned *size = xcalloc((size_t)bots + 1, sizeof *size);
    unsigned *largest = xcalloc((size_t)bots + 1, sizeof *largest);
    unsigned *body = xcalloc((size_t)bots + 1, sizeof *body);

    for (unsigned bot = 0; bot < bots; bot++)
        size[field->class[bot]]++;
    for (unsigned class = 0; class < bots; class ++) {
        unsigned part = field->part[class];

        if (size[class] > largest[part])
            body[part] = class;
        else if (size[class] > 0 && size[class] == largest[part])
            body[part] = bots;
        if (size[class] > largest[part])
            largest[part] = size[class];
    }
    for (unsigned bot = 0; bot < bots; bot++) {
        field->is_broken[field->part[bot]] |= field->class[bot] != field->class[field->part[bot]];
        field->is_outside[bot] = body[field->part[bot]] != field->class[bot];
    }
    for (unsigned bot = 0; bot < bots; bot++)
        field->is_broken[bot] = field->is_broken[field->part[bot]];
    free(size);
    free(largest);
    free(body);
}

static struct field field_of(const struct contest *contest)
{
    struct field field = {
        .part = xcalloc((size_t)contest->bots + 1, sizeof *field.part),
        .class = xcalloc((size_t)contest->bots + 1, sizeof *field.class),
        .is_broken = xcalloc((size_t)contest->bots + 1, sizeof *field.is_broken),
        .is_outside = xcalloc((size_t)contest->bots + 1, sizeof *field.is_outside),
    };

    find_classes(&field, contest->beaten);
    find_bodies(&field, contest->bots);
    return field;
}

static void field_clear(struct field *field)
{
    free(field->part);
    free(field->class);
    free(field->is_broken);
    free(field->is_outside);
}

/* Shifts each part so that the mean of its body is 0, or of all of it if it has none. */
static void centre(const struct field *field, double *strengths, unsigned bots)
{
    double *sum = xcalloc((size_t)bots + 1, 2 * sizeof *sum);
    double *body_sum = sum + bots;
    unsigned *count = xcalloc((size_t)bots + 1, 2 * sizeof *count);
    unsigned *body_count = count + bots;

    for (unsigned bot = 0; bot < bots; bot++) {
        unsigned part = field->part[bot];

        sum[part] += strengths[bot];
        count[part]++;
        if (!field->is_outside[bot]) {
            body_sum[part] += strengths[bot];
            body_count[part]++;
        }
    }
    for (unsigned bot = 0; bot < bots; bot++) {
        unsigned part = field->part[bot];

        strengths[bot] -=
            body_count[part] > 0 ? body_sum[part] / body_count[part] : sum[part] / count[part];
    }
    free(sum);
    free(count);
}

static double points_of(double strength)
{
    return 400 / log(10) * strength;
}

static void estimate(struct ratings *ratings, struct fit *fit, const struct field *field)
{
    contest_weigh(fit->contest, NULL, fit->weights);
    for (unsigned bot = 0; bot < ratings->bots; bot++)
        if (field->is_broken[bot])
            fit->ghost_wins[bot] = fit->ghost_losses[bot] = 0.5;
    fit_climb(fit, ESTIMATE_TOLERANCE);
    centre(field, fit->strengths, ratings->bots);
    for (unsigned bot = 0; bot < ratings->bots; bot++) {
        bool is_rated = fit->contest->blocks_of[bot] > 0;

        ratings->of[bot].points = is_rated ? points_of(fit->strengths[bot]) : NAN;
        ratings->of[bot].is_unbeaten = is_rated && field->is_broken[bot] && field->is_outside[bot];
    }
}

/* Above 0, below 1. */
static double draw_share(struct dice *dice)
{
    return ((double)(dice_next(dice) >> 11) + 0.5) * 0x1p-53;
}

static double draw_exponential(struct dice *dice)
{
    return -log(draw_share(dice));
}

/* Half the square of a normal number. */
static double draw_ghost(struct dice *dice)
{
    double wave = cos(2 * M_PI * draw_share(dice));

    return fmax(draw_exponential(dice) * wave * wave, GHOST_LEAST);
}

static void draw_weights(struct dice *dice, double *weights, unsigned count)
{
    double sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += weights[i] = draw_exponential(dice);
    for (unsigned i = 0; i < count; i++)
        weights[i] *= count / sum;
}

static void draw_ghosts(struct dice *dice, struct fit *fit, const struct field *field)
{
    for (unsigned bot = 0; bot < fit->contest->bots; bot++)
        if (field->is_broken[bot]) {
            fit->ghost_wins[bot] = draw_ghost(dice);
            fit->ghost_losses[bot] = draw_ghost(dice);
        }
}

/* Every resample begins at the estimate, which is near. */
static void resample(struct ratings *ratings, struct fit *fit, const struct field *field,
                     uint64_t seed)
{
    unsigned blocks = fit->contest->blocks;
    struct dice dice = dice_from(seed);
    double *weights = xcalloc((size_t)blocks + 1, sizeof *weights);
    double *start = xcalloc((size_t)ratings->bots + 1, sizeof *start);

    memcpy(start, fit->strengths, ratings->bots * sizeof *start);
    for (unsigned sample = 0; sample < ratings->bootstraps; sample++) {
        draw_weights(&dice, weights, blocks);
        contest_weigh(fit->contest, weights, fit->weights);
        draw_ghosts(&dice, fit, field);
        memcpy(fit->strengths, start, ratings->bots * sizeof *start);
        fit_climb(fit, RESAMPLE_TOLERANCE);
        centre(field, fit->strengths, ratings->bots);
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

/* How many resamples lie outside, up to the end of the interval. */
static unsigned tail_count(const struct ratings *ratings)
{
    unsigned count = (unsigned)(TAIL * (ratings->bootstraps + 1));

    return count > 0 ? count : 1;
}

static struct interval interval_of(const struct ratings *ratings, unsigned bot, double *room)
{
    double points = ratings->of[bot].points;
    double stretch = ratings->stretch[bot];
    unsigned tail = tail_count(ratings);

    if (isnan(points) || !isfinite(stretch))
        return (struct interval){NAN, NAN};
    memcpy(room, ratings->samples + (size_t)bot * ratings->bootstraps,
           ratings->bootstraps * sizeof *room);
    qsort(room, ratings->bootstraps, sizeof *room, compare_doubles);
    return (struct interval){points - stretch * fmax(points - room[tail - 1], 0),
                             points + stretch * fmax(room[ratings->bootstraps - tail] - points, 0)};
}

static void find_intervals(struct ratings *ratings, const struct contest *contest)
{
    double *room = xcalloc(ratings->bootstraps, sizeof *room);

    for (unsigned bot = 0; bot < ratings->bots; bot++) {
        double blocks = contest->blocks_of[bot];

        ratings->stretch[bot] =
            blocks > 1 ? sqrt((blocks + 1) / (blocks - 1)) * student_stretch(blocks - 1) : INFINITY;
        ratings->of[bot].interval = interval_of(ratings, bot, room);
    }
    free(room);
}

static unsigned choose_bootstraps(const struct contest *contest, unsigned wanted)
{
    double work = 1;
    double most;

    for (uint32_t set = 0; set < contest->set_count; set++)
        work += contest->sets[set].size;
    most = fmax(WORK_MAX / work, RATING_BOOTSTRAPS_LEAST);
    if (wanted == 0)
        wanted = RATING_BOOTSTRAPS;
    return most < wanted ? (unsigned)most : wanted;
}

struct ratings *ratings_new(const struct rating_input *input)
{
    struct ratings *ratings = xcalloc(1, sizeof *ratings);
    struct contest *contest = contest_new(input->results, input->count, input->bots);
    struct fit *fit = fit_new(contest);
    struct field field = field_of(contest);
    size_t bots = input->bots;

    ratings->bots = input->bots;
    ratings->bootstraps = choose_bootstraps(contest, input->bootstraps);
    ratings->of = xcalloc(bots + 1, sizeof *ratings->of);
    ratings->part = xcalloc(bots + 1, sizeof *ratings->part);
    ratings->stretch = xcalloc(bots + 1, sizeof *ratings->stretch);
    ratings->samples = xcalloc(bots * ratings->bootstraps + 1, sizeof *ratings->samples);
    memcpy(ratings->part, field.part, bots * sizeof *ratings->part);
    estimate(ratings, fit, &field);
    resample(ratings, fit, &field, input->seed);
    find_intervals(ratings, contest);
    field_clear(&field);
    fit_free(fit);
    contest_free(contest);
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

/* The end of the interval near 0 is at difference - stretch * (difference - tail resample), so it is
 * enough to count the resamples on the far side of one value. */
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
