/* What is known about a version is a normal distribution of its log strength: a prior as wide as
 * the field, and the information from its matches, as the Plackett-Luce model has it. A new version
 * inherits nothing, so it begins with the prior. Matches with one opponent say how much stronger
 * it is than that one, so they never say more than what is known about the opponent: w information
 * about the difference is w / (1 + w v) about the version, if v is the variance of the opponent.
 * The variances depend on each other and are found step by step.
 *
 * The order of two bots is worth as much as they differ. Before a match the best that can be said
 * is the order of their means, and what it is worth is the difference d of the means. A match will
 * move the difference by a normal amount whose variance s^2 is what the match takes away from the
 * variance; afterwards the order is worth E|d'|. So a match is expected to gain
 *
 *   E|d'| - |d| = 2 s (phi(z) - z Phi(-z)),  z = |d| / s,
 *
 * summed over all others. The gain is large for a new version, and where bots are close to each
 * other and little is known; it vanishes for bots that are far apart, and for bots that are known
 * so well that a match can hardly move them. First comes the version that gains most, then one by
 * one the opponents with which it and they gain most. */

#include "serve/ladder/ladder_choose.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define EVEN 0.25 /* information from a match of two equal bots */
#define STEPS 12
#define FAR 6 /* z beyond which nothing is gained */

struct ladder_choice *ladder_choice_new(unsigned count)
{
    struct ladder_choice *choice = xcalloc(1, sizeof *choice);

    choice->count = count;
    choice->entrants = xcalloc(count + 1U, sizeof *choice->entrants);
    choice->pairs = xcalloc((size_t)count * count + 1, sizeof *choice->pairs);
    choice->variances = xcalloc(count + 1U, sizeof *choice->variances);
    choice->means = xcalloc(count + 1U, sizeof *choice->means);
    return choice;
}

void ladder_choice_free(struct ladder_choice *choice)
{
    free(choice->entrants);
    free(choice->pairs);
    free(choice->variances);
    free(choice->means);
    free(choice);
}

/* Of the information from all pairs at a table, the share that its order has: 1 for two seats, less
 * for more, because the pairs of one order depend on each other. Exact for equal bots. */
static double share_of_pairs(unsigned seats)
{
    double sum = 0;

    for (unsigned left = 2; left <= seats; left++)
        sum += 1 - 1.0 / left;
    return sum * 4 / (seats * (seats - 1.0));
}

/* What one match of two says about the difference of their strengths. */
static double pair_information(const struct ladder_choice *choice, unsigned one, unsigned other)
{
    double odds = 1 / (1 + exp(choice->entrants[other].strength - choice->entrants[one].strength));

    return odds * (1 - odds);
}

void ladder_choice_learn(struct ladder_choice *choice, const unsigned *table, unsigned seats,
                         double matches)
{
    double share = matches * share_of_pairs(seats);

    for (unsigned i = 0; i < seats; i++) {
        for (unsigned j = 0; j < seats; j++) {
            if (i != j)
                choice->pairs[(size_t)table[i] * choice->count + table[j]] +=
                    (float)(share * pair_information(choice, table[i], table[j]));
        }
    }
}

/* What is known. */

/* The information of the prior: as wide as the field, and not too narrow, because a newcomer may be
 * better than all. */
static double find_prior(const struct ladder_choice *choice)
{
    double sum = 0, squares = 0;

    for (unsigned i = 0; i < choice->count; i++) {
        sum += choice->entrants[i].strength;
        squares += choice->entrants[i].strength * choice->entrants[i].strength;
    }
    sum /= choice->count;
    return 1 / (1 + fmax(0, squares / choice->count - sum * sum));
}

/* What `pair` information about the difference says about one of the two. */
static double from_pair(double pair, double variance)
{
    return pair / (1 + pair * variance);
}

static double sum_information(const struct ladder_choice *choice, unsigned one)
{
    const float *pairs = choice->pairs + (size_t)one * choice->count;
    double sum = 0;

    for (unsigned other = 0; other < choice->count; other++)
        sum += pairs[other] > 0 ? from_pair(pairs[other], choice->variances[other]) : 0;
    return sum;
}

static void find_variances(struct ladder_choice *choice)
{
    double prior = find_prior(choice);

    for (unsigned i = 0; i < choice->count; i++)
        choice->variances[i] = 1 / prior;
    for (unsigned step = 0; step < STEPS; step++) {
        for (unsigned i = 0; i < choice->count; i++) {
            double information = sum_information(choice, i);

            choice->variances[i] = 1 / (prior + information);
            choice->means[i] = choice->entrants[i].strength * information * choice->variances[i];
        }
    }
}

/* What is gained if so much is learned about one. */
static double gain(const struct ladder_choice *choice, unsigned one, double information)
{
    double variance = choice->variances[one];
    double moves = sqrt(variance - 1 / (1 / variance + information));
    double sum = 0;

    for (unsigned other = 0; other < choice->count && moves > 0; other++) {
        double z = fabs(choice->means[one] - choice->means[other]) / moves;

        if (other != one && choice->entrants[other].may_play && z < FAR)
            sum += 2 * moves * (exp(-z * z / 2) / sqrt(2 * M_PI) - z * erfc(z * M_SQRT1_2) / 2);
    }
    return sum;
}

/* What one learns from so many matches with another, on top of what they have played. */
static double learn_from(const struct ladder_choice *choice, unsigned one, unsigned other,
                         double matches)
{
    double before = choice->pairs[(size_t)one * choice->count + other];
    double after = before + matches * pair_information(choice, one, other);

    return from_pair(after, choice->variances[other]) - from_pair(before, choice->variances[other]);
}

/* A table that is being filled. */
struct seats {
    unsigned *table;
    unsigned seated;
    double matches; /* times the share of pairs */
};

/* What is gained if another one sits down: for the first one at the table, and for itself. */
static double gain_with(const struct ladder_choice *choice, const struct seats *seats,
                        unsigned other)
{
    unsigned first = seats->table[0];
    double for_first = learn_from(choice, first, other, seats->matches);
    double for_other = 0;

    for (unsigned i = 1; i < seats->seated; i++)
        for_first += learn_from(choice, first, seats->table[i], seats->matches);
    for (unsigned i = 0; i < seats->seated; i++)
        for_other += learn_from(choice, other, seats->table[i], seats->matches);
    return gain(choice, first, for_first) + gain(choice, other, for_other);
}

static bool is_seated(const struct seats *seats, unsigned one)
{
    unsigned i = 0;

    while (i < seats->seated && seats->table[i] != one)
        i++;
    return i < seats->seated;
}

/* Seats the next one: of those that gain equally, the first. Returns false if there is none. */
static bool seat_next(const struct ladder_choice *choice, struct seats *seats, unsigned size)
{
    double most = -1;

    for (unsigned one = 0; one < choice->count; one++) {
        const struct ladder_entrant *entrant = &choice->entrants[one];
        double gained;

        if (!entrant->may_play || (seats->seated == 0 ? !entrant->is_due : is_seated(seats, one)))
            continue;
        gained = seats->seated == 0 ? gain(choice, one, EVEN * (size - 1) * seats->matches)
                                    : gain_with(choice, seats, one);
        if (gained > most) {
            most = gained;
            seats->table[seats->seated] = one;
        }
    }
    seats->seated++;
    return most >= 0;
}

bool ladder_choice_make(struct ladder_choice *choice, unsigned size, double matches,
                        unsigned *table)
{
    struct seats seats = {.table = table, .matches = matches * share_of_pairs(size)};

    find_variances(choice);
    while (seats.seated < size) {
        if (!seat_next(choice, &seats, size))
            return false;
    }
    return true;
}
