#ifndef REFEREE_VALUE_SWIFT_H
#define REFEREE_VALUE_SWIFT_H

/* The policy of `greedy`, made for playing many games to the end: it decides the same way in a
 * tenth of the time, directly from a table. It uses nothing that its seat may not know: of hidden
 * cards only how many there are of each value, which everybody can count. It counts them once per
 * circle of turns and rounds a little differently, so it does not always choose as greedy does. */

#include "value/glance.h"

/* A legal answer of `seat`, which is asked something. */
struct allegra_answer swift_choose(struct glance *glance, const struct allegra_table *table,
                                   unsigned seat);

/* Plays on until the round is over. */
void swift_play_round(struct allegra_table *table, const struct allegra_shuffler *shuffler);

/* The questions around a knock; internal. */
struct allegra_answer swift_knock(struct glance *glance, const struct allegra_table *table,
                                  unsigned seat);
struct allegra_answer swift_answer(struct glance *glance, const struct allegra_table *table,
                                   unsigned seat);
struct allegra_answer swift_place(struct glance *glance, const struct allegra_table *table,
                                  unsigned seat);
struct allegra_answer swift_take(struct glance *glance, const struct allegra_table *table,
                                 unsigned seat);
struct allegra_answer swift_put(struct glance *glance, const struct allegra_table *table,
                                unsigned seat);

static inline struct allegra_answer swift_say(enum allegra_verb verb, unsigned cell)
{
    return (struct allegra_answer){.verb = (uint8_t)verb, .cells = ALLEGRA_CELL_BIT(cell)};
}

/* A card as an index into an outlook. */
static inline unsigned swift_index(int card)
{
    return (unsigned)(card - ALLEGRA_CARD_MIN);
}

#endif
