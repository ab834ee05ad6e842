#ifndef TESTS_SUPPORT_INVARIANTS_H
#define TESTS_SUPPORT_INVARIANTS_H

/* Everything that always holds at a table, checked from one answer to the next. */

#include "support/corners.h"
#include "support/witness.h"

struct invariants {
    struct allegra_table before;
    struct witness witness;
    uint8_t cards[ALLEGRA_CARD_VALUES]; /* of each card, how many there are in all */
    bool is_standard;                   /* the cards are those of the standard deck */
    struct corners *corners;            /* counts what happens; or NULL */
    struct allegra_dice dice;
};

/* Looks at a table for the first time. Its cards are taken as they are: see
 * invariants_deck_problem(). Returns NULL, or what is wrong with it. */
const char *invariants_start(struct invariants *invariants, const struct allegra_table *table,
                             struct corners *corners);

/* Looks again after an answer was accepted. Returns NULL, or what is wrong. */
const char *invariants_check(struct invariants *invariants, const struct allegra_table *table,
                             const struct allegra_events *events);

/* Looks at the table alone. Returns NULL, or what is wrong with it. */
const char *invariants_state_problem(const struct allegra_table *table);

/* Looks for anything in a seat's view that the seat may not know. Returns NULL, or what it is. */
const char *invariants_view_problem(const struct allegra_table *table, unsigned seat,
                                    struct allegra_dice *dice);

/* Whether the table has the very cards that its rules say: returns NULL, or what is wrong. */
const char *invariants_deck_problem(const struct allegra_table *table);

#endif
