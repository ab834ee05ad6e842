#ifndef BOTS_KIT_HEAR_H
#define BOTS_KIT_HEAR_H

/* One function for each line of the referee. Internal to the kit. `rest` is what follows the first
 * word. */

#include "kit/kit.h"

typedef void hear_fn(struct kit *kit, struct span rest);

/* questions.c */
hear_fn hear_table;
hear_fn hear_display;
hear_fn hear_legal;

/* Adds the answer to `reply`. */
void hear_ask(struct kit *kit, struct span rest, struct text *reply);

/* events.c */
hear_fn hear_match;
hear_fn hear_rules;
hear_fn hear_round;
hear_fn hear_reshuffled;
hear_fn hear_turn;
hear_fn hear_final;
hear_fn hear_drew;
hear_fn hear_kept;
hear_fn hear_dropped;
hear_fn hear_placed;
hear_fn hear_took;
hear_fn hear_put;
hear_fn hear_tossed;
hear_fn hear_returned;
hear_fn hear_discarded;
hear_fn hear_cleared;
hear_fn hear_passed;
hear_fn hear_knocked;
hear_fn hear_again;
hear_fn hear_accepted;
hear_fn hear_said;

#endif
