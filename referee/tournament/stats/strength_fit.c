/* The dispersion compares, over all blocks and bots, the squares of the slopes of the log
 * likelihood with the variances that the model gives them. A slope is the number of choices that a
 * bot won in a block, minus the number that it was expected to win. */

#include "tournament/stats/strength_fit.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct strength_fit strength_fit_make(const struct result *results, size_t count, unsigned bots,
                                      const double *start, double tolerance)
{
    struct strength_fit estimate = {.outcomes = outcomes_new(results, count, bots)};
    struct plackett_luce *fit = estimate.fit = plackett_luce_new(estimate.outcomes);

    estimate.components = components_new(estimate.outcomes->beaten);
    if (start != NULL)
        memcpy(fit->strengths, start, bots * sizeof *start);
    outcomes_weigh(estimate.outcomes, NULL, fit->weights);
    for (unsigned bot = 0; bot < bots; bot++)
        if (estimate.components->is_broken[bot])
            fit->ghost_wins[bot] = fit->ghost_losses[bot] = 0.5;
    plackett_luce_climb(fit, tolerance);
    components_centre(estimate.components, fit->strengths);
    return estimate;
}

void strength_fit_free(struct strength_fit *estimate)
{
    components_free(estimate->components);
    plackett_luce_free(estimate->fit);
    outcomes_free(estimate->outcomes);
}

/* Adds the slopes of one block by bot; returns the sum of their expected squares. */
static double add_slopes(const struct strength_fit *estimate, unsigned block, double *slopes)
{
    const struct outcomes *outcomes = estimate->outcomes;
    double expected = 0;

    for (size_t i = outcomes->first[block]; i < outcomes->first[block + 1]; i++) {
        uint32_t number = outcomes->shares[i].set;
        const struct outcome_set *set = &outcomes->sets[number];
        const double *odds = estimate->fit->odds + (size_t)number * ALLEGRA_SEATS_MAX;
        double weight = (double)outcomes->shares[i].sixtieths / OUTCOMES_WHOLE;

        if (set->size == 1)
            slopes[set->bots[0]] += weight;
        for (unsigned j = 0; j < set->size && set->size > 1; j++) {
            slopes[set->bots[j]] -= weight * odds[j];
            expected += weight * odds[j] * (1 - odds[j]);
        }
    }
    return expected;
}

/* The sum of the squares of the slopes of a block, which become 0 again. */
static double take_squares(const struct outcomes *outcomes, unsigned block, double *slopes)
{
    double squares = 0;

    for (size_t i = outcomes->first[block]; i < outcomes->first[block + 1]; i++) {
        const struct outcome_set *set = &outcomes->sets[outcomes->shares[i].set];

        for (unsigned j = 0; j < set->size; j++) {
            squares += slopes[set->bots[j]] * slopes[set->bots[j]];
            slopes[set->bots[j]] = 0;
        }
    }
    return squares;
}

double strength_fit_dispersion(const struct strength_fit *estimate)
{
    const struct outcomes *outcomes = estimate->outcomes;
    double *slopes = xcalloc((size_t)outcomes->bots + 1, sizeof *slopes);
    double expected = 0;
    double squares = 0;

    for (unsigned block = 0; block < outcomes->blocks; block++) {
        expected += add_slopes(estimate, block, slopes);
        squares += take_squares(outcomes, block, slopes);
    }
    free(slopes);
    return expected > 0 ? squares / expected : NAN;
}
