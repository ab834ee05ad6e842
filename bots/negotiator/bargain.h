#ifndef BOTS_NEGOTIATOR_BARGAIN_H
#define BOTS_NEGOTIATOR_BARGAIN_H

/* Bargaining about a drawn card. The active player looks for the deal from which both sides gain
 * most, says what it wants, and calls for another bidding round; the player it asked can follow the
 * request. A request is a sentence that people understand too: "seat 2: knock B3 and I accept". */

#include "strong/guess.h"
#include "value/offer.h"

/* Room for a request as a sentence. */
#define BARGAIN_REQUEST_MAX 64

/* Looks for a deal that suits the active player better than everything on the table, and that its
 * knocker gains by as well. The seats in the mask `not_of` are left out: they were asked before.
 * Only open cards count. Returns whether there is one, and then has it in `request`. */
bool bargain_find_request(const struct allegra_table *table, unsigned not_of,
                          struct offer *request);

/* Whether the knocker `seat` gains by putting the drawn card into `cell`, if that is accepted. */
bool bargain_suits(const struct allegra_table *table, unsigned seat, unsigned cell);

void bargain_write_request(const struct offer *request, char sentence[BARGAIN_REQUEST_MAX]);

/* Reads a request to `seat`. Returns 0 with the cell; or -1 if it is none, or to another seat. */
int bargain_read_request(const char *sentence, unsigned seat, unsigned *cell);

#endif
