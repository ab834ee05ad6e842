#ifndef REFEREE_TOURNAMENT_STATS_STRENGTH_FIT_H
#define REFEREE_TOURNAMENT_STATS_STRENGTH_FIT_H

/* The log strengths that make the results of a tournament most likely, by the Plackett-Luce model
 * (see outcomes.h).
 *
 * Where the likelihood of a part of the field has no maximum (see components.h), a ghost provides
 * one: its log strength is 0, and each bot of the part has half a win and half a loss against
 * it. */

#include "tournament/stats/components.h"
#include "tournament/stats/outcomes.h"
#include "tournament/stats/plackett_luce.h"

struct strength_fit {
    struct outcomes *outcomes;
    struct components *components;
    struct plackett_luce *fit; /* its strengths are the estimate; see components_centre() */
};

/* Ends the program if a result is impossible. `start` has log strengths near the maximum, if any
 * are known, or is NULL; `tolerance` is that of plackett_luce_climb(). */
struct strength_fit strength_fit_make(const struct result *results, size_t count, unsigned bots,
                                      const double *start, double tolerance);
void strength_fit_free(struct strength_fit *estimate);

/* How much the blocks scatter, compared with what the model expects if all matches are
 * independent: about 1 then, less if luck cancels out within blocks, more if it adds up. Somewhat
 * below that, because the strengths are estimated from the same results. NaN without a match. */
double strength_fit_dispersion(const struct strength_fit *estimate);

#endif
