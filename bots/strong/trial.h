#ifndef BOTS_STRONG_TRIAL_H
#define BOTS_STRONG_TRIAL_H

/* What an answer is worth on one sampled table. The swift policy plays every seat until the turn
 * has come back to the seat that was asked a second time; the value function (value/value.h) judges
 * the table there. A game that ends sooner, or is about to end, is judged by its result. */

#include "value/swift.h"
#include "value/value_look.h"

struct trial {
    unsigned me;
    bool is_full;         /* play to the end of the round instead, without the value function */
    struct glance glance; /* at the table before the answer; every game starts with a copy */
    struct network_memory memory; /* what the value function has seen: it only saves time */
};

/* Prepares games for the seat `me`. `table` is any guess from what the seat knows: all that is
 * remembered of it follows from its open cards. */
void trial_start(struct trial *trial, const struct allegra_table *table, unsigned me, bool is_full);

/* Plays `answer` on a guess. The better the result for the seat, the higher: a sure win of the
 * match is about 100 more than a sure loss. The same seed gives the same shuffles. */
double trial_play(struct trial *trial, const struct allegra_table *guessed,
                  struct allegra_answer answer, uint64_t seed);

#endif
