/* Every answer gets a cost, in 256ths of a point, and the lowest wins.
 *
 * The base of all costs is what it costs to lay a card up into a cell: the change of the display's sum,
 * with down cards taken for the mean of all unseen ones, less the change of its hopes. A hope is a pair
 * that may become a triple before the round ends, or a triple that only waits to be cleared. To that
 * come what the neighbour gains in a shared column and, if the card fills the last down cell, the risk
 * of ending the round without the lowest score. Chance is weighed over the unseen cards: turning up a
 * cell costs the mean over all cards that may lie there, drawing from the pile the mean over the best
 * uses of all cards that may come. Whole numbers only, so that every machine plays alike. */

#include "greedy/policy.h"

#define POINT 256
#define CERTAIN 256 /* a chance of 1 */

/* More than any real cost. */
#define COST_NEVER (1 << 28)

/* What the estimates rest on, found by playing against variations of itself. */
#define SEEN_IN_A_TURN 2             /* cards that a player can choose from */
#define TURNS_MAX 6                  /* nobody plans further ahead */
#define PAIR_SHARE 140               /* of a pair's chance: other cells want cards too */
#define NEIGHBOUR_SHARE 110          /* of a neighbour's gain that is our loss */
#define LAST_TURN_GAIN (4 * POINT)   /* of a rival in the final round */
#define SPREAD (3 * POINT)           /* of a rival's score, and more for each down card */
#define SPREAD_OF_DOWN (3 * POINT)
#define END_BONUS (6 * POINT)        /* for ending a round as the best */
#define PATIENT_TURNS 25             /* turns of each player after which patience begins to fade */
#define IMPATIENT_TURNS 50

/* Everything that one decision is weighed with. */
struct plan {
    const struct view *view;
    const struct odds *odds;
    int8_t face[CELL_COUNT]; /* our display */
    uint16_t down;           /* our down cells */
    int mean;                /* of the unseen cards */
    int chance[CARD_VALUES]; /* that a pair of this value becomes a triple */
    int gift;                /* the share of another player's gain that is our loss */
    int patience;            /* how much the risk of ending the round counts, from 0 to CERTAIN */
    uint16_t costed;         /* the cells whose costs are known already */
    int cost[CELL_COUNT][CARD_VALUES];
    int blind; /* the best use of an unseen card, once it is known */
    bool has_blind;
};

static bool is_card(int face)
{
    return face <= CARD_MOST;
}

static bool is_shared(unsigned cell)
{
    return (CELL_COLUMN_A | CELL_COLUMN_E) >> cell & 1;
}

static int share_of(int cost, int share)
{
    return cost * share / CERTAIN;
}

static int lower(int one, int other)
{
    return one < other ? one : other;
}

static int higher(int one, int other)
{
    return one > other ? one : other;
}

static int worth(const struct plan *plan, int face)
{
    if (is_card(face))
        return face * POINT;
    return face == VIEW_GAP ? 0 : plan->mean;
}

/* What two equal cards promise, if the third place holds `third`. */
static int hope_of_pair(const struct plan *plan, int card, int third)
{
    int gain = 2 * card * POINT + worth(plan, third);

    return gain > 0 ? share_of(gain, plan->chance[card - CARD_LEAST]) : 0;
}

static int hope_of_triple(const struct plan *plan, int card)
{
    bool is_forced = plan->view->rules.clear_row == FORCE_MUST;

    return card > 0 || is_forced ? 3 * card * POINT : 0;
}

static int hope_of_three(const struct plan *plan, int a, int b, int c)
{
    if (a == b && is_card(a))
        return b == c ? hope_of_triple(plan, a) : hope_of_pair(plan, a, c);
    if (a == c && is_card(a))
        return hope_of_pair(plan, a, b);
    if (b == c && is_card(b))
        return hope_of_pair(plan, b, a);
    return 0;
}

static int hope_of_column(const struct plan *plan, const int8_t *face, unsigned column)
{
    int a = face[column];
    int b = face[column + CELL_COLUMNS];
    int c = face[column + 2 * CELL_COLUMNS];

    if (a == VIEW_GAP || b == VIEW_GAP || c == VIEW_GAP)
        return 0;
    return hope_of_three(plan, a, b, c);
}

/* The cells of a row that are no gaps, from the left. */
static unsigned close_up(const int8_t *face, unsigned row, unsigned *cells)
{
    unsigned count = 0;

    for (unsigned cell = row * CELL_COLUMNS; cell < (row + 1) * CELL_COLUMNS; cell++) {
        cells[count] = cell;
        count += face[cell] != VIEW_GAP;
    }
    return count;
}

/* The best hope of a row. */
static int hope_of_row(const struct plan *plan, const int8_t *face, unsigned row)
{
    unsigned cells[CELL_COLUMNS + 1];
    unsigned count = close_up(face, row, cells);
    int best = 0;

    for (unsigned i = 0; i + 2 < count; i++) {
        int hope = hope_of_three(plan, face[cells[i]], face[cells[i + 1]], face[cells[i + 2]]);

        if (hope != 0 && (best == 0 || hope > best))
            best = hope;
    }
    return best;
}

static int hope_around(const struct plan *plan, const int8_t *face, unsigned cell)
{
    return hope_of_row(plan, face, cell / CELL_COLUMNS) +
           hope_of_column(plan, face, cell % CELL_COLUMNS);
}

/* What it costs the owner of a display to have `card` up in `cell`. */
static int lay_cost(const struct plan *plan, int8_t *face, unsigned cell, int card)
{
    int8_t old = face[cell];
    int hope = hope_around(plan, face, cell);
    int change;

    face[cell] = (int8_t)card;
    change = hope_around(plan, face, cell) - hope;
    face[cell] = old;
    return worth(plan, card) - worth(plan, old) - change;
}

/* The triple that `cell` is part of, as a mask, or 0. */
static uint16_t triple_at(const int8_t *face, unsigned cell)
{
    unsigned column = cell % CELL_COLUMNS;
    unsigned cells[CELL_COLUMNS + 1];
    unsigned count = close_up(face, cell / CELL_COLUMNS, cells);
    int card = face[cell];

    if (face[column] == card && face[column + 5] == card && face[column + 10] == card)
        return (uint16_t)(CELL_COLUMN_A << column);
    for (unsigned i = 0; i + 2 < count; i++) {
        uint16_t three =
            (uint16_t)(CELL_BIT(cells[i]) | CELL_BIT(cells[i + 1]) | CELL_BIT(cells[i + 2]));

        if ((three & CELL_BIT(cell)) && face[cells[i]] == card && face[cells[i + 1]] == card &&
            face[cells[i + 2]] == card)
            return three;
    }
    return 0;
}

static int display_cost(const struct plan *plan, const int8_t *face)
{
    int cost = 0;
    bool is_empty = true;

    for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
        cost += worth(plan, face[cell]);
        is_empty &= face[cell] == VIEW_GAP;
    }
    for (unsigned row = 0; row < CELL_ROWS; row++)
        cost -= hope_of_row(plan, face, row);
    for (unsigned column = 0; column < CELL_COLUMNS; column++)
        cost -= hope_of_column(plan, face, column);
    return is_empty ? SCORE_EMPTY * POINT : cost;
}

/* The chance that a rival ends with `score` or less. */
static int chance_below(const struct plan *plan, unsigned seat, int score)
{
    static const int root[CELL_COUNT + 1] = {0,  16, 23, 28, 32, 36, 39, 42,
                                             45, 48, 51, 53, 55, 58, 60, 62};
    const int8_t *face = plan->view->face[seat];
    unsigned down = 0;
    int expected = display_cost(plan, face) - LAST_TURN_GAIN;
    int spread;

    for (unsigned cell = 0; cell < CELL_COUNT; cell++)
        down += face[cell] == VIEW_DOWN;
    spread = SPREAD + SPREAD_OF_DOWN * root[down] / 16;
    return lower(higher(CERTAIN / 2 + 102 * (score - expected) / spread, 0), CERTAIN);
}

/* What it costs to end the round with `score`. */
static int end_cost(const struct plan *plan, int score)
{
    int success = CERTAIN;

    for (unsigned seat = 0; seat < plan->view->seats; seat++) {
        if (seat != plan->view->me)
            success = share_of(success, CERTAIN - chance_below(plan, seat, score));
    }
    return share_of(share_of(higher(score, 0), CERTAIN - success), plan->patience) -
           share_of(END_BONUS, success);
}

static bool would_end(const struct plan *plan, unsigned cell)
{
    return plan->down == CELL_BIT(cell) && !plan->view->is_final;
}

/* The cards in the row and the column of a cell, itself apart, as a mask of values; and whether two of
 * them are equal. */
static unsigned cards_around(const struct plan *plan, unsigned cell, bool *has_pair)
{
    unsigned row = cell - cell % CELL_COLUMNS;
    unsigned column = cell % CELL_COLUMNS;
    unsigned seen = 0;

    *has_pair = false;
    for (unsigned i = 0; i < CELL_COLUMNS + CELL_ROWS; i++) {
        unsigned other = i < CELL_COLUMNS ? row + i : column + (i - CELL_COLUMNS) * CELL_COLUMNS;
        int face = plan->face[other];

        if (other == cell || !is_card(face))
            continue;
        *has_pair |= seen >> (face - CARD_LEAST) & 1;
        seen |= 1U << (face - CARD_LEAST);
    }
    return seen;
}

/* What it costs us to have `card` up in our `cell`, everything considered; `lay` is what it costs by
 * itself. */
static int full_cost(const struct plan *plan, unsigned cell, int card, int lay)
{
    int change = worth(plan, card) - worth(plan, plan->face[cell]);
    int cost = lay;

    if (is_shared(cell))
        cost -= share_of(change, NEIGHBOUR_SHARE);
    if (would_end(plan, cell))
        cost += end_cost(plan, display_cost(plan, plan->face) + lay);
    return cost;
}

/* Finds the costs of a cell for all cards. Without a pair around, all cards that match none cost the
 * same but for their points. */
static void find_costs(struct plan *plan, unsigned cell)
{
    bool has_pair;
    unsigned seen = cards_around(plan, cell, &has_pair);
    int blank = lay_cost(plan, plan->face, cell, VIEW_HOLE) - worth(plan, VIEW_HOLE);

    for (int card = CARD_LEAST; card <= CARD_MOST; card++) {
        unsigned value = (unsigned)(card - CARD_LEAST);
        int lay = has_pair || (seen >> value & 1) ? lay_cost(plan, plan->face, cell, card)
                                                  : blank + card * POINT;

        plan->cost[cell][value] = full_cost(plan, cell, card, lay);
    }
    plan->costed |= CELL_BIT(cell);
}

static int own_cost(struct plan *plan, unsigned cell, int card)
{
    if (!(plan->costed >> cell & 1))
        find_costs(plan, cell);
    return plan->cost[cell][card - CARD_LEAST];
}

/* The mean of a cost over the unseen cards. */
typedef int cost_fn(struct plan *plan, unsigned cell, int card);

static int mean_cost(struct plan *plan, cost_fn *cost, unsigned cell)
{
    const struct odds *odds = plan->odds;
    int sum = 0;

    for (int card = CARD_LEAST; card <= CARD_MOST; card++) {
        if (odds->unseen[card - CARD_LEAST] > 0)
            sum += odds->unseen[card - CARD_LEAST] * cost(plan, cell, card);
    }
    return odds->count > 0 ? sum / (int)odds->count : 0;
}

static int turn_cost(struct plan *plan, unsigned cell)
{
    return mean_cost(plan, own_cost, cell) + is_shared(cell);
}

/* The best cell for `card`. The first parameter that is a cell is not looked at: any will do. */
static int keep_cost(struct plan *plan, unsigned any, int card)
{
    int best = COST_NEVER;

    (void)any;
    for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
        if (plan->face[cell] != VIEW_GAP && plan->face[cell] != VIEW_HOLE)
            best = lower(best, own_cost(plan, cell, card));
    }
    return best;
}

static int drop_cost(struct plan *plan)
{
    int best = COST_NEVER;

    for (uint16_t rest = plan->down; rest != 0; rest &= (uint16_t)(rest - 1))
        best = lower(best, turn_cost(plan, cell_of(rest)));
    return best;
}

/* The answers, one function a verb. */

static int cost_of_turn(struct plan *plan, struct answer answer)
{
    return turn_cost(plan, cell_of(answer.cells));
}

static int cost_of_pile(struct plan *plan, struct answer answer)
{
    int drop = drop_cost(plan);
    const struct odds *odds = plan->odds;
    int sum = 0;

    (void)answer;
    for (int card = CARD_LEAST; card <= CARD_MOST; card++) {
        if (odds->unseen[card - CARD_LEAST] > 0)
            sum += odds->unseen[card - CARD_LEAST] * lower(drop, keep_cost(plan, 0, card));
    }
    return odds->count > 0 ? sum / (int)odds->count : drop;
}

static int cost_of_discard(struct plan *plan, struct answer answer)
{
    (void)answer;
    return keep_cost(plan, 0, plan->view->discard_top);
}

static int cost_of_keep(struct plan *plan, struct answer answer)
{
    return own_cost(plan, cell_of(answer.cells), plan->view->drawn);
}

static int cost_of_drop(struct plan *plan, struct answer answer)
{
    return turn_cost(plan, cell_of(answer.cells));
}

static int cost_of_nothing(struct plan *plan, struct answer answer)
{
    (void)plan;
    (void)answer;
    return 0;
}

static int cost_of_never(struct plan *plan, struct answer answer)
{
    (void)plan;
    (void)answer;
    return COST_NEVER;
}

/* The lowest up card outside of `cells`, which a clever player would take from us. */
static int lowest_card(const int8_t *face, uint16_t cells)
{
    int lowest = CARD_MOST;

    for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
        if (!(cells >> cell & 1) && is_card(face[cell]))
            lowest = lower(lowest, face[cell]);
    }
    return lowest;
}

/* The card in the knocker's hand comes back to him, and a card of his goes: so he wins if the drawn card
 * makes a triple, and only then. He loses two more equal cards and the one that is taken from him. */
static int cost_of_knock(struct plan *plan, struct answer answer)
{
    int card = plan->view->drawn;
    unsigned cell;
    int8_t old;
    uint16_t triple;
    int cost;

    if (answer.cells == 0)
        return COST_NEVER;
    cell = cell_of(answer.cells);
    old = plan->face[cell];
    plan->face[cell] = (int8_t)card;
    triple = triple_at(plan->face, cell);
    plan->face[cell] = old;
    if (triple == 0)
        return COST_NEVER;
    cost = share_of(LAST_TURN_GAIN, plan->gift) -
           (2 * card + lowest_card(plan->face, triple)) * POINT;
    if (would_end(plan, cell))
        cost += end_cost(plan, display_cost(plan, plan->face) + cost);
    return cost;
}

/* The cell where a knocker puts the drawn card: the one that he offered, or the best for him. */
static unsigned knock_cell(const struct plan *plan, int8_t *face, unsigned seat)
{
    unsigned best_cell = 0;
    int best = COST_NEVER;

    if (plan->view->offer[seat] != 0)
        return cell_of(plan->view->offer[seat]);
    for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
        int cost;

        if (face[cell] == VIEW_GAP)
            continue;
        cost = lay_cost(plan, face, cell, plan->view->drawn) + worth(plan, face[cell]);
        if (cost < best) {
            best = cost;
            best_cell = cell;
        }
    }
    return best_cell;
}

/* Whether a cell of another seat is also ours. */
static bool is_ours(const struct plan *plan, unsigned seat, unsigned cell)
{
    unsigned seats = plan->view->seats;

    return (CELL_COLUMN_A >> cell & 1 && (seat + 1) % seats == plan->view->me) ||
           (CELL_COLUMN_E >> cell & 1 && (plan->view->me + 1U) % seats == seat);
}

/* What it costs to take `card` from a rival's cell, who gets `hand` for it. */
static int exchange_cost(struct plan *plan, int card, int hand, bool is_our_cell)
{
    int cost = keep_cost(plan, 0, card) + share_of(card * POINT, plan->gift);

    return is_our_cell ? cost + worth(plan, hand) - card * POINT : cost;
}

static int cost_of_accept(struct plan *plan, struct answer answer)
{
    int8_t face[CELL_COUNT];
    int best = COST_NEVER;
    int gain = -plan->view->drawn * POINT;
    unsigned placed;
    uint16_t triple;

    for (unsigned cell = 0; cell < CELL_COUNT; cell++)
        face[cell] = plan->view->face[answer.seat][cell];
    placed = knock_cell(plan, face, answer.seat);
    face[placed] = plan->view->drawn;
    triple = triple_at(face, placed);
    if (triple != 0)
        gain = 2 * plan->view->drawn * POINT;
    for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
        if (!(triple >> cell & 1) && is_card(face[cell]) && !is_ours(plan, answer.seat, cell))
            best = lower(best, exchange_cost(plan, face[cell], 0, false));
    }
    return best + share_of(gain, plan->gift);
}

static int cost_of_decline(struct plan *plan, struct answer answer)
{
    (void)answer;
    return lower(keep_cost(plan, 0, plan->view->drawn), drop_cost(plan));
}

/* Our card in the hand comes back, so it does not count as gone. */
static int cost_of_place(struct plan *plan, struct answer answer)
{
    unsigned cell = cell_of(answer.cells);

    return own_cost(plan, cell, plan->view->drawn) + worth(plan, plan->face[cell]);
}

static int cost_of_take(struct plan *plan, struct answer answer)
{
    unsigned cell = cell_of(answer.cells);
    int card = plan->view->face[answer.seat][cell];
    bool is_our_cell = is_ours(plan, answer.seat, cell);

    if (is_card(card))
        return exchange_cost(plan, card, plan->view->hand, is_our_cell);
    if (!plan->has_blind) {
        plan->blind = mean_cost(plan, keep_cost, 0) + share_of(plan->mean, plan->gift);
        plan->has_blind = true;
    }
    return plan->blind + is_our_cell;
}

static int cost_of_put(struct plan *plan, struct answer answer)
{
    return own_cost(plan, cell_of(answer.cells), plan->view->taken);
}

static int cost_of_clear(struct plan *plan, struct answer answer)
{
    int8_t face[CELL_COUNT];

    for (unsigned cell = 0; cell < CELL_COUNT; cell++)
        face[cell] = answer.cells >> cell & 1 ? VIEW_GAP : plan->face[cell];
    return display_cost(plan, face);
}

static int cost_of_none(struct plan *plan, struct answer answer)
{
    return cost_of_clear(plan, answer) + 2 * POINT;
}

typedef int answer_cost_fn(struct plan *plan, struct answer answer);

static answer_cost_fn *const answer_costs[VERB_COUNT] = {
    [VERB_TURN] = cost_of_turn,       [VERB_PILE] = cost_of_pile,
    [VERB_DISCARD] = cost_of_discard, [VERB_PASS] = cost_of_nothing,
    [VERB_KNOCK] = cost_of_knock,     [VERB_ACCEPT] = cost_of_accept,
    [VERB_DECLINE] = cost_of_decline, [VERB_AGAIN] = cost_of_never,
    [VERB_KEEP] = cost_of_keep,       [VERB_DROP] = cost_of_drop,
    [VERB_PLACE] = cost_of_place,     [VERB_TAKE] = cost_of_take,
    [VERB_PUT] = cost_of_put,         [VERB_TOSS] = cost_of_nothing,
    [VERB_CLEAR] = cost_of_clear,     [VERB_NONE] = cost_of_none,
};

/* How many turns we still have after this one: as many as the hastiest player has down cells. */
static unsigned turns_left(const struct view *view)
{
    unsigned least = TURNS_MAX;

    if (view->is_final)
        return 0;
    for (unsigned seat = 0; seat < view->seats; seat++) {
        unsigned down = 0;

        for (unsigned cell = 0; cell < CELL_COUNT; cell++)
            down += view->face[seat][cell] == VIEW_DOWN;
        if (down < least)
            least = down;
    }
    return least;
}

static void weigh_cards(struct plan *plan)
{
    const struct odds *odds = plan->odds;
    unsigned turns = turns_left(plan->view);
    int count = higher((int)odds->count, 1);
    int sum = 0;

    for (int card = CARD_LEAST; card <= CARD_MOST; card++) {
        int unseen = odds->unseen[card - CARD_LEAST];
        int missed = lower(SEEN_IN_A_TURN * unseen * CERTAIN / count, CERTAIN);
        int miss = CERTAIN;

        for (unsigned i = 0; i < turns; i++)
            miss = share_of(miss, CERTAIN - missed);
        plan->chance[card - CARD_LEAST] = share_of(CERTAIN - miss, PAIR_SHARE);
        sum += unseen * card * POINT;
    }
    plan->mean = sum / count;
}

/* Nobody may want to end a round. It fades, so that no round goes on for ever. */
static int patience_at(int turns)
{
    int left = IMPATIENT_TURNS - turns;

    return lower(higher(left * CERTAIN / (IMPATIENT_TURNS - PATIENT_TURNS), 0), CERTAIN);
}

static void make_plan(struct plan *plan, const struct view *view, const struct odds *odds)
{
    plan->view = view;
    plan->odds = odds;
    plan->gift = CERTAIN / (view->seats - 1);
    plan->patience = patience_at(view->turn / view->seats);
    plan->down = 0;
    plan->costed = 0;
    plan->has_blind = false;
    for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
        plan->face[cell] = view->face[view->me][cell];
        if (plan->face[cell] == VIEW_DOWN)
            plan->down |= CELL_BIT(cell);
    }
    weigh_cards(plan);
}

struct answer policy_choose(const struct view *view, const struct legal *legal,
                            const struct odds *odds)
{
    struct plan plan;
    unsigned best = 0;
    int best_cost = COST_NEVER;

    if (legal->count == 1)
        return legal->list[0];
    make_plan(&plan, view, odds);
    for (unsigned i = 0; i < legal->count; i++) {
        int cost = answer_costs[legal->list[i].verb](&plan, legal->list[i]);

        if (cost < best_cost) {
            best_cost = cost;
            best = i;
        }
    }
    return legal->list[best];
}
