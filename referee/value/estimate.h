#ifndef REFEREE_VALUE_ESTIMATE_H
#define REFEREE_VALUE_ESTIMATE_H

/* Rules of thumb that `greedy` and the quick policy share. Costs are counted in 256ths of a point,
 * chances and shares in 256ths of 1: integers, so that both play identically on every machine. */

#define ESTIMATE_POINT 256
#define ESTIMATE_CERTAIN 256

/* More than any real cost. */
#define ESTIMATE_NEVER (1 << 28)

/* Found by playing against variations of itself. */
#define ESTIMATE_SEEN_IN_A_TURN 2 /* cards that a player can choose from */
#define ESTIMATE_TURNS_MAX 6      /* nobody plans further ahead */
#define ESTIMATE_PAIR_SHARE 140   /* of a pair's chance: other cells want cards too */
#define ESTIMATE_USUAL_GAIN (4 * ESTIMATE_POINT) /* of a player in a usual turn */
#define ESTIMATE_NEIGHBOUR_SHARE 160 /* of a gain in a shared column: it is the neighbour's too */
#define ESTIMATE_DISCARD_SHARE 85    /* of what the next player gains with our discard */

/* The share of the risk of ending the round that still counts after this many turns of each player:
 * nobody may want to end a round, but no round lasts forever. */
int estimate_patience(int turns);

/* How far the score of a rival with so many down cells may be from what is expected. */
int estimate_spread(unsigned down);

/* The chance that a rival who expects `expected` ends with `score` or less. */
int estimate_chance_below(int score, int expected, int spread);

/* What it costs to end the round with `score`, if it is the lowest with the chance `success`. */
int estimate_risk(int score, int success, int patience);

static inline int estimate_share(int cost, int share)
{
    return cost * share / ESTIMATE_CERTAIN;
}

static inline int estimate_lower(int one, int other)
{
    return one < other ? one : other;
}

static inline int estimate_higher(int one, int other)
{
    return one > other ? one : other;
}

#endif
