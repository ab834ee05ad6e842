/* Greedy never knocks without a triple, so the cost of such a knock comes from offer.c. */

#include "strong/candidates.h"

#include "greedy/plan.h"
#include "greedy/policy.h"
#include "value/offer.h"

/* Answers that cost more than the best one plus this are ignored. */
#define MARGIN (6 * ESTIMATE_POINT)

static void add(struct candidates *candidates, struct allegra_answer answer, int cost)
{
    unsigned i = candidates->count;

    if (i < CANDIDATES_MAX)
        candidates->count++;
    else if (cost >= candidates->cost[--i])
        return;
    for (; i > 0 && candidates->cost[i - 1] > cost; i--) {
        candidates->list[i] = candidates->list[i - 1];
        candidates->cost[i] = candidates->cost[i - 1];
    }
    candidates->list[i] = answer;
    candidates->cost[i] = cost;
}

/* The costs of knocks that greedy would not consider, if they would be accepted. */
static void weigh_knocks(const struct allegra_table *table, unsigned me,
                         const struct allegra_legal *legal, int *costs)
{
    struct glance glance;

    glance_start(&glance, table);
    for (unsigned i = 0; i < legal->count; i++) {
        struct allegra_answer answer = legal->list[i];
        struct offer offer;

        if (answer.verb != ALLEGRA_VERB_KNOCK || answer.cells == 0 || costs[i] != ESTIMATE_NEVER)
            continue;
        offer = offer_weigh(&glance, table, me, allegra_cell_lowest(answer.cells));
        if (offer_is_welcome(&offer))
            costs[i] = offer.cost;
    }
}

void candidates_pick(struct candidates *candidates, const struct knowledge *knowledge,
                     const struct allegra_legal *legal, const struct allegra_table *table)
{
    const struct allegra_view *view = knowledge->view;
    struct odds odds = odds_of(view, knowledge->discards, knowledge->discard_count);
    int costs[ALLEGRA_LEGAL_MAX];
    int least = ESTIMATE_NEVER;

    policy_costs(view, legal, &odds, costs);
    if (view->question == ALLEGRA_QUESTION_KNOCK)
        weigh_knocks(table, view->me, legal, costs);
    for (unsigned i = 0; i < legal->count; i++)
        least = estimate_lower(least, costs[i]);
    candidates->count = 0;
    for (unsigned i = 0; i < legal->count; i++) {
        if (costs[i] <= least + MARGIN)
            add(candidates, legal->list[i], costs[i]);
    }
}
