#ifndef BOTS_STRONG_GUESS_H
#define BOTS_STRONG_GUESS_H

/* Complete tables that fit what a seat knows. The unseen cards are dealt at random to all places
 * that the seat cannot see: down cells, the draw pile, a hidden hand. Nothing else is made up, so a
 * guess depends on the seat's knowledge and on the dice, never on the real cards. */

#include <allegra.h>
#include "kit/odds.h"

/* What a seat knows. All of it is borrowed. */
struct knowledge {
    const struct allegra_view *view;
    const int8_t *discards; /* the discard pile, its top last, as far as it is remembered */
    unsigned discard_count;
};

/* Everything that is common to all guesses from the same knowledge. */
struct guess {
    struct allegra_table table;      /* with no card in the places that are not seen */
    int8_t unseen[ALLEGRA_DECK_MAX]; /* the cards to deal */
    unsigned unseen_count;
    unsigned hidden_discards; /* at the bottom of the discard pile, not remembered */
    bool is_hand_hidden;
};

/* Prepares to guess. */
void guess_start(struct guess *guess, const struct knowledge *knowledge);

/* A table. allegra_view_of(table, seat) is what the seat sees, and the deck is complete. */
void guess_deal(const struct guess *guess, struct allegra_dice *dice, struct allegra_table *table);

#endif
