#ifndef TESTS_SUPPORT_FIELD_H
#define TESTS_SUPPORT_FIELD_H

/* Simulated tournaments of bots whose strengths are known. */

#include "game/dice.h"
#include "tournament/store/result.h"

#include <stddef.h>

struct field_setup {
    unsigned bots;
    const double *strengths; /* logs, by bot */
    unsigned seats;
    unsigned blocks;
    unsigned rotations; /* matches of a block */
    /* The share of matches in which a bot has the luck that it has in this deal, instead of one of its
     * own: 0 makes all matches independent. */
    double common_luck;
};

/* How many matches it has. */
size_t field_matches(const struct field_setup *setup);

/* Plays: each block by a balanced choice of bots. The places of each match follow the Plackett-Luce
 * model exactly, whatever the common luck. Give it back with free(). */
struct result *field_play(const struct field_setup *setup, struct allegra_dice *dice);

/* The true mean of a bot's score a round. */
double field_score(const struct field_setup *setup, unsigned bot);

/* The true rating of a bot: in points, the mean of all is 0. */
double field_rating(const struct field_setup *setup, unsigned bot);

/* Random numbers: from 0 to 1, neither included; normal; exponential with mean 1. */
double field_uniform(struct allegra_dice *dice);
double field_normal(struct allegra_dice *dice);
double field_exponential(struct allegra_dice *dice);

#endif
