#ifndef REFEREE_GAME_KNOCK_H
#define REFEREE_GAME_KNOCK_H

/* Who may knock, and what the active player may take from a knocker. */

#include "game/table.h"

/* With so few cards nobody may knock any more. */
#define ALLEGRA_KNOCK_TOO_FEW_CARDS 3

/* Whether `seat` may knock for a card that the active player drew from the draw pile. */
bool allegra_knock_is_eligible(const struct allegra_table *table, unsigned seat);

/* All who may, as a mask. */
unsigned allegra_knock_eligible(const struct allegra_table *table);

/* The cells of the knocker from which the active player may take a card and then still has another
 * cell to put it into. */
uint16_t allegra_knock_takeable(const struct allegra_table *table);

#endif
