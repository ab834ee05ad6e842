#ifndef BOTS_GREEDY_HOPE_H
#define BOTS_GREEDY_HOPE_H

/* What a display is worth to its owner: the sum of its cards less its hopes. A hope is a pair that
 * may become a triple before the round ends, or a triple that only waits to be cleared. Costs are
 * counted in 256ths of a point, chances and shares in 256ths of 1: integers, so that it plays
 * identically on every machine. */

#include <allegra.h>
#include "kit/odds.h"
#include "value/estimate.h"

/* What is to be expected of the unseen cards. */
struct hope {
    int mean;                        /* of the unseen cards */
    int chance[ALLEGRA_CARD_VALUES]; /* that a pair of this value becomes a triple */
    bool is_forced;                  /* triples must be cleared, even three -1 */
};

/* The expectations of view->me. */
struct hope hope_of(const struct allegra_view *view, const struct odds *odds);

/* What a display costs its owner: 15 faces as in a view. */
int hope_display_cost(const struct hope *hope, const int8_t *face);

/* What it costs the owner of a display to have `card` up in `cell`. The display is as before when
 * this returns. */
int hope_lay_cost(const struct hope *hope, int8_t *face, unsigned cell, int card);

/* The same for every card, the lowest first. */
void hope_lay_costs(const struct hope *hope, int8_t *face, unsigned cell,
                    int costs[ALLEGRA_CARD_VALUES]);

/* The triple that `cell` would be part of with `card` in it, as a mask, or 0. */
uint16_t hope_triple(int8_t *face, unsigned cell, int card);

static inline bool hope_is_card(int face)
{
    return face <= ALLEGRA_CARD_MAX;
}

/* What a face counts: a down card counts as an unseen one. */
static inline int hope_worth(const struct hope *hope, int face)
{
    if (hope_is_card(face))
        return face * ESTIMATE_POINT;
    return face == ALLEGRA_VIEW_GAP ? 0 : hope->mean;
}

#endif
