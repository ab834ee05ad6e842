#ifndef REFEREE_VALUE_JUDGE_H
#define REFEREE_VALUE_JUDGE_H

/* How good an answer was, judged from what its seat knew.
 *
 * The hidden cards are dealt again many times as the seat could imagine them; on each deal the
 * answers are given in turn, and the quick policy (swift.h) plays on for all seats. All answers get
 * the same deals and the same luck afterwards, so their differences are much more exact than their
 * means. Where the cards really lie never counts.
 *
 * Fewer points are better, and so is a higher share of the win. Where both count at once, a whole
 * win counts like JUDGE_WIN_POINTS. */

#include "game/allegra.h"

#define JUDGE_WIN_POINTS 30

/* The most deals for judge_answers(). */
#define JUDGE_SAMPLES_MAX 64

/* Deals to judge on. */
struct judge_setup {
    uint64_t seed;    /* other seeds give other deals */
    unsigned samples; /* how many; for judge_answers() at most JUDGE_SAMPLES_MAX */
    unsigned turns;   /* played before the value function judges; 0: to the end of the round */
};

/* A mean and its standard error. */
struct judge_estimate {
    double mean;
    double error;
};

/* What one answer costs more than another: above 0 the other one is better. */
struct judge_cost {
    struct judge_estimate points;
    struct judge_estimate wins;  /* as a share of the win */
    struct judge_estimate worth; /* both together, in points */
};

/* One answer. */
struct judged {
    struct allegra_answer answer;
    unsigned samples;             /* fewer than wanted if it was given up, being far behind */
    struct judge_estimate points; /* the expected total of the seat after this round */
    struct judge_estimate wins;   /* the expected share of the win */
    struct judge_cost cost;       /* against the best answer */
};

/* All legal answers of a question, in the order of allegra_legal_list(). */
struct judgement {
    unsigned count;
    unsigned best; /* its place in the list; of several equal ones the first */
    struct judged list[ALLEGRA_LEGAL_MAX];
};

/* Judges all legal answers of `seat`, which is asked something. The answers of others that are
 * asked at the same time are those of the quick policy, and a knock with a cell is judged as a
 * promise that is kept. The best answer was picked because it did
 * well on these deals, so the costs are a little too high: use judge_pair_add() with another seed
 * for a figure without that. */
void judge_answers(const struct allegra_table *table, unsigned seat,
                   const struct judge_setup *setup, struct judgement *judgement);

/* Two answers to the same question, compared on as many deals as the caller likes. Starts as
 * zeroes, except for the answers. */
struct judge_pair {
    struct allegra_answer answer, other;
    unsigned samples;
    double sum[3], squares[3]; /* of differences in points, wins, worth */
};

/* Compares them on `setup->samples` further deals. Deal number i of a seed is always the same. */
void judge_pair_add(struct judge_pair *pair, const struct allegra_table *table, unsigned seat,
                    const struct judge_setup *setup);

/* What `answer` costs more than `other`; it has no error before the second deal. */
struct judge_cost judge_pair_cost(const struct judge_pair *pair);

/* The mean minus so many standard errors. */
static inline double judge_least(struct judge_estimate estimate, double errors)
{
    return estimate.mean - errors * estimate.error;
}

#endif
