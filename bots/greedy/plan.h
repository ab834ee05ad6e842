#ifndef BOTS_GREEDY_PLAN_H
#define BOTS_GREEDY_PLAN_H

/* What each possible action costs, all things considered: our display, the neighbour that shares a
 * column, the next player, who gets what we discard, and the end of the round. */

#include "greedy/hope.h"

/* Everything that goes into one decision. Costs are computed when they are first needed. */
struct plan {
    const struct allegra_view *view;
    const struct odds *odds;
    struct hope hope;
    int8_t face[ALLEGRA_CELL_COUNT]; /* our display */
    int8_t next[ALLEGRA_CELL_COUNT]; /* the display of the next player */
    uint16_t down;                   /* our down cells */
    int gift;                        /* the share of another player's gain that is our loss */
    int patience;                    /* the share of the risk of ending the round that counts */

    int own_score;                 /* if we can end the round: what we have now, */
    int score[ALLEGRA_SEATS_MAX];  /* what each seat will have, */
    int spread[ALLEGRA_SEATS_MAX]; /* and how far it may be from that */

    int best;       /* the lowest cost of an answer so far */
    uint16_t known; /* the cells whose costs have been found */
    int cost[ALLEGRA_CELL_COUNT][ALLEGRA_CARD_VALUES];
    unsigned known_left; /* the values whose costs to leave them have been found */
    int left_cost[ALLEGRA_CARD_VALUES];
};

/* Starts to weigh a question to view->me. Both are borrowed. */
void plan_make(struct plan *plan, const struct allegra_view *view, const struct odds *odds);

/* What it costs to have `card` up in our `cell`. */
int plan_lay_cost(struct plan *plan, unsigned cell, int card);

/* What it costs to turn up our down `cell`. */
int plan_turn_cost(struct plan *plan, unsigned cell);

/* The same for the best cell. */
int plan_best_lay(struct plan *plan, int card);
int plan_best_turn(struct plan *plan);

/* What the best use of an unseen card costs, or `otherwise` if that is less. */
int plan_unseen_cost(struct plan *plan, int otherwise);

/* What it costs to leave `face` on the discard pile for the next player. */
int plan_leave_cost(struct plan *plan, int face);

/* What it costs to fill `cell` beyond the cards: nothing, unless it is our last down cell and we
 * end the round, with `change` added to what our display costs now. */
int plan_end_cost(const struct plan *plan, unsigned cell, int change);

#endif
