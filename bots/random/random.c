/* Answers with any legal answer, each as likely as the other. The dice come from the number that
 * the match gave to this seat, so the same match is always played in the same way. */

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
