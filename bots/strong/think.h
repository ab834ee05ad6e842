#ifndef BOTS_STRONG_THINK_H
#define BOTS_STRONG_THINK_H

/* The search with all that the kit has heard, inside the time of the question. */

#include "kit/kit.h"

/* Chooses one of the kit's legal answers. With `samples` the search looks at so many guesses at
 * most, and, if `is_timed` is false, at no clock: then the same match is always played in the same
 * way. */
struct allegra_answer think(struct kit *kit, unsigned samples, bool is_timed);

#endif
