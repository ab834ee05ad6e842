/* Chances are averaged over the unseen cards: turning up a cell costs the mean over all cards that
 * may be there. A player that ends the round must have the lowest score, so that risk is weighed
 * against the expected scores of all others. */

#include "greedy/plan.h"

static bool is_shared(unsigned cell)
{
    return (ALLEGRA_CELL_COLUMN_A | ALLEGRA_CELL_COLUMN_E) >> cell & 1;
}

/* What the others will have if the round ends now: each gets one more turn. */
static void expect_end(struct plan *plan)
{
    plan->own_score = hope_display_cost(&plan->hope, plan->face);
    for (unsigned seat = 0; seat < plan->view->seats; seat++) {
        const int8_t *face = plan->view->face[seat];
        unsigned down = 0;

        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++)
            down += face[cell] == ALLEGRA_VIEW_DOWN;
        plan->score[seat] = hope_display_cost(&plan->hope, face) - ESTIMATE_USUAL_GAIN;
        plan->spread[seat] = estimate_spread(down);
    }
}

void plan_make(struct plan *plan, const struct allegra_view *view, const struct odds *odds)
{
    plan->view = view;
    plan->odds = odds;
    plan->hope = hope_of(view, odds);
    plan->gift = ESTIMATE_CERTAIN / (view->seats - 1);
    plan->patience = estimate_patience(view->turn / view->seats);
    plan->down = 0;
    plan->best = ESTIMATE_NEVER;
    plan->known = 0;
    plan->known_left = 0;
    plan->own_score = 0;
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        plan->face[cell] = view->face[view->me][cell];
        plan->next[cell] = view->face[(view->me + 1U) % view->seats][cell];
        if (plan->face[cell] == ALLEGRA_VIEW_DOWN)
            plan->down |= ALLEGRA_CELL_BIT(cell);
    }
    if (allegra_cell_is_single(plan->down) && !view->is_final)
        expect_end(plan);
}

int plan_end_cost(const struct plan *plan, unsigned cell, int change)
{
    int score = plan->own_score + change;
    int success = ESTIMATE_CERTAIN;

    if (plan->down != ALLEGRA_CELL_BIT(cell) || plan->view->is_final)
        return 0;
    for (unsigned seat = 0; seat < plan->view->seats; seat++) {
        int below = estimate_chance_below(score, plan->score[seat], plan->spread[seat]);

        if (seat != plan->view->me)
            success = estimate_share(success, ESTIMATE_CERTAIN - below);
    }
    return estimate_risk(score, success, plan->patience);
}

/* What a change of points in a shared column costs through the neighbour. */
static int neighbour_cost(const struct plan *plan, unsigned cell, int card)
{
    int change = card * ESTIMATE_POINT - hope_worth(&plan->hope, plan->face[cell]);

    return is_shared(cell) ? -estimate_share(change, ESTIMATE_NEIGHBOUR_SHARE) : 0;
}

static void find_costs(struct plan *plan, unsigned cell)
{
    int *costs = plan->cost[cell];

    hope_lay_costs(&plan->hope, plan->face, cell, costs);
    for (int card = ALLEGRA_CARD_MIN; card <= ALLEGRA_CARD_MAX; card++) {
        int *cost = &costs[card - ALLEGRA_CARD_MIN];

        *cost += plan_end_cost(plan, cell, *cost) + neighbour_cost(plan, cell, card);
    }
    plan->known |= ALLEGRA_CELL_BIT(cell);
}

int plan_lay_cost(struct plan *plan, unsigned cell, int card)
{
    if (!(plan->known >> cell & 1))
        find_costs(plan, cell);
    return plan->cost[cell][card - ALLEGRA_CARD_MIN];
}

int plan_turn_cost(struct plan *plan, unsigned cell)
{
    const struct odds *odds = plan->odds;
    int sum = 0;

    for (int card = ALLEGRA_CARD_MIN; card <= ALLEGRA_CARD_MAX; card++)
        sum += odds->unseen[card - ALLEGRA_CARD_MIN] * plan_lay_cost(plan, cell, card);
    return sum / estimate_higher((int)odds->count, 1) + is_shared(cell);
}

int plan_best_lay(struct plan *plan, int card)
{
    int best = ESTIMATE_NEVER;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (plan->face[cell] != ALLEGRA_VIEW_GAP && plan->face[cell] != ALLEGRA_VIEW_HOLE)
            best = estimate_lower(best, plan_lay_cost(plan, cell, card));
    }
    return best;
}

int plan_best_turn(struct plan *plan)
{
    int best = ESTIMATE_NEVER;

    for (uint16_t rest = plan->down; rest != 0; rest &= (uint16_t)(rest - 1))
        best = estimate_lower(best, plan_turn_cost(plan, allegra_cell_lowest(rest)));
    return best;
}

int plan_unseen_cost(struct plan *plan, int otherwise)
{
    const struct odds *odds = plan->odds;
    int sum = 0;

    for (int card = ALLEGRA_CARD_MIN; card <= ALLEGRA_CARD_MAX; card++) {
        int unseen = odds->unseen[card - ALLEGRA_CARD_MIN];

        if (unseen > 0)
            sum += unseen * estimate_lower(otherwise, plan_best_lay(plan, card));
    }
    return sum / estimate_higher((int)odds->count, 1);
}

/* What the next player gains with it, beyond the gain of a usual turn. */
static int find_left_cost(struct plan *plan, int card)
{
    int best = 0;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (plan->next[cell] != ALLEGRA_VIEW_GAP)
            best = estimate_lower(best, hope_lay_cost(&plan->hope, plan->next, cell, card));
    }
    return estimate_share(estimate_higher(-best - ESTIMATE_USUAL_GAIN, 0), ESTIMATE_DISCARD_SHARE);
}

int plan_leave_cost(struct plan *plan, int face)
{
    int value = face - ALLEGRA_CARD_MIN;

    if (!hope_is_card(face))
        return 0;
    if (!(plan->known_left >> value & 1)) {
        plan->left_cost[value] = find_left_cost(plan, face);
        plan->known_left |= 1U << value;
    }
    return plan->left_cost[value];
}
