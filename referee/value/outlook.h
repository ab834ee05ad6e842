#ifndef REFEREE_VALUE_OUTLOOK_H
#define REFEREE_VALUE_OUTLOOK_H

/* What greedy thinks of a display, all at once and fast: what each card would cost in each cell.
 * The same thoughts as in greedy/hope.h and greedy/plan.h, but worked out from a table for all
 * cards and cells together, because a search asks for them a million times a second. Costs are in
 * 256ths of a point, as there. */

#include "game/allegra.h"
#include "value/estimate.h"

/* Cards are counted from 0 here, and padded to a round number. */
#define OUTLOOK_CARDS 16

/* More than any real cost. */
#define OUTLOOK_NEVER INT16_MAX

/* What is to be expected of the cards that nobody sees. */
struct outlook_odds {
    int mean;                     /* of them */
    int total;                    /* how many there are, but at least 1, */
    int16_t count[OUTLOOK_CARDS]; /* and of each card */
    int chance[ESTIMATE_TURNS_MAX + 1]
              [OUTLOOK_CARDS]; /* that a pair becomes a triple, by turns left */
};

/* One display. */
struct outlook {
    int16_t lay[ALLEGRA_CELL_COUNT]
               [OUTLOOK_CARDS];      /* what it costs to have a card in a cell that is no gap */
    int16_t best_lay[OUTLOOK_CARDS]; /* the same for the best cell, */
    int16_t own_lay[OUTLOOK_CARDS];  /* and if a shared cell counted like any other */
    int turn[ALLEGRA_CELL_COUNT];    /* what it costs to turn up a down cell */
    int best_turn;
    int cost; /* of the display as it is */
};

/* Counts the cards that lie in the draw pile and in down cells. */
void outlook_count(struct outlook_odds *odds, const struct allegra_table *table);

/* Looks at the display of `seat`, who has `turns` turns left after this one. */
void outlook_make(struct outlook *outlook, const struct allegra_table *table, unsigned seat,
                  const struct outlook_odds *odds, unsigned turns);

/* The same on machines without wide registers. Both give the same numbers. */
void outlook_make_narrow(struct outlook *outlook, const struct allegra_table *table, unsigned seat,
                         const struct outlook_odds *odds, unsigned turns);

/* Lowers each cost of `best` to that of `lay`, if it is lower. Written so that the compiler
 * compares eight at a time. */
static inline void outlook_lower(int16_t *restrict best, const int16_t *restrict lay)
{
    for (unsigned card = 0; card < OUTLOOK_CARDS; card++)
        best[card] = lay[card] < best[card] ? lay[card] : best[card];
}

/* The mean of costs by card. */
static inline int outlook_mean(const struct outlook_odds *odds, const int16_t *costs)
{
    int sum = 0;

    for (unsigned card = 0; card < OUTLOOK_CARDS; card++)
        sum += odds->count[card] * costs[card];
    return sum / odds->total;
}

#endif
