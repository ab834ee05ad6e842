/* Answers with any legal answer, each as likely as the other. The dice come from the number that
 * the match gave to this seat, so the same match is always played in the same way. */

#include "kit/kit.h"

static struct answer choose(const struct view *view, const struct legal *legal, struct kit *kit)
{
    (void)view;
    return simulate_choose(&kit->dice, legal);
}

int main(void)
{
    return kit_run("random", choose);
}
