#ifndef BOTS_STRONG_SEARCH_H
#define BOTS_STRONG_SEARCH_H

/* Finds the best answer by simulation. The promising answers are all tried on the same sampled
 * tables (strong/trial.h). Answers that fall behind are dropped, so that the time goes to those
 * that are close. */

#include "strong/guess.h"

/* When to stop: after so many guesses, when the time is over, or when only one answer is left. */
struct search_limit {
    unsigned samples;
    bool (*is_over)(void *context); /* asked before each game; NULL: there is time enough */
    void *context;
    bool is_full; /* play each game to the end of the round, without the value function */
};

/* Chooses one of `legal`, which is not empty. The same knowledge, dice and number of guesses give
 * the same answer. */
struct allegra_answer search_choose(const struct knowledge *knowledge,
                                    const struct allegra_legal *legal, struct allegra_dice *dice,
                                    const struct search_limit *limit);

#endif
