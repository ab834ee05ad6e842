#ifndef BOTS_GREEDY_POLICY_H
#define BOTS_GREEDY_POLICY_H

/* How `greedy` plays: it estimates what each legal answer will cost and chooses the cheapest. A
 * pure function that takes a few microseconds at most, so that a search can play its games to the
 * end with it. */

#include <allegra.h>
#include "kit/odds.h"

/* Chooses one of `legal`, which is not empty. `odds` are the cards that view->me has not seen. */
struct allegra_answer policy_choose(const struct allegra_view *view,
                                    const struct allegra_legal *legal, const struct odds *odds);

/* The estimates themselves, in 256ths of a point: one cost for each of `legal`. */
void policy_costs(const struct allegra_view *view, const struct allegra_legal *legal,
                  const struct odds *odds, int *costs);

#endif
