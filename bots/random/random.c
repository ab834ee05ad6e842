/* Plays a random legal answer; all are equally likely. The dice are seeded with the `rng` of this
 * seat, so the same match is always played in the same way. */

#include "kit/kit.h"

static struct allegra_answer choose(const struct allegra_view *view,
                                    const struct allegra_legal *legal, struct kit *kit)
{
    (void)view;
    return allegra_simulate_choose(&kit->dice, legal);
}

int main(void)
{
    return kit_run("random", choose);
}
