/* Two answers are compared on the same tables, so that luck is the same for both: what counts is
 * the difference and how much it varies. An answer that is significantly behind the leader is
 * dropped. Greedy's opinion of an answer counts like some games already played: when only a few
 * games can be played, chance would mislead more often than greedy does. */

#include "strong/search.h"

#include "strong/candidates.h"
#include "strong/trial.h"

/* Found by playing against greedy, and against variations of itself. */
#define GREEDY_GAMES 5       /* greedy's opinion counts like so many games, */
#define GREEDY_GAMES_FULL 60 /* or full games, which are more a matter of luck */
#define WORTH_OF_COST 4      /* of a point that an answer costs by greedy's opinion */
#define DOUBT 16             /* the square of the standard errors that a difference must have, */
#define DOUBT_FULL 9         /* or with full games */
#define SAMPLES_LEAST 8      /* before anybody is given up */

struct search {
    struct candidates candidates;
    struct trial trial;
    unsigned alive; /* mask: not given up */
    unsigned samples;
    double sum[CANDIDATES_MAX];
    double product[CANDIDATES_MAX][CANDIDATES_MAX]; /* sums of products, for the variances */
};

static void add_sample(struct search *search, const double *worth)
{
    for (unsigned i = 0; i < search->candidates.count; i++) {
        search->sum[i] += worth[i];
        for (unsigned j = 0; j <= i; j++)
            search->product[i][j] += worth[i] * worth[j];
    }
    search->samples++;
}

static bool is_alive(const struct search *search, unsigned i)
{
    return search->alive >> i & 1;
}

/* Tries every answer on one table. Half a sample would be unfair, so it is dropped if the time ends
 * meanwhile; then this returns false. */
static bool sample(struct search *search, const struct allegra_table *guessed, uint64_t seed,
                   const struct search_limit *limit)
{
    double worth[CANDIDATES_MAX] = {0};

    for (unsigned i = 0; i < search->candidates.count; i++) {
        if (!is_alive(search, i))
            continue;
        if (limit->is_over != NULL && limit->is_over(limit->context))
            return false;
        worth[i] = trial_play(&search->trial, guessed, search->candidates.list[i], seed);
    }
    add_sample(search, worth);
    return true;
}

/* The standing of an answer: its games, and greedy's opinion as some more. */
static double standing_of(const struct search *search, unsigned i)
{
    int games = search->trial.is_full ? GREEDY_GAMES_FULL : GREEDY_GAMES;

    return search->sum[i] -
           (double)((int64_t)games * WORTH_OF_COST * search->candidates.cost[i] / ESTIMATE_POINT);
}

static unsigned leader_of(const struct search *search)
{
    unsigned leader = (unsigned)__builtin_ctz(search->alive);

    for (unsigned i = leader; i < search->candidates.count; i++) {
        if (is_alive(search, i) && standing_of(search, i) > standing_of(search, leader))
            leader = i;
    }
    return leader;
}

/* The sum of the squared differences of two answers. */
static double squares_of(const struct search *search, unsigned i, unsigned j)
{
    double product = i > j ? search->product[i][j] : search->product[j][i];

    return search->product[i][i] + search->product[j][j] - 2 * product;
}

/* Whether `i` is behind the leader beyond doubt: its mean difference is larger than so many
 * standard errors, both sides squared and multiplied by the number of samples. */
static bool is_beaten(const struct search *search, unsigned i, unsigned leader)
{
    double behind = search->sum[leader] - search->sum[i];
    double squared = behind * behind;
    double spread = squares_of(search, i, leader) - squared / search->samples;

    return behind > 0 && squared > (search->trial.is_full ? DOUBT_FULL : DOUBT) * spread;
}

static void give_up(struct search *search)
{
    unsigned leader = leader_of(search);

    for (unsigned i = 0; i < search->candidates.count; i++) {
        if (i != leader && is_alive(search, i) && is_beaten(search, i, leader))
            search->alive &= ~(1U << i);
    }
}

static bool is_decided(const struct search *search)
{
    return (search->alive & (search->alive - 1)) == 0;
}

struct allegra_answer search_choose(const struct knowledge *knowledge,
                                    const struct allegra_legal *legal, struct allegra_dice *dice,
                                    const struct search_limit *limit)
{
    struct search search = {.samples = 0};
    struct guess guess;
    struct allegra_table table;

    if (legal->count == 1)
        return legal->list[0];
    guess_start(&guess, knowledge);
    guess_deal(&guess, dice, &table);
    candidates_pick(&search.candidates, knowledge, legal, &table);
    trial_start(&search.trial, &table, knowledge->view->me, limit->is_full);
    search.alive = (1U << search.candidates.count) - 1;
    while (!is_decided(&search) && search.samples < limit->samples &&
           sample(&search, &table, allegra_dice_next(dice), limit)) {
        if (search.samples >= SAMPLES_LEAST)
            give_up(&search);
        guess_deal(&guess, dice, &table);
    }
    return search.candidates.list[leader_of(&search)];
}
