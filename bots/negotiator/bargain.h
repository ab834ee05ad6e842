#ifndef BOTS_NEGOTIATOR_BARGAIN_H
#define BOTS_NEGOTIATOR_BARGAIN_H

/* Bargaining about a drawn card. The active player looks for the deal from which both sides gain
 * most, says what it wants, and calls for another bidding round; the player it asked can follow the
 * wish. A wish is a sentence that people understand too: "seat 2: knock B3 and I accept". */

#include "strong/guess.h"
#include "strong/offer.h"

/* Room for a wish as a sentence. */
#define BARGAIN_WISH_MAX 64

/* Looks for a deal that suits the active player better than everything on the table, and that its
 * knocker gains by as well. The seats in the mask `not_of` are left out: they were asked before.
 * Only what lies open counts. Returns whether there is one, and then has it in `wish`. */
bool bargain_find_wish(const struct allegra_table *table, unsigned not_of, struct offer *wish);

/* Whether the knocker `seat` gains by putting the drawn card into his `cell`, if that is
 * accepted. */
bool bargain_suits(const struct allegra_table *table, unsigned seat, unsigned cell);

void bargain_write_wish(struct text *text, const struct offer *wish);

/* Reads a wish for `seat`. Returns 0 with the cell; or -1 if it is none, or not for him. */
int bargain_read_wish(struct span saying, unsigned seat, unsigned *cell);

#endif
