#ifndef REFEREE_VALUE_OFFER_H
#define REFEREE_VALUE_OFFER_H

/* What a knock would mean for both sides: the knocker puts the drawn card into a cell, the active
 * player takes the best of the knocker's cards, and the knocker's old card goes where that one was.
 * All of it follows from the open cards. Costs are in 256ths of a point. */

#include "value/glance.h"

struct offer {
    unsigned seat;   /* the knocker */
    unsigned cell;   /* where it would put the drawn card */
    int cost;        /* what the deal costs the knocker; negative if it gains */
    int active_cost; /* what it costs the active player */
    int otherwise;   /* what it costs the active player to go without it */
};

/* Weighs the offer of `seat`, who is not the active one, to put table->drawn into his `cell`, which
 * is no gap. */
struct offer offer_weigh(struct glance *glance, const struct allegra_table *table, unsigned seat,
                         unsigned cell);

/* The two costs of the active player alone. */
int offer_active_cost(struct glance *glance, const struct allegra_table *table, unsigned seat,
                      unsigned cell);
int offer_otherwise(struct glance *glance, const struct allegra_table *table);

/* The up cells of a seat that hold `card`; and the triple that `cell` would be part of if it held
 * the same as `like`, as a mask, or 0. */
uint16_t offer_like(const struct allegra_table *table, unsigned seat, int card);
uint16_t offer_triple(const struct allegra_table *table, unsigned seat, unsigned cell,
                      uint16_t like);

/* The cells of `other` that are also cells of `me`. */
uint16_t offer_shared(const struct allegra_table *table, unsigned other, unsigned me);

/* What it costs the knocker to have the drawn card in a cell whose card comes back to him. */
int offer_place_cost(const struct glance *glance, const struct outlook *outlook,
                     const struct allegra_table *table, unsigned seat, unsigned cell);

/* What it costs to take `card` from a rival: the best use of it, and that he is rid of it. */
int offer_take_cost(const struct outlook *outlook, const struct allegra_table *table, int card);

/* Whether the active player should accept. */
static inline bool offer_is_welcome(const struct offer *offer)
{
    return offer->active_cost <= offer->otherwise;
}

#endif
