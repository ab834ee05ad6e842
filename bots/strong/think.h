#ifndef BOTS_STRONG_THINK_H
#define BOTS_STRONG_THINK_H

/* Runs the search with everything that the kit has heard, within the time of the question. */

#include "kit/kit.h"

/* Chooses one of the kit's legal answers. The search tries at most `samples` sampled tables. If
 * `is_timed` is false, it ignores the clock: then the same match is always played in the same
 * way. */
struct allegra_answer think(struct kit *kit, unsigned samples, bool is_timed);

#endif
