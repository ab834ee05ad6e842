#ifndef REFEREE_VALUE_REDEAL_H
#define REFEREE_VALUE_REDEAL_H

/* The cards that a seat cannot see, counted and dealt again. */

#include "game/allegra.h"

/* Where hidden cards may lie. Before the first reshuffle of a round both pools are one: a card that
 * is not seen may be in the draw pile or in a down cell. After it the draw pile is a known set. */
enum redeal_pool {
    REDEAL_DOWN, /* down cells, and the hand of a knocker that the seat may not see */
    REDEAL_DRAW, /* the draw pile */
    REDEAL_POOLS,
};

struct redeal {
    bool is_one_pool; /* then both counts are of all hidden cards */
    unsigned total[REDEAL_POOLS];
    uint8_t counts[REDEAL_POOLS][ALLEGRA_CARD_VALUES]; /* by value, the lowest first */
};

/* Counts what `seat` cannot see; ALLEGRA_SEAT_NONE is a spectator that sees every hand. */
void redeal_count(struct redeal *redeal, const struct allegra_table *table, unsigned seat);

/* Deals all cards that `seat` cannot see again. The result depends on what the seat knows and on
 * the dice, never on where the cards really are. */
void redeal_hidden(struct allegra_table *table, unsigned seat, struct allegra_dice *dice);

/* Puts `card`, which must be one of the hidden cards that can be there, into a down cell, or on top
 * of the draw pile if `seat` is ALLEGRA_SEAT_NONE; the card that was there takes its place. */
void redeal_place(struct allegra_table *table, unsigned seat, unsigned cell, int card);

#endif
