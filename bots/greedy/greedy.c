/* Answers each question with what looks best right now. The strategy is in policy.c. */

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
