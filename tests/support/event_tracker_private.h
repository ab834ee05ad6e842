#ifndef TESTS_SUPPORT_WITNESS_PRIVATE_H
#define TESTS_SUPPORT_WITNESS_PRIVATE_H

/* What the parts of the witness share: looking is in witness.c, what happens to cards in
 * witness_cards.c, the course of a round in witness_hear.c. */

#include "support/witness.h"

typedef const char *witness_hear_fn(struct witness *witness, const struct allegra_event *event);

struct spot *witness_spot(struct witness *witness, unsigned seat, unsigned cell);
struct spot witness_spot_at(const struct witness *witness, unsigned seat, unsigned cell);
unsigned witness_left(const struct witness *witness, unsigned seat);

witness_hear_fn witness_hear_turned;
witness_hear_fn witness_hear_reshuffled;
witness_hear_fn witness_hear_drew_pile;
witness_hear_fn witness_hear_drew_discard;
witness_hear_fn witness_hear_knocked;
witness_hear_fn witness_hear_accepted;
witness_hear_fn witness_hear_kept;
witness_hear_fn witness_hear_dropped;
witness_hear_fn witness_hear_placed;
witness_hear_fn witness_hear_took;
witness_hear_fn witness_hear_put;
witness_hear_fn witness_hear_tossed;
witness_hear_fn witness_hear_returned;
witness_hear_fn witness_hear_cleared;
witness_hear_fn witness_hear_discarded;

#endif
