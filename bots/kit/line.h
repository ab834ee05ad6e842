#ifndef BOTS_KIT_LINE_H
#define BOTS_KIT_LINE_H

/* One function for each line of the referee. Internal to the kit. `rest` is the text after the
 * keyword, which is cut apart in place. */

#include "kit/kit.h"

typedef void line_fn(struct kit *kit, char *rest);

/* questions.c */
line_fn line_table;
line_fn line_display;
line_fn line_legal;

/* Writes the answer to `reply` and returns its length, 0 if there is none. */
size_t line_ask(struct kit *kit, char *rest, char *reply, size_t size);

/* events.c */
line_fn line_match;
line_fn line_rules;
line_fn line_round;
line_fn line_reshuffled;
line_fn line_turn;
line_fn line_final;
line_fn line_drew;
line_fn line_kept;
line_fn line_dropped;
line_fn line_placed;
line_fn line_took;
line_fn line_put;
line_fn line_tossed;
line_fn line_returned;
line_fn line_discarded;
line_fn line_cleared;
line_fn line_passed;
line_fn line_knocked;
line_fn line_again;
line_fn line_accepted;
line_fn line_said;

#endif
