#ifndef REFEREE_SERVE_LADDER_LADDER_RATING_H
#define REFEREE_SERVE_LADDER_LADDER_RATING_H

/* The ratings of a ladder. They take up to some seconds, so a process of its own makes them
 * (`referee ladder-rate`) and prints one line per version, which the daemon reads. */

#include "base/text.h"
#include "serve/ladder/ladder_results.h"

#include <stdio.h>

struct ladder_rating {
    char version[LADDER_VERSION_MAX]; /* "NAME@VERSION" */
    double points;                    /* see rating.h; NaN: it has not played */
    double low, high;                 /* of the 95 % interval; NaN: it is not known */
    unsigned best, worst; /* ranks among the active versions that have played; 0 of others */
    bool is_unbeaten;     /* won or lost everything: see rating.h */
};

struct ratings;

/* Widens intervals and resamples as a ladder needs it. */
void ladder_rating_widen(struct ratings *ratings);

/* Rates all versions that have played; ranks are those among the `active` ones, a list of
 * "NAME@VERSION" that NULL ends. Prints one line each, which ladder_rating_read() reads. */
void ladder_rating_print(FILE *file, const struct ladder_results *results,
                         const char *const *active);

/* Writes one such line, without its end. */
void ladder_rating_write(struct text *text, const struct ladder_rating *rating);

/* Returns 0, or -1 if it is not such a line. */
int ladder_rating_read(struct ladder_rating *rating, const char *line);

#endif
