#ifndef REFEREE_TOURNAMENT_STATS_PLACKETT_LUCE_H
#define REFEREE_TOURNAMENT_STATS_PLACKETT_LUCE_H

/* The strengths that make the outcomes of a tournament most likely. */

#include "tournament/stats/outcomes.h"

#include <stddef.h>

/* A maximisation and its memory, which can be used again for the same outcomes. The caller sets the
 * first four arrays; they start as 0. */
struct plackett_luce {
    const struct outcomes *outcomes; /* lent */
    double *weights;                 /* by set, see outcomes_weigh() */
    double *ghost_wins;              /* by bot: against a bot whose log strength is 0 */
    double *ghost_losses;
    double *strengths; /* by bot: logs; the start of the climb, and then its end */
    /* internal */
    double *odds;      /* by set and member: the probability that it is chosen */
    double *gradient;  /* by bot, as all that follow */
    double *curvature; /* the diagonal of the matrix of second derivatives, negated */
    double *direction;
    double *residual;
    double *search;
    double *product;
};

struct plackett_luce *plackett_luce_new(const struct outcomes *outcomes);
void plackett_luce_free(struct plackett_luce *fit);

/* Climbs until a step changes no log strength by more than `tolerance`; the error is then about a
 * thousandth of it or its square, whichever is larger. There must be a maximum: see rating.c. Where
 * strengths can be shifted together without effect, they stay where the climb has taken them. */
void plackett_luce_climb(struct plackett_luce *fit, double tolerance);

#endif
