#ifndef REFEREE_VALUE_GLANCE_H
#define REFEREE_VALUE_GLANCE_H

/* The outlooks of all displays of a simulated table, cached as long as they are valid. */

#include "value/outlook.h"

struct glance {
    struct outlook_odds odds;
    unsigned counted_turn; /* when the cards were counted */
    struct {
        uint64_t codes;
        uint16_t down;
        uint16_t turns;
        struct outlook outlook;
    } seen[ALLEGRA_SEATS_MAX]; /* the latest look at each display, and what it looked like */
    struct outlook ending;     /* of somebody who can end the round */
};

/* Begins with a table. */
void glance_start(struct glance *glance, const struct allegra_table *table);

/* To be called before each question: counts the cards again if that was long ago. */
void glance_keep_up(struct glance *glance, const struct allegra_table *table);

/* The outlook of a display, lent until the next call. */
const struct outlook *glance_at(struct glance *glance, const struct allegra_table *table,
                                unsigned seat);

/* The same, with what it costs to end the round if this seat can do so now. */
const struct outlook *glance_ahead(struct glance *glance, const struct allegra_table *table,
                                   unsigned seat);

/* Whether the seat has one down cell left before the final round. */
bool glance_can_end(const struct allegra_table *table, unsigned seat);

/* What it costs the seat to end the round, with `change` added to what its display costs now. */
int glance_end_cost(struct glance *glance, const struct allegra_table *table, unsigned seat,
                    int change);

/* What it costs to draw from the pile: the best of laying each card and of `otherwise`. */
int glance_pile_cost(const struct glance *glance, const struct outlook *outlook, int otherwise);

#endif
