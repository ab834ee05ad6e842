/* Chances are averaged over the unseen cards: turning up a cell costs the mean over all cards that
 * may be there. A player that ends the round must have the lowest score, so that risk is weighed
 * against the expected scores of all others. */

#include "greedy/plan.h"

/* Found by playing against variations of itself. */
#define END_BONUS (6 * POINT)      /* for ending a round with the lowest score */
#define SPREAD (3 * POINT)         /* of a rival's score, without down cards */
#define SPREAD_OF_DOWN (3 * POINT) /* of one down card */
#define SLOPE 102                  /* of the chance to be lower, for a difference of one spread */
#define PATIENT_TURNS 25           /* turns of each player after which patience fades */
#define IMPATIENT_TURNS 50         /* … and is gone */

static bool is_shared(unsigned cell)
{
    return (ALLEGRA_CELL_COLUMN_A | ALLEGRA_CELL_COLUMN_E) >> cell & 1;
}

int plan_patience(int turns)
{
    int left = (IMPATIENT_TURNS - turns) * CERTAIN / (IMPATIENT_TURNS - PATIENT_TURNS);

    return hope_lower(hope_higher(left, 0), CERTAIN);
}

int plan_spread(unsigned down)
{
    static const int root_16ths[ALLEGRA_CELL_COUNT + 1] = {0,  16, 23, 28, 32, 36, 39, 42,
                                                           45, 48, 51, 53, 55, 58, 60, 62};

    return SPREAD + SPREAD_OF_DOWN * root_16ths[down] / 16;
}

int plan_chance_below(int score, int expected, int spread)
{
    int chance = CERTAIN / 2 + SLOPE * (score - expected) / spread;

    return hope_lower(hope_higher(chance, 0), CERTAIN);
}

int plan_risk(int score, int success, int patience)
{
    int risk = hope_share(hope_higher(score, 0), CERTAIN - success);

    return hope_share(risk, patience) - hope_share(END_BONUS, success);
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
        plan->score[seat] = hope_display_cost(&plan->hope, face) - PLAN_USUAL_GAIN;
        plan->spread[seat] = plan_spread(down);
    }
}

void plan_make(struct plan *plan, const struct allegra_view *view, const struct odds *odds)
{
    plan->view = view;
    plan->odds = odds;
    plan->hope = hope_of(view, odds);
    plan->gift = CERTAIN / (view->seats - 1);
    plan->patience = plan_patience(view->turn / view->seats);
    plan->down = 0;
    plan->best = PLAN_NEVER;
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
    int success = CERTAIN;

    if (plan->down != ALLEGRA_CELL_BIT(cell) || plan->view->is_final)
        return 0;
    for (unsigned seat = 0; seat < plan->view->seats; seat++) {
        int below = plan_chance_below(score, plan->score[seat], plan->spread[seat]);

        if (seat != plan->view->me)
            success = hope_share(success, CERTAIN - below);
    }
    return plan_risk(score, success, plan->patience);
}

/* What a change of points in a shared column costs through the neighbour. */
static int neighbour_cost(const struct plan *plan, unsigned cell, int card)
{
    int change = card * POINT - hope_worth(&plan->hope, plan->face[cell]);

    return is_shared(cell) ? -hope_share(change, PLAN_NEIGHBOUR_SHARE) : 0;
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
    return sum / hope_higher((int)odds->count, 1) + is_shared(cell);
}

int plan_best_lay(struct plan *plan, int card)
{
    int best = PLAN_NEVER;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (plan->face[cell] != ALLEGRA_VIEW_GAP && plan->face[cell] != ALLEGRA_VIEW_HOLE)
            best = hope_lower(best, plan_lay_cost(plan, cell, card));
    }
    return best;
}

int plan_best_turn(struct plan *plan)
{
    int best = PLAN_NEVER;

    for (uint16_t rest = plan->down; rest != 0; rest &= (uint16_t)(rest - 1))
        best = hope_lower(best, plan_turn_cost(plan, allegra_cell_lowest(rest)));
    return best;
}

int plan_unseen_cost(struct plan *plan, int otherwise)
{
    const struct odds *odds = plan->odds;
    int sum = 0;

    for (int card = ALLEGRA_CARD_MIN; card <= ALLEGRA_CARD_MAX; card++) {
        int unseen = odds->unseen[card - ALLEGRA_CARD_MIN];

        if (unseen > 0)
            sum += unseen * hope_lower(otherwise, plan_best_lay(plan, card));
    }
    return sum / hope_higher((int)odds->count, 1);
}

/* What the next player gains with it, beyond the gain of a usual turn. */
static int find_left_cost(struct plan *plan, int card)
{
    int best = 0;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (plan->next[cell] != ALLEGRA_VIEW_GAP)
            best = hope_lower(best, hope_lay_cost(&plan->hope, plan->next, cell, card));
    }
    return hope_share(hope_higher(-best - PLAN_USUAL_GAIN, 0), PLAN_DISCARD_SHARE);
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
