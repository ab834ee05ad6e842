#ifndef REFEREE_VALUE_VALUE_H
#define REFEREE_VALUE_VALUE_H

/* What a table promises each seat, judged from what everybody can see: cards that are down, and the
 * order of the draw pile, never count. */

#include "game/allegra.h"

struct value {
    double points[ALLEGRA_SEATS_MAX]; /* the expected total after this round; fewer is better */
    double wins[ALLEGRA_SEATS_MAX];   /* the expected share of first place; the sum is 1 */
};

/* The value of a table at the start of a turn, while cells are revealed before the first turn, or
 * after the end of the match. At other times it is less exact: use value_ahead(). */
void value_of(const struct allegra_table *table, struct value *value);

/* The value of any table: the quick policy (swift.h) plays on to the start of the next turn. Cards
 * that appear on the way are a few typical ones of those that can appear, so the true ones do not
 * count here either. `seed` chooses samples at the end of a round. */
void value_ahead(const struct allegra_table *table, uint64_t seed, struct value *value);

/* `value` is of the end of `round`: the totals, and what they promise for the rest of the match. */
void value_of_totals(const struct allegra_table *table, struct value *value);

#endif
