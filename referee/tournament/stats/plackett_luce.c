/* The log likelihood is concave in the logs of the strengths, so climbing finds its one maximum.
 * Newton steps are found by conjugate gradients: the matrix of second derivatives is only
 * multiplied with vectors, set by set, so that a field of a thousand bots costs no more than its
 * matches. A step that goes too far is halved; the slope at its end shows whether it does, and is
 * needed for the next step anyway.
 *
 * Bots that never met, directly or through others, can be shifted against each other without
 * effect: the matrix is singular in these directions, but the gradient is 0 in them, and so is
 * every step. */

#include "tournament/stats/plackett_luce.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 500
#define HALVINGS_MAX 60
#define SOLVE_STEPS_MAX 1000
#define SOLVE_TOLERANCE 1e-3

struct plackett_luce *plackett_luce_new(const struct outcomes *outcomes)
{
    struct plackett_luce *fit = xcalloc(1, sizeof *fit);
    double **by_bot[] = {&fit->ghost_wins, &fit->ghost_losses, &fit->strengths,
                         &fit->gradient,   &fit->curvature,    &fit->direction,
                         &fit->residual,   &fit->search,       &fit->product};

    fit->outcomes = outcomes;
    fit->weights = xcalloc((size_t)outcomes->set_count + 1, sizeof *fit->weights);
    fit->odds = xcalloc((size_t)outcomes->set_count * ALLEGRA_SEATS_MAX + 1, sizeof *fit->odds);
    for (size_t i = 0; i < sizeof by_bot / sizeof *by_bot; i++)
        *by_bot[i] = xcalloc((size_t)outcomes->bots + 1, sizeof(double));
    return fit;
}

void plackett_luce_free(struct plackett_luce *fit)
{
    if (fit == NULL)
        return;
    free(fit->weights);
    free(fit->odds);
    free(fit->ghost_wins);
    free(fit->ghost_losses);
    free(fit->strengths);
    free(fit->gradient);
    free(fit->curvature);
    free(fit->direction);
    free(fit->residual);
    free(fit->search);
    free(fit->product);
    free(fit);
}

/* Measured from the strongest of the set, so that no strength is too large for a double. */
static void find_odds(const struct plackett_luce *fit, const struct outcome_set *set, double *odds)
{
    double most = -INFINITY;
    double sum = 0;

    for (unsigned i = 0; i < set->size; i++)
        most = fmax(most, fit->strengths[set->bots[i]]);
    for (unsigned i = 0; i < set->size; i++)
        sum += odds[i] = exp(fit->strengths[set->bots[i]] - most);
    for (unsigned i = 0; i < set->size; i++)
        odds[i] /= sum;
}

static double ghost_odds(double strength)
{
    return 1 / (1 + exp(-strength));
}

/* A set of one bot stands for its choices. */
static void add_set_slopes(struct plackett_luce *fit, uint32_t number)
{
    const struct outcome_set *set = &fit->outcomes->sets[number];
    double *odds = fit->odds + (size_t)number * ALLEGRA_SEATS_MAX;
    double weight = fit->weights[number];

    if (set->size == 1) {
        fit->gradient[set->bots[0]] += weight;
        return;
    }
    find_odds(fit, set, odds);
    for (unsigned i = 0; i < set->size; i++) {
        fit->gradient[set->bots[i]] -= weight * odds[i];
        fit->curvature[set->bots[i]] += weight * odds[i] * (1 - odds[i]);
    }
}

static void find_slopes(struct plackett_luce *fit)
{
    memset(fit->gradient, 0, fit->outcomes->bots * sizeof *fit->gradient);
    memset(fit->curvature, 0, fit->outcomes->bots * sizeof *fit->curvature);
    for (uint32_t number = 0; number < fit->outcomes->set_count; number++)
        add_set_slopes(fit, number);
    for (unsigned bot = 0; bot < fit->outcomes->bots; bot++) {
        double odds = ghost_odds(fit->strengths[bot]);
        double matches = fit->ghost_wins[bot] + fit->ghost_losses[bot];

        fit->gradient[bot] += fit->ghost_wins[bot] - matches * odds;
        fit->curvature[bot] += matches * odds * (1 - odds);
    }
}

/* The negated matrix of second derivatives times a vector. */
static void multiply(const struct plackett_luce *fit, const double *vector, double *product)
{
    const struct outcomes *outcomes = fit->outcomes;

    for (unsigned bot = 0; bot < outcomes->bots; bot++) {
        double matches = fit->ghost_wins[bot] + fit->ghost_losses[bot];
        double odds = matches > 0 ? ghost_odds(fit->strengths[bot]) : 0;

        product[bot] = matches * odds * (1 - odds) * vector[bot];
    }
    for (uint32_t number = 0; number < outcomes->set_count; number++) {
        const struct outcome_set *set = &outcomes->sets[number];
        const double *odds = fit->odds + (size_t)number * ALLEGRA_SEATS_MAX;
        double mean = 0;

        if (set->size == 1)
            continue;
        for (unsigned i = 0; i < set->size; i++)
            mean += odds[i] * vector[set->bots[i]];
        for (unsigned i = 0; i < set->size; i++)
            product[set->bots[i]] += fit->weights[number] * odds[i] * (vector[set->bots[i]] - mean);
    }
}

static double dot(const double *left, const double *right, unsigned count)
{
    double sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += left[i] * right[i];
    return sum;
}

/* The residual times what divides it by the diagonal, left in `product`. */
static double precondition(struct plackett_luce *fit)
{
    for (unsigned bot = 0; bot < fit->outcomes->bots; bot++)
        fit->product[bot] = fit->curvature[bot] > 0 ? fit->residual[bot] / fit->curvature[bot] : 0;
    return dot(fit->residual, fit->product, fit->outcomes->bots);
}

/* Newton's direction, to a thousandth: more precision would not bring the maximum nearer. */
static void find_direction(struct plackett_luce *fit)
{
    unsigned bots = fit->outcomes->bots;
    double size;
    double first;

    memset(fit->direction, 0, bots * sizeof *fit->direction);
    memcpy(fit->residual, fit->gradient, bots * sizeof *fit->residual);
    first = size = precondition(fit);
    memcpy(fit->search, fit->product, bots * sizeof *fit->search);
    for (int step = 0; step < SOLVE_STEPS_MAX; step++) {
        double before = size;
        double bend;

        if (size <= first * SOLVE_TOLERANCE * SOLVE_TOLERANCE)
            return;
        multiply(fit, fit->search, fit->product);
        bend = dot(fit->search, fit->product, bots);
        if (!(bend > 0))
            return;
        for (unsigned bot = 0; bot < bots; bot++) {
            fit->direction[bot] += size / bend * fit->search[bot];
            fit->residual[bot] -= size / bend * fit->product[bot];
        }
        size = precondition(fit);
        for (unsigned bot = 0; bot < bots; bot++)
            fit->search[bot] = fit->product[bot] + size / before * fit->search[bot];
    }
}

static void move(struct plackett_luce *fit, double length)
{
    for (unsigned bot = 0; bot < fit->outcomes->bots; bot++)
        fit->strengths[bot] += length * fit->direction[bot];
    find_slopes(fit);
}

/* Moves along the direction, all of it or a half, a quarter, …: not so far that the slope down
 * behind the top is more than half as steep as the slope up was. Returns the largest change of a
 * strength. */
static double take_step(struct plackett_luce *fit)
{
    unsigned bots = fit->outcomes->bots;
    double slope = dot(fit->gradient, fit->direction, bots);
    double length = 1;
    double most = 0;

    move(fit, length);
    for (int halving = 0; halving < HALVINGS_MAX; halving++) {
        if (dot(fit->gradient, fit->direction, bots) >= -slope / 2)
            break;
        length /= 2;
        move(fit, -length);
    }
    for (unsigned bot = 0; bot < bots; bot++)
        most = fmax(most, fabs(length * fit->direction[bot]));
    return most;
}

void plackett_luce_climb(struct plackett_luce *fit, double tolerance)
{
    find_slopes(fit);
    for (int step = 0; step < STEPS_MAX; step++) {
        find_direction(fit);
        if (take_step(fit) <= tolerance)
            return;
    }
}
