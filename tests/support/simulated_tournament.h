#ifndef TESTS_SUPPORT_SIMULATED_TOURNAMENT_H
#define TESTS_SUPPORT_SIMULATED_TOURNAMENT_H

/* Simulated tournaments of bots with known strengths. */

#include "game/allegra.h"
#include "tournament/store/result.h"

#include <stddef.h>

struct simulated_tournament {
    unsigned bots;
    const double *strengths; /* natural logarithms, by bot */
    unsigned seats;
    unsigned blocks;
    unsigned rotations; /* matches per block */
    /* The share of matches in which a bot has the luck of its block instead of new luck. 0 makes
     * all matches independent. */
    double common_luck;
};

/* The number of matches. */
size_t simulated_tournament_matches(const struct simulated_tournament *setup);

/* Plays all blocks, with a balanced choice of bots. The places of each match follow the
 * Plackett-Luce model exactly, whatever the common luck. The caller frees the results. */
struct result *simulated_tournament_play(const struct simulated_tournament *setup,
                                         struct allegra_dice *dice);

/* The true mean of a bot's score per round. */
double simulated_tournament_score(const struct simulated_tournament *setup, unsigned bot);

/* The true rating of a bot in points; the mean over all bots is 0. */
double simulated_tournament_rating(const struct simulated_tournament *setup, unsigned bot);

/* Random numbers: uniform between 0 and 1 (both excluded), normal, exponential with mean 1. */
double simulated_tournament_uniform(struct allegra_dice *dice);
double simulated_tournament_normal(struct allegra_dice *dice);
double simulated_tournament_exponential(struct allegra_dice *dice);

#endif
