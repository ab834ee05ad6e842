/* A bot is surely better than another if the whole simultaneous interval of the difference of
 * their ratings is above 0. Its range of ranks begins behind the bots that are surely better and
 * ends before those that are surely worse.
 *
 * Simultaneous: the ends of all intervals are as many standard errors away from their differences
 * that in 95 % of the resamples no difference of any two bots is outside. (With 95 % for each pair
 * alone, 8 identical bots would be told apart in every third tournament.) A standard error is that
 * of the side on which the end lies, because the resamples of a bot that won everything reach far
 * on the other side. Few blocks make few different resamples, in which all pairs seem to go
 * together. So the number of errors is at least that of independent bots, which is known exactly.
 *
 * That number is one of the normal distribution. Student's distribution has the value with the
 * same probability beyond it, for the degrees of freedom of the bot that has fewer: see rating.c.
 *
 * Bots of parts that never met are never told apart, nor are bots with a single block. */

#include "tournament/stats/rank_range.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define ERROR_RATE 0.05
#define STEPS 400 /* of an integral over 16 standard deviations */
#define HALVINGS 60

static double normal_below(double value)
{
    return erfc(-value * M_SQRT1_2) / 2;
}

/* The probability that the range of independent standard normal numbers is at most `range`: the
 * lowest number is at z, and the others are within `range` above it. */
static double range_below(double range, unsigned numbers)
{
    double step = 16.0 / STEPS;
    double sum = 0;

    for (unsigned i = 0; i <= STEPS; i++) {
        double z = -8 - range / 2 + i * step;
        double density = exp(-z * z / 2) / sqrt(2 * M_PI);

        sum += numbers * density * pow(normal_below(z + range) - normal_below(z), numbers - 1.0) *
               step;
    }
    return sum;
}

double rank_range_least(unsigned numbers)
{
    double low = 0;
    double high = 20;

    for (unsigned i = 0; i < HALVINGS && numbers > 1; i++) {
        double middle = (low + high) / 2;

        if (range_below(middle, numbers) < 1 - ERROR_RATE)
            low = middle;
        else
            high = middle;
    }
    return low / M_SQRT2;
}

/* The difference of two bots' ratings, and its standard errors downwards and upwards. */
struct difference {
    const double *one; /* samples */
    const double *other;
    double points;
    double down;
    double up;
};

static bool is_known(const struct ratings *ratings, unsigned bot)
{
    return ratings->freedom[bot] > 0 && !isnan(ratings->of[bot].points);
}

/* Returns false if the two cannot be compared. */
static bool find_difference(const struct ratings *ratings, unsigned one, unsigned other,
                            struct difference *difference)
{
    double down = 0;
    double up = 0;

    if (!is_known(ratings, one) || !is_known(ratings, other) ||
        ratings->part[one] != ratings->part[other])
        return false;
    difference->one = ratings->samples + (size_t)one * ratings->bootstraps;
    difference->other = ratings->samples + (size_t)other * ratings->bootstraps;
    difference->points = ratings->of[one].points - ratings->of[other].points;
    for (unsigned i = 0; i < ratings->bootstraps; i++) {
        double error = difference->one[i] - difference->other[i] - difference->points;

        down += error < 0 ? error * error : 0;
        up += error > 0 ? error * error : 0;
    }
    difference->down = sqrt(2 * down / ratings->bootstraps);
    difference->up = sqrt(2 * up / ratings->bootstraps);
    return true;
}

/* By resample: how many standard errors the most extreme difference is off. */
static void raise_most(const struct ratings *ratings, const struct difference *difference,
                       double *most)
{
    double down = difference->down > 0 ? 1 / difference->down : 0;
    double up = difference->up > 0 ? 1 / difference->up : 0;

    for (unsigned i = 0; i < ratings->bootstraps; i++) {
        double error = difference->one[i] - difference->other[i] - difference->points;
        double errors = error < 0 ? -error * down : error * up;

        most[i] = errors > most[i] ? errors : most[i];
    }
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

/* How many standard errors cover all differences at once, if the errors were known exactly. */
static double find_reach(const struct ratings *ratings)
{
    double *most = xcalloc((size_t)ratings->bootstraps + 1, sizeof *most);
    struct difference difference;
    unsigned known = 0;
    double reach;

    for (unsigned one = 0; one < ratings->bots; one++) {
        known += is_known(ratings, one);
        for (unsigned other = 0; other < one; other++)
            if (find_difference(ratings, one, other, &difference))
                raise_most(ratings, &difference, most);
    }
    qsort(most, ratings->bootstraps, sizeof *most, compare_doubles);
    reach = most[ratings->bootstraps - 1 - (unsigned)(ERROR_RATE * ratings->bootstraps)];
    free(most);
    return fmax(reach, rank_range_least(known));
}

/* By bot: the same for its degrees of freedom. */
static double *stretch_reach(const struct ratings *ratings, double reach)
{
    double *reaches = xcalloc((size_t)ratings->bots + 1, sizeof *reaches);
    double tail = normal_below(-reach);

    for (unsigned bot = 0; bot < ratings->bots; bot++) {
        double freedom = ratings->freedom[bot];

        if (!is_known(ratings, bot))
            continue;
        if (bot > 0 && freedom == ratings->freedom[bot - 1])
            reaches[bot] = reaches[bot - 1];
        else if (isinf(freedom))
            reaches[bot] = reach;
        else
            reaches[bot] = -rating_widening(freedom) * student_t_quantile(tail, freedom);
    }
    return reaches;
}

struct rank_range *rank_ranges_new(const struct ratings *ratings)
{
    struct rank_range *ranges = xcalloc((size_t)ratings->bots + 1, sizeof *ranges);
    double *reaches = stretch_reach(ratings, find_reach(ratings));
    struct difference difference;
    unsigned rated = 0;

    for (unsigned bot = 0; bot < ratings->bots; bot++)
        rated += isnan(ratings->of[bot].points) ? 0 : 1;
    for (unsigned bot = 0; bot < ratings->bots; bot++)
        if (!isnan(ratings->of[bot].points))
            ranges[bot] = (struct rank_range){1, rated};
    for (unsigned one = 0; one < ratings->bots; one++)
        for (unsigned other = 0; other < ratings->bots; other++) {
            if (one == other || !(ratings->of[one].points > ratings->of[other].points) ||
                !find_difference(ratings, one, other, &difference) || !(difference.down > 0))
                continue;
            if (difference.points > fmax(reaches[one], reaches[other]) * difference.down) {
                ranges[other].best++;
                ranges[one].worst--;
            }
        }
    free(reaches);
    return ranges;
}
