#ifndef TESTS_SUPPORT_INVARIANTS_H
#define TESTS_SUPPORT_INVARIANTS_H

/* Everything that always holds at a table, checked from one answer to the next. */

#include "support/corners.h"
#include "support/witness.h"

struct invariants {
    struct table before;
    struct witness witness;
    uint8_t cards[CARD_VALUES]; /* of each card, how many there are in all */
    bool is_standard;           /* the cards are those of the standard deck */
    struct corners *corners;    /* counts what happens; or NULL */
    struct dice dice;
};

/* Looks at a table for the first time. Its cards are taken as they are: see
 * invariants_deck_problem(). Returns NULL, or what is wrong with it. */
const char *invariants_start(struct invariants *invariants, const struct table *table,
                             struct corners *corners);

/* Looks again after an answer was accepted. Returns NULL, or what is wrong. */
const char *invariants_check(struct invariants *invariants, const struct table *table,
                             const struct events *events);

/* Looks at the table alone. Returns NULL, or what is wrong with it. */
const char *invariants_state_problem(const struct table *table);

/* Looks for anything in a seat's view that the seat may not know. Returns NULL, or what it is. */
const char *invariants_view_problem(const struct table *table, unsigned seat, struct dice *dice);

/* Whether the table has the very cards that its rules say: returns NULL, or what is wrong. */
const char *invariants_deck_problem(const struct table *table);

#endif
