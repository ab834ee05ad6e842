/* Hopes are found in each column and in each row, in which gaps close up. Of several hopes in one
 * row only the best counts, because they compete for the same cells. */

#include "greedy/hope.h"

/* How many turns we still have after this one: the smallest number of down cells of any player. */
static unsigned turns_left(const struct allegra_view *view)
{
    unsigned least = ESTIMATE_TURNS_MAX;

    if (view->is_final)
        return 0;
    for (unsigned seat = 0; seat < view->seats; seat++) {
        unsigned down = 0;

        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++)
            down += view->face[seat][cell] == ALLEGRA_VIEW_DOWN;
        if (down < least)
            least = down;
    }
    return least;
}

struct hope hope_of(const struct allegra_view *view, const struct odds *odds)
{
    struct hope hope = {.is_forced = view->rules.clear_row == ALLEGRA_FORCE_MUST};
    unsigned turns = turns_left(view);
    int count = estimate_higher((int)odds->count, 1);
    int sum = 0;

    for (int card = ALLEGRA_CARD_MIN; card <= ALLEGRA_CARD_MAX; card++) {
        int unseen = odds->unseen[card - ALLEGRA_CARD_MIN];
        int comes = estimate_lower(ESTIMATE_SEEN_IN_A_TURN * unseen * ESTIMATE_CERTAIN / count,
                                   ESTIMATE_CERTAIN);
        int missed = ESTIMATE_CERTAIN;

        for (unsigned i = 0; i < turns; i++)
            missed = estimate_share(missed, ESTIMATE_CERTAIN - comes);
        hope.chance[card - ALLEGRA_CARD_MIN] =
            estimate_share(ESTIMATE_CERTAIN - missed, ESTIMATE_PAIR_SHARE);
        sum += unseen * card * ESTIMATE_POINT;
    }
    hope.mean = sum / count;
    return hope;
}

/* What two equal cards promise, if the third place holds `third`. */
static int of_pair(const struct hope *hope, int card, int third)
{
    int gain = 2 * card * ESTIMATE_POINT + hope_worth(hope, third);

    return gain > 0 ? estimate_share(gain, hope->chance[card - ALLEGRA_CARD_MIN]) : 0;
}

static int of_triple(const struct hope *hope, int card)
{
    return card > 0 || hope->is_forced ? 3 * card * ESTIMATE_POINT : 0;
}

static int of_three(const struct hope *hope, int a, int b, int c)
{
    if (a == b && hope_is_card(a))
        return b == c ? of_triple(hope, a) : of_pair(hope, a, c);
    if (a == c && hope_is_card(a))
        return of_pair(hope, a, b);
    if (b == c && hope_is_card(b))
        return of_pair(hope, b, a);
    return 0;
}

static int of_column(const struct hope *hope, const int8_t *face, unsigned column)
{
    int a = face[column];
    int b = face[column + ALLEGRA_CELL_COLUMNS];
    int c = face[column + 2 * ALLEGRA_CELL_COLUMNS];

    if (a == ALLEGRA_VIEW_GAP || b == ALLEGRA_VIEW_GAP || c == ALLEGRA_VIEW_GAP)
        return 0;
    return of_three(hope, a, b, c);
}

/* The cells of a row that are not gaps, from the left. One more than there are can be written. */
static unsigned close_up(const int8_t *face, unsigned row, unsigned *cells)
{
    unsigned count = 0;

    for (unsigned cell = row * ALLEGRA_CELL_COLUMNS; cell < (row + 1) * ALLEGRA_CELL_COLUMNS;
         cell++) {
        cells[count] = cell;
        count += face[cell] != ALLEGRA_VIEW_GAP;
    }
    return count;
}

static int of_row(const struct hope *hope, const int8_t *face, unsigned row)
{
    unsigned cells[ALLEGRA_CELL_COLUMNS + 1];
    unsigned count = close_up(face, row, cells);
    int best = 0;

    for (unsigned i = 0; i + 2 < count; i++) {
        int found = of_three(hope, face[cells[i]], face[cells[i + 1]], face[cells[i + 2]]);

        if (found != 0 && (best == 0 || found > best))
            best = found;
    }
    return best;
}

static int around(const struct hope *hope, const int8_t *face, unsigned cell)
{
    return of_row(hope, face, cell / ALLEGRA_CELL_COLUMNS) +
           of_column(hope, face, cell % ALLEGRA_CELL_COLUMNS);
}

int hope_lay_cost(const struct hope *hope, int8_t *face, unsigned cell, int card)
{
    int8_t old = face[cell];
    int before = around(hope, face, cell);
    int after;

    face[cell] = (int8_t)card;
    after = around(hope, face, cell);
    face[cell] = old;
    return hope_worth(hope, card) - hope_worth(hope, old) - after + before;
}

/* The cards in the row and the column of a cell, itself apart, as a mask of values; and whether two
 * of them are equal. */
static unsigned cards_around(const int8_t *display, unsigned cell, bool *has_pair)
{
    unsigned row = cell - cell % ALLEGRA_CELL_COLUMNS;
    unsigned column = cell % ALLEGRA_CELL_COLUMNS;
    unsigned seen = 0;

    *has_pair = false;
    for (unsigned i = 0; i < ALLEGRA_CELL_COLUMNS + ALLEGRA_CELL_ROWS; i++) {
        unsigned other = i < ALLEGRA_CELL_COLUMNS
                             ? row + i
                             : column + (i - ALLEGRA_CELL_COLUMNS) * ALLEGRA_CELL_COLUMNS;
        int face = display[other];

        if (other == cell || !hope_is_card(face))
            continue;
        *has_pair |= seen >> (face - ALLEGRA_CARD_MIN) & 1;
        seen |= 1U << (face - ALLEGRA_CARD_MIN);
    }
    return seen;
}

/* Without a pair around, all cards that match none cost the same but for their points, which spares
 * most of the work. */
void hope_lay_costs(const struct hope *hope, int8_t *face, unsigned cell,
                    int costs[ALLEGRA_CARD_VALUES])
{
    int8_t old = face[cell];
    int before = around(hope, face, cell) - hope_worth(hope, old);
    bool has_pair;
    unsigned seen = cards_around(face, cell, &has_pair);
    int blank;

    face[cell] = ALLEGRA_VIEW_HOLE;
    blank = around(hope, face, cell);
    for (int card = ALLEGRA_CARD_MIN; card <= ALLEGRA_CARD_MAX; card++) {
        int after = blank;

        face[cell] = (int8_t)card;
        if (has_pair || (seen >> (card - ALLEGRA_CARD_MIN) & 1))
            after = around(hope, face, cell);
        costs[card - ALLEGRA_CARD_MIN] = card * ESTIMATE_POINT - after + before;
    }
    face[cell] = old;
}

int hope_display_cost(const struct hope *hope, const int8_t *face)
{
    int cost = 0;
    bool is_empty = true;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        cost += hope_worth(hope, face[cell]);
        is_empty &= face[cell] == ALLEGRA_VIEW_GAP;
    }
    for (unsigned row = 0; row < ALLEGRA_CELL_ROWS; row++)
        cost -= of_row(hope, face, row);
    for (unsigned column = 0; column < ALLEGRA_CELL_COLUMNS; column++)
        cost -= of_column(hope, face, column);
    return is_empty ? ALLEGRA_SCORE_EMPTY * ESTIMATE_POINT : cost;
}

static uint16_t find_triple(const int8_t *face, unsigned cell)
{
    uint16_t column = (uint16_t)(ALLEGRA_CELL_COLUMN_A << cell % ALLEGRA_CELL_COLUMNS);
    unsigned cells[ALLEGRA_CELL_COLUMNS + 1];
    unsigned count = close_up(face, cell / ALLEGRA_CELL_COLUMNS, cells);
    uint16_t equal = 0;

    for (unsigned i = 0; i < ALLEGRA_CELL_COUNT; i++)
        equal |= (uint16_t)((unsigned)(face[i] == face[cell]) << i);
    if ((equal & column) == column)
        return column;
    for (unsigned i = 0; i + 2 < count; i++) {
        uint16_t three = (uint16_t)(ALLEGRA_CELL_BIT(cells[i]) | ALLEGRA_CELL_BIT(cells[i + 1]) |
                                    ALLEGRA_CELL_BIT(cells[i + 2]));

        if ((three & equal) == three && (three >> cell & 1))
            return three;
    }
    return 0;
}

uint16_t hope_triple(int8_t *face, unsigned cell, int card)
{
    int8_t old = face[cell];
    uint16_t triple;

    face[cell] = (int8_t)card;
    triple = find_triple(face, cell);
    face[cell] = old;
    return triple;
}
