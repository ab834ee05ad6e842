/* Every answer gets a cost, and the first of the cheapest wins. There is one function per verb;
 * plan.c computes what cards, cells and the end of the round cost. */

#include "greedy/policy.h"

#include "greedy/plan.h"

#include <string.h>

static int cost_of_nothing(struct plan *plan, struct allegra_answer answer)
{
    (void)plan;
    (void)answer;
    return 0;
}

static int cost_of_never(struct plan *plan, struct allegra_answer answer)
{
    (void)plan;
    (void)answer;
    return ESTIMATE_NEVER;
}

static int cost_of_turn(struct plan *plan, struct allegra_answer answer)
{
    return plan_turn_cost(plan, allegra_cell_lowest(answer.cells));
}

static int cost_of_pile(struct plan *plan, struct allegra_answer answer)
{
    (void)answer;
    return plan_unseen_cost(plan, plan_best_turn(plan));
}

static int cost_of_discard(struct plan *plan, struct allegra_answer answer)
{
    (void)answer;
    return plan_best_lay(plan, plan->view->discard_top);
}

/* What we discard is never good for us, so it need not be weighed if the answer is already too
 * expensive. */
static int cost_with_discard(struct plan *plan, int cost, int face)
{
    return cost < plan->best ? cost + plan_leave_cost(plan, face) : cost;
}

static int cost_of_keep(struct plan *plan, struct allegra_answer answer)
{
    unsigned cell = allegra_cell_lowest(answer.cells);

    return cost_with_discard(plan, plan_lay_cost(plan, cell, plan->view->drawn), plan->face[cell]);
}

static int cost_of_drop(struct plan *plan, struct allegra_answer answer)
{
    return cost_with_discard(plan, plan_turn_cost(plan, allegra_cell_lowest(answer.cells)),
                             plan->view->drawn);
}

/* The lowest up card outside of `cells`, which a clever player would take. */
static int lowest_card(const int8_t *face, uint16_t cells)
{
    int lowest = ALLEGRA_CARD_MAX;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (!(cells >> cell & 1) && hope_is_card(face[cell]))
            lowest = estimate_lower(lowest, face[cell]);
    }
    return lowest;
}

/* A knocker gets his old card back and loses one that he does not choose. So he gains if the drawn
 * card makes a triple, and only then: he is rid of two more equal cards and of the one that is
 * taken. */
static int cost_of_knock(struct plan *plan, struct allegra_answer answer)
{
    int card = plan->view->drawn;
    unsigned cell;
    uint16_t triple;
    int cost;

    if (answer.cells == 0)
        return ESTIMATE_NEVER;
    cell = allegra_cell_lowest(answer.cells);
    triple = hope_triple(plan->face, cell, card);
    if (triple == 0)
        return ESTIMATE_NEVER;
    cost = estimate_share(ESTIMATE_USUAL_GAIN, plan->gift) -
           (2 * card + lowest_card(plan->face, triple)) * ESTIMATE_POINT;
    return cost + plan_end_cost(plan, cell, cost);
}

/* The cell where a knocker will put the drawn card: the one that he offered, or the best for
 * him. */
static unsigned knock_cell(const struct plan *plan, int8_t *face, unsigned seat)
{
    unsigned best_cell = 0;
    int best = ESTIMATE_NEVER;

    if (plan->view->offer[seat] != 0)
        return allegra_cell_lowest(plan->view->offer[seat]);
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        int cost = hope_lay_cost(&plan->hope, face, cell, plan->view->drawn) +
                   hope_worth(&plan->hope, face[cell]);

        if (face[cell] != ALLEGRA_VIEW_GAP && cost < best) {
            best = cost;
            best_cell = cell;
        }
    }
    return best_cell;
}

/* Whether a cell of another seat is also ours. */
static bool is_ours(const struct plan *plan, unsigned seat, unsigned cell)
{
    unsigned me = plan->view->me;
    unsigned seats = plan->view->seats;

    return ((ALLEGRA_CELL_COLUMN_A >> cell & 1) && (seat + 1) % seats == me) ||
           ((ALLEGRA_CELL_COLUMN_E >> cell & 1) && (me + 1) % seats == seat);
}

/* What it costs to take `card` from a rival: the best use of it, and that he is rid of it. */
static int take_cost(struct plan *plan, int card)
{
    return plan_best_lay(plan, card) + estimate_share(card * ESTIMATE_POINT, plan->gift);
}

/* To accept: the best card that would be left to take, and what the knocker gains. */
static int cost_of_accept(struct plan *plan, struct allegra_answer answer)
{
    int drawn = plan->view->drawn;
    int best = ESTIMATE_NEVER;
    int8_t face[ALLEGRA_CELL_COUNT];
    uint16_t triple;
    unsigned placed;

    memcpy(face, plan->view->face[answer.seat], sizeof face);
    placed = knock_cell(plan, face, answer.seat);
    triple = hope_triple(face, placed, drawn);
    face[placed] = (int8_t)drawn;
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        bool is_left = !(triple >> cell & 1) && hope_is_card(face[cell]);

        if (is_left && !is_ours(plan, answer.seat, cell))
            best = estimate_lower(best, take_cost(plan, face[cell]));
    }
    return best + estimate_share((triple != 0 ? 2 * drawn : -drawn) * ESTIMATE_POINT, plan->gift);
}

static int cost_of_decline(struct plan *plan, struct allegra_answer answer)
{
    (void)answer;
    return estimate_lower(plan_best_lay(plan, plan->view->drawn), plan_best_turn(plan));
}

/* The card that was there comes back to us, so it is not gone. */
static int cost_of_place(struct plan *plan, struct allegra_answer answer)
{
    unsigned cell = allegra_cell_lowest(answer.cells);

    return plan_lay_cost(plan, cell, plan->view->drawn) + hope_worth(&plan->hope, plan->face[cell]);
}

/* In a shared cell the knocker's hand card will lie before us too. */
static int cost_of_take(struct plan *plan, struct allegra_answer answer)
{
    unsigned cell = allegra_cell_lowest(answer.cells);
    int card = plan->view->face[answer.seat][cell];
    int cost;

    if (!hope_is_card(card))
        return plan_unseen_cost(plan, ESTIMATE_NEVER) + estimate_share(plan->hope.mean, plan->gift);
    cost = take_cost(plan, card);
    if (is_ours(plan, answer.seat, cell))
        cost += hope_worth(&plan->hope, plan->view->hand) - card * ESTIMATE_POINT;
    return cost;
}

static int cost_of_put(struct plan *plan, struct allegra_answer answer)
{
    return plan_lay_cost(plan, allegra_cell_lowest(answer.cells), plan->view->taken);
}

static int cost_of_clear(struct plan *plan, struct allegra_answer answer)
{
    int8_t face[ALLEGRA_CELL_COUNT];

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++)
        face[cell] = answer.cells >> cell & 1 ? ALLEGRA_VIEW_GAP : plan->face[cell];
    return hope_display_cost(&plan->hope, face);
}

/* A triple counts as good as cleared, so leaving it there must not look as good. */
static int cost_of_none(struct plan *plan, struct allegra_answer answer)
{
    (void)answer;
    return hope_display_cost(&plan->hope, plan->face) + 2 * ESTIMATE_POINT;
}

typedef int answer_cost_fn(struct plan *plan, struct allegra_answer answer);

static answer_cost_fn *const answer_costs[ALLEGRA_VERB_COUNT] = {
    [ALLEGRA_VERB_TURN] = cost_of_turn,       [ALLEGRA_VERB_PILE] = cost_of_pile,
    [ALLEGRA_VERB_DISCARD] = cost_of_discard, [ALLEGRA_VERB_PASS] = cost_of_nothing,
    [ALLEGRA_VERB_KNOCK] = cost_of_knock,     [ALLEGRA_VERB_ACCEPT] = cost_of_accept,
    [ALLEGRA_VERB_DECLINE] = cost_of_decline, [ALLEGRA_VERB_AGAIN] = cost_of_never,
    [ALLEGRA_VERB_KEEP] = cost_of_keep,       [ALLEGRA_VERB_DROP] = cost_of_drop,
    [ALLEGRA_VERB_PLACE] = cost_of_place,     [ALLEGRA_VERB_TAKE] = cost_of_take,
    [ALLEGRA_VERB_PUT] = cost_of_put,         [ALLEGRA_VERB_TOSS] = cost_of_nothing,
    [ALLEGRA_VERB_CLEAR] = cost_of_clear,     [ALLEGRA_VERB_NONE] = cost_of_none,
};

struct allegra_answer policy_choose(const struct allegra_view *view,
                                    const struct allegra_legal *legal, const struct odds *odds)
{
    struct allegra_answer best = legal->list[0];
    struct plan plan;

    if (legal->count == 1)
        return best;
    plan_make(&plan, view, odds);
    for (unsigned i = 0; i < legal->count; i++) {
        int cost = answer_costs[legal->list[i].verb](&plan, legal->list[i]);

        if (cost < plan.best) {
            plan.best = cost;
            best = legal->list[i];
        }
    }
    return best;
}

void policy_costs(const struct allegra_view *view, const struct allegra_legal *legal,
                  const struct odds *odds, int *costs)
{
    struct plan plan;

    plan_make(&plan, view, odds);
    for (unsigned i = 0; i < legal->count; i++)
        costs[i] = answer_costs[legal->list[i].verb](&plan, legal->list[i]);
}
