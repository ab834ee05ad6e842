/* A policy that is taught: every answer gets a cost in points, the lowest wins, and the weights say
 * what a display costs beyond its cards. Nothing here looks at a card that the seat may not see.
 *
 * A display costs the sum of its cards less its hopes: pairs that may become triples while turns
 * are left. A change of one cell touches at most three threes of its row and its column, so the
 * costs of laying each card into each cell are found from these alone, and kept. The costs of all
 * answers follow: a card is laid into its best cell; an unseen card is each card that is unseen,
 * by its chance; a card that is left on the discard pile helps the next player; a cell of a shared
 * column is also the neighbour's; and whoever turns up the last cell ends the round, which is good
 * for the lowest score and bad for any other. */

#include "game/policy_private.h"

/* From -1 to 1, without a mathematical library. */
static float squash(float x)
{
    return x / (1 + (x < 0 ? -x : x));
}

/* High cards and unseen ones will be replaced while turns are left. */
static void find_worths(struct thought *thought)
{
    const float *weights = thought->weights;

    thought->down_worth = thought->mean + weights[ALLEGRA_WEIGHT_DOWN] +
                          weights[ALLEGRA_WEIGHT_DOWN_TURNS] * thought->turns;
    for (unsigned i = 0; i < POLICY_LANES; i++) {
        float card = (float)i + ALLEGRA_CARD_MIN;

        thought->card_worth[i] = card - weights[ALLEGRA_WEIGHT_HIGH] * thought->turns *
                                            policy_higher(card - thought->mean, 0);
    }
}

/* Beginning. */

static void count_chances(struct thought *thought, const uint8_t *unseen)
{
    unsigned count = 0;
    float sum = 0;

    for (unsigned i = 0; i < ALLEGRA_CARD_VALUES; i++) {
        count += unseen[i];
        sum += (float)unseen[i] * ((float)i + ALLEGRA_CARD_MIN);
    }
    for (unsigned i = 0; i < POLICY_LANES; i++)
        thought->chance[i] =
            i < ALLEGRA_CARD_VALUES && count > 0 ? (float)unseen[i] / (float)count : 0;
    thought->mean = count > 0 ? sum / (float)count : 5;
}

static void find_hopes(struct thought *thought, unsigned turns)
{
    const float *weights = thought->weights;

    thought->turns = (float)turns / POLICY_TURNS_MAX;
    for (unsigned i = 0; i < POLICY_LANES; i++) {
        float down = policy_higher(
            1 - policy_lower(weights[ALLEGRA_WEIGHT_PAIR_DOWN] * thought->chance[i], 1), 0);
        float up = policy_higher(
            1 - policy_lower(weights[ALLEGRA_WEIGHT_PAIR_UP] * thought->chance[i], 1), 0);
        float down_missed = 1;
        float up_missed = 1;

        for (unsigned turn = 0; turn < turns; turn++) {
            down_missed *= down;
            up_missed *= up;
        }
        thought->hope_down[i] = (1 - down_missed) * weights[ALLEGRA_WEIGHT_PAIR];
        thought->hope_up[i] = (1 - up_missed) * weights[ALLEGRA_WEIGHT_PAIR];
    }
}

static unsigned down_cells(const int8_t *face)
{
    unsigned count = 0;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++)
        count += face[cell] == ALLEGRA_VIEW_DOWN;
    return count;
}

static float raw_of(const struct thought *thought, const int8_t *face)
{
    float sum = 0;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (face[cell] != ALLEGRA_VIEW_GAP)
            sum += policy_is_card(face[cell]) ? (float)face[cell] : thought->mean;
    }
    return sum;
}

static void look_at_rivals(struct thought *thought)
{
    const struct allegra_view *view = thought->view;

    thought->rival = POLICY_NEVER;
    thought->rival_down = ALLEGRA_CELL_COUNT;
    for (unsigned seat = 0; seat < view->seats; seat++) {
        unsigned down = down_cells(view->face[seat]);

        if (seat == view->me)
            continue;
        thought->rival = policy_lower(thought->rival, raw_of(thought, view->face[seat]));
        if (down < thought->rival_down)
            thought->rival_down = down;
    }
}

static void begin_thought(struct thought *thought, const struct allegra_view *view,
                          const uint8_t *unseen)
{
    unsigned turns = down_cells(view->face[view->me]);
    unsigned next = view->me + 1U == view->seats ? 0 : view->me + 1U;

    count_chances(thought, unseen);
    look_at_rivals(thought);
    if (thought->rival_down < turns)
        turns = thought->rival_down;
    if (turns > POLICY_TURNS_MAX)
        turns = POLICY_TURNS_MAX;
    find_hopes(thought, view->is_final ? 0 : turns);
    find_worths(thought);
    policy_make_board(thought, &thought->own, view->face[view->me]);
    policy_make_board(thought, &thought->next, view->face[next]);
    thought->lead = squash((thought->own.raw - thought->rival) / 10);
    thought->known = 0;
    thought->has_left = false;
}

/* Costs of cards in cells. */

/* To end the round with `raw` points: the others move once more, and who is not the lowest pays
 * twice. */
static float end_cost(const struct thought *thought, float raw)
{
    const float *weights = thought->weights;
    float margin = thought->rival - weights[ALLEGRA_WEIGHT_END_MOVE] - raw;
    float success = (1 + squash(margin * weights[ALLEGRA_WEIGHT_END_SURE])) / 2;

    return (1 - success) * (policy_higher(raw, 0) + weights[ALLEGRA_WEIGHT_END_FAIL]) -
           success * weights[ALLEGRA_WEIGHT_END_WIN];
}

/* What it costs beyond the cards that a down cell is up. */
static float turned_cost(const struct thought *thought, float change)
{
    const float *weights = thought->weights;

    if (thought->view->is_final)
        return 0;
    if (thought->own.down_count == 1)
        return end_cost(thought, thought->own.raw + change);
    return weights[ALLEGRA_WEIGHT_TEMPO] + weights[ALLEGRA_WEIGHT_TEMPO_LEAD] * thought->lead +
           (thought->own.down_count == 2
                ? weights[ALLEGRA_WEIGHT_LAST_BUT_ONE] +
                      weights[ALLEGRA_WEIGHT_LAST_BUT_ONE_LEAD] * thought->lead
                : 0);
}

static bool is_shared(unsigned cell)
{
    return (ALLEGRA_CELL_COLUMN_A | ALLEGRA_CELL_COLUMN_E) >> cell & 1;
}

/* What the neighbours are rid of when a three is cleared. */
static float shared_worth(const struct thought *thought, unsigned number)
{
    const struct board *own = &thought->own;
    float sum = 0;

    for (unsigned j = 0; j < 3; j++) {
        unsigned cell = own->three[number][j];

        if (is_shared(cell))
            sum += policy_worth(thought, own->face[cell]);
    }
    return sum;
}

/* The changes of points of the neighbours when each card is laid into `cell`. */
static void add_shared(const struct thought *thought, unsigned cell, float costs[POLICY_LANES])
{
    const struct board *own = &thought->own;
    float share = thought->weights[ALLEGRA_WEIGHT_NEIGHBOUR];
    int a;
    int b;

    for (unsigned i = 0; is_shared(cell) && i < POLICY_LANES; i++)
        costs[i] -= share * (thought->card_worth[i] - policy_worth(thought, own->face[cell]));
    for (unsigned i = 0; i < own->of_cell_count[cell]; i++) {
        unsigned number = own->of_cell[cell][i];
        unsigned value;

        policy_others(own, number, cell, &a, &b);
        if (a != b || !policy_is_card(a))
            continue;
        value = policy_index(a);
        if (is_shared(cell))
            costs[value] +=
                share * (thought->card_worth[value] - policy_worth(thought, own->face[cell]));
        costs[value] += share * shared_worth(thought, number);
    }
}

static void find_lay_costs(struct thought *thought, unsigned cell)
{
    float *costs = thought->lay[cell];
    bool is_down = thought->own.face[cell] == ALLEGRA_VIEW_DOWN;
    float turned = is_shared(cell) ? thought->weights[ALLEGRA_WEIGHT_SHARED_TURN] : 0;

    policy_find_changes(thought, &thought->own, cell, costs);
    for (unsigned i = 0; is_down && i < POLICY_LANES; i++)
        costs[i] += turned_cost(thought, costs[i]) + turned;
    add_shared(thought, cell, costs);
    thought->known |= ALLEGRA_CELL_BIT(cell);
}

static float lay_cost(struct thought *thought, unsigned cell, int card)
{
    if (!policy_is_card(card))
        return POLICY_NEVER;
    if (!(thought->known >> cell & 1))
        find_lay_costs(thought, cell);
    return thought->lay[cell][policy_index(card)];
}

/* To turn up a down cell. */
static float turn_cost(struct thought *thought, unsigned cell)
{
    float sum = 0;

    for (unsigned i = 0; i < POLICY_LANES; i++)
        sum += thought->chance[i] * lay_cost(thought, cell, (int)i + ALLEGRA_CARD_MIN);
    return sum;
}

static float best_turn(struct thought *thought)
{
    float best = POLICY_NEVER;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (thought->own.face[cell] == ALLEGRA_VIEW_DOWN)
            best = policy_lower(best, turn_cost(thought, cell));
    }
    return best;
}

/* What each card is worth to the next player. */
static void find_left_costs(struct thought *thought)
{
    const float *weights = thought->weights;
    float gains[POLICY_LANES] = {0};
    float changes[POLICY_LANES];

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (thought->next.face[cell] == ALLEGRA_VIEW_GAP)
            continue;
        policy_find_changes(thought, &thought->next, cell, changes);
        for (unsigned i = 0; i < POLICY_LANES; i++)
            gains[i] = policy_higher(gains[i], -changes[i]);
    }
    for (unsigned i = 0; i < POLICY_LANES; i++)
        thought->left[i] = weights[ALLEGRA_WEIGHT_LEFT] *
                           policy_higher(gains[i] - weights[ALLEGRA_WEIGHT_LEFT_USUAL], 0);
    thought->has_left = true;
}

/* To leave a card on the discard pile. */
static float left_cost(struct thought *thought, int face)
{
    if (!policy_is_card(face))
        return thought->weights[ALLEGRA_WEIGHT_LEFT_UNSEEN];
    if (!thought->has_left)
        find_left_costs(thought);
    return thought->left[policy_index(face)];
}

static float keep_cost(struct thought *thought, unsigned cell, int card)
{
    return lay_cost(thought, cell, card) + left_cost(thought, thought->own.face[cell]);
}

static float best_keep(struct thought *thought, int card)
{
    float best = POLICY_NEVER;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (thought->own.face[cell] != ALLEGRA_VIEW_GAP &&
            thought->own.face[cell] != ALLEGRA_VIEW_HOLE)
            best = policy_lower(best, keep_cost(thought, cell, card));
    }
    return best;
}

/* The best use of an unseen card. */
static float unseen_cost(struct thought *thought, bool can_drop)
{
    float turn = can_drop ? best_turn(thought) : POLICY_NEVER;
    float sum = 0;

    for (unsigned i = 0; i < POLICY_LANES; i++) {
        int card = (int)i + ALLEGRA_CARD_MIN;

        if (thought->chance[i] > 0)
            sum += thought->chance[i] *
                   policy_lower(best_keep(thought, card),
                                can_drop ? turn + left_cost(thought, card) : POLICY_NEVER);
    }
    return sum;
}

/* Answers. */

/* What a knocker loses to the active player: its lowest up card outside of a three. */
static float lowest_up(const struct board *board, int number)
{
    float lowest = ALLEGRA_CARD_MAX;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        bool is_cleared = false;

        for (unsigned j = 0; number >= 0 && j < 3; j++)
            is_cleared |= board->three[number][j] == cell;
        if (!is_cleared && policy_is_card(board->face[cell]))
            lowest = policy_lower(lowest, (float)board->face[cell]);
    }
    return lowest;
}

static float knock_cost(const struct thought *thought, uint16_t cells)
{
    int card = thought->view->drawn;
    unsigned cell;
    int number;

    if (cells == 0)
        return POLICY_NEVER;
    cell = allegra_cell_lowest(cells);
    number = policy_completed_three(&thought->own, cell, card);
    if (number < 0)
        return POLICY_NEVER;
    return thought->weights[ALLEGRA_WEIGHT_KNOCK] - 2 * (float)card -
           lowest_up(&thought->own, number);
}

/* The best card of the knocker that is left to take. */
static float accept_cost(struct thought *thought, unsigned seat)
{
    const struct allegra_view *view = thought->view;
    const int8_t *face = view->face[seat < view->seats ? seat : view->me];
    float best = POLICY_NEVER;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (policy_is_card(face[cell]) && !(view->offer[seat] >> cell & 1))
            best = policy_lower(best, best_keep(thought, face[cell]));
    }
    return best + thought->weights[ALLEGRA_WEIGHT_ACCEPT];
}

static float take_cost(struct thought *thought, unsigned seat, unsigned cell)
{
    int face = thought->view->face[seat < thought->view->seats ? seat : 0][cell];

    if (!policy_is_card(face))
        return unseen_cost(thought, false);
    return best_keep(thought, face);
}

static float clear_cost(const struct thought *thought, uint16_t cells)
{
    const struct board *own = &thought->own;

    for (unsigned i = 0; i < own->three_count; i++) {
        const uint8_t *three = own->three[i];

        if ((ALLEGRA_CELL_BIT(three[0]) | ALLEGRA_CELL_BIT(three[1]) |
             ALLEGRA_CELL_BIT(three[2])) == cells)
            return policy_clear_change(thought, own, i) - 3 * (float)own->face[three[0]];
    }
    return 0;
}

static float cost_of(struct thought *thought, struct allegra_answer answer)
{
    const struct allegra_view *view = thought->view;
    unsigned cell = answer.cells != 0 ? allegra_cell_lowest(answer.cells) : 0;

    switch ((enum allegra_verb)answer.verb) {
    case ALLEGRA_VERB_TURN:
        return turn_cost(thought, cell);
    case ALLEGRA_VERB_PILE:
        return unseen_cost(thought, true);
    case ALLEGRA_VERB_DISCARD:
        return best_keep(thought, view->discard_top) + thought->weights[ALLEGRA_WEIGHT_DISCARD];
    case ALLEGRA_VERB_KNOCK:
        return knock_cost(thought, answer.cells);
    case ALLEGRA_VERB_ACCEPT:
        return accept_cost(thought, answer.seat);
    case ALLEGRA_VERB_DECLINE:
        return policy_lower(best_keep(thought, view->drawn),
                            best_turn(thought) + left_cost(thought, view->drawn));
    case ALLEGRA_VERB_KEEP:
        return keep_cost(thought, cell, view->drawn);
    case ALLEGRA_VERB_DROP:
        return turn_cost(thought, cell) + left_cost(thought, view->drawn);
    case ALLEGRA_VERB_PLACE:
        return lay_cost(thought, cell, view->drawn) +
               policy_worth(thought, thought->own.face[cell]);
    case ALLEGRA_VERB_TAKE:
        return take_cost(thought, answer.seat, cell);
    case ALLEGRA_VERB_PUT:
        return keep_cost(thought, cell, view->taken);
    case ALLEGRA_VERB_CLEAR:
        return clear_cost(thought, answer.cells);
    case ALLEGRA_VERB_AGAIN:
        return POLICY_NEVER;
    default:
        return 0;
    }
}

unsigned allegra_policy_choose(const struct allegra_policy *policy, const struct allegra_view *view,
                               const uint8_t unseen[ALLEGRA_CARD_VALUES],
                               const struct allegra_legal *legal)
{
    struct thought thought;
    unsigned best = 0;
    float least = POLICY_NEVER * 2;

    if (legal->count <= 1 || view->seats > ALLEGRA_SEATS_MAX || view->me >= view->seats)
        return 0;
    thought.view = view;
    thought.weights = policy->weights;
    begin_thought(&thought, view, unseen);
    for (unsigned i = 0; i < legal->count; i++) {
        float cost = cost_of(&thought, legal->list[i]);

        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}
