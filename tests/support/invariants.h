#ifndef TESTS_SUPPORT_INVARIANTS_H
#define TESTS_SUPPORT_INVARIANTS_H

/* Checks everything that always holds for a table, after each answer. */

#include "support/corner_cases.h"
#include "support/event_tracker.h"

struct invariants {
    struct allegra_table before;
    struct event_tracker tracker;
    uint8_t cards[ALLEGRA_CARD_VALUES]; /* the number of cards of each value */
    bool is_standard;                   /* the cards are those of the deck */
    struct corner_cases *corners;       /* counts corner cases, or NULL */
    struct allegra_dice dice;
};

/* Starts with a table, whatever its cards are: see invariants_deck_problem(). Returns NULL, or what
 * is wrong with it. */
const char *invariants_start(struct invariants *invariants, const struct allegra_table *table,
                             struct corner_cases *corners);

/* Checks the table after an accepted answer. Returns NULL, or what is wrong. */
const char *invariants_check(struct invariants *invariants, const struct allegra_table *table,
                             const struct allegra_events *events);

/* Checks a table by itself. Returns NULL, or what is wrong with it. */
const char *invariants_state_problem(const struct allegra_table *table);

/* Checks that a seat's view shows nothing that the seat may not know. Returns NULL, or what is
 * wrong. */
const char *invariants_view_problem(const struct allegra_table *table, unsigned seat,
                                    struct allegra_dice *dice);

/* Checks that the table has exactly the cards of its rules. Returns NULL, or what is wrong. */
const char *invariants_deck_problem(const struct allegra_table *table);

#endif
