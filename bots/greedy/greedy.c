/* Plays each question for the best it can see at once. All its thoughts are in policy.c. */

#include "greedy/policy.h"
#include "kit/kit.h"

static struct allegra_answer choose(const struct allegra_view *view,
                                    const struct allegra_legal *legal, struct kit *kit)
{
    struct odds odds = kit_odds(kit);

    return policy_choose(view, legal, &odds);
}

int main(void)
{
    return kit_run("greedy", choose);
}
