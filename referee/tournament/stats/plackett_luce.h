#ifndef REFEREE_TOURNAMENT_STATS_PLACKETT_LUCE_H
#define REFEREE_TOURNAMENT_STATS_PLACKETT_LUCE_H

/* The strengths under which what happened in a contest is most likely. */

#include "tournament/stats/outcomes.h"

#include <stddef.h>

/* A maximisation and its room, which one contest can use again and again. The caller sets the first
 * four arrays; what is no bot's concern stays 0. */
struct plackett_luce {
    const struct outcomes *outcomes; /* lent */
    double *weights;                 /* by set, see outcomes_weigh() */
    double *ghost_wins;              /* by bot: against a bot whose log strength is 0 */
    double *ghost_losses;
    double *strengths; /* by bot: logs; where the climb begins, and then where it ends */
    /* its own */
    double *odds;      /* by set and member: how likely it is chosen from it */
    double *gradient;  /* by bot, as all that follow */
    double *curvature; /* the diagonal of the matrix of second derivatives, negated */
    double *direction;
    double *residual;
    double *search;
    double *product;
};

struct plackett_luce *plackett_luce_new(const struct outcomes *outcomes);
void plackett_luce_free(struct plackett_luce *fit);

/* Climbs until a step changes no log strength by more than `tolerance`, after which the error is about
 * its thousandth part or its square, whichever is more. There must be a maximum: see rating.c. Where
 * strengths can be shifted together without effect, they are left where the climb came to. */
void plackett_luce_climb(struct plackett_luce *fit, double tolerance);

#endif
