/* Boards. A change of one cell touches at most three threes of its row and its column, so the
 * changes for all cards are found from these alone. */

#include "game/policy_private.h"

#include <string.h>

static float hope_of_pair(const struct thought *thought, int card, int third)
{
    bool is_down = !policy_is_card(third);
    float gain = 2 * (float)card + (is_down ? thought->mean : (float)third);

    if (gain <= 0)
        return 0;
    return gain * (is_down ? thought->hope_down : thought->hope_up)[policy_index(card)];
}

static float hope_of_three(const struct thought *thought, int a, int b, int c)
{
    if (a == b && policy_is_card(a))
        return b == c ? 3 * (float)a : hope_of_pair(thought, a, c);
    if (a == c && policy_is_card(a))
        return hope_of_pair(thought, a, b);
    if (b == c && policy_is_card(b))
        return hope_of_pair(thought, b, a);
    return 0;
}

static void add_three(struct board *board, unsigned a, unsigned b, unsigned c)
{
    const unsigned cells[3] = {a, b, c};

    for (unsigned i = 0; i < 3; i++) {
        board->three[board->three_count][i] = (uint8_t)cells[i];
        board->of_cell[cells[i]][board->of_cell_count[cells[i]]++] = (uint8_t)board->three_count;
    }
    board->three_count++;
}

static void find_threes(struct board *board)
{
    const int8_t *face = board->face;

    for (unsigned row = 0; row < ALLEGRA_CELL_COUNT; row += ALLEGRA_CELL_COLUMNS) {
        unsigned cells[ALLEGRA_CELL_COLUMNS + 1];
        unsigned count = 0;

        for (unsigned cell = row; cell < row + ALLEGRA_CELL_COLUMNS; cell++) {
            cells[count] = cell;
            count += face[cell] != ALLEGRA_VIEW_GAP;
        }
        for (unsigned i = 0; i + 2 < count; i++)
            add_three(board, cells[i], cells[i + 1], cells[i + 2]);
    }
    for (unsigned a = 0; a < ALLEGRA_CELL_COLUMNS; a++) {
        unsigned b = a + ALLEGRA_CELL_COLUMNS;
        unsigned c = b + ALLEGRA_CELL_COLUMNS;

        if (face[a] != ALLEGRA_VIEW_GAP && face[b] != ALLEGRA_VIEW_GAP &&
            face[c] != ALLEGRA_VIEW_GAP)
            add_three(board, a, b, c);
    }
}

static void count_board(const struct thought *thought, struct board *board)
{
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        int face = board->face[cell];

        board->present_count += face != ALLEGRA_VIEW_GAP;
        board->down_count += face == ALLEGRA_VIEW_DOWN;
        if (face != ALLEGRA_VIEW_GAP)
            board->raw += policy_is_card(face) ? (float)face : thought->mean;
    }
}

void policy_make_board(const struct thought *thought, struct board *board, const int8_t *face)
{
    memcpy(board->face, face, sizeof board->face);
    board->three_count = 0;
    memset(board->of_cell_count, 0, sizeof board->of_cell_count);
    board->down_count = board->present_count = 0;
    board->raw = 0;
    count_board(thought, board);
    find_threes(board);
    for (unsigned i = 0; i < board->three_count; i++) {
        const uint8_t *cells = board->three[i];

        board->hope[i] = hope_of_three(thought, face[cells[0]], face[cells[1]], face[cells[2]]);
    }
}

/* The three that `card` in `cell` would complete, or -1. */
int policy_completed_three(const struct board *board, unsigned cell, int card)
{
    for (unsigned i = 0; i < board->of_cell_count[cell]; i++) {
        unsigned number = board->of_cell[cell][i];
        const uint8_t *cells = board->three[number];
        unsigned equal = 0;

        for (unsigned j = 0; j < 3; j++)
            equal += cells[j] == cell || board->face[cells[j]] == card;
        if (equal == 3)
            return (int)number;
    }
    return -1;
}

/* The change of a board's cost when its three is cleared, one of whose cells is laid just now. */
float policy_clear_change(const struct thought *thought, const struct board *board, unsigned number)
{
    const uint8_t *cells = board->three[number];
    uint16_t touched = 0;
    float change = 0;

    for (unsigned j = 0; j < 3; j++) {
        change -= policy_worth(thought, board->face[cells[j]]);
        for (unsigned i = 0; i < board->of_cell_count[cells[j]]; i++)
            touched |= (uint16_t)(1U << board->of_cell[cells[j]][i]);
    }
    for (; touched != 0; touched &= (uint16_t)(touched - 1))
        change += board->hope[allegra_cell_lowest(touched)];
    return board->present_count == 3 ? change + ALLEGRA_SCORE_EMPTY : change;
}

/* The two cells of a three beside `cell`. */
void policy_others(const struct board *board, unsigned number, unsigned cell, int *a, int *b)
{
    const uint8_t *cells = board->three[number];

    *a = board->face[cells[0] == cell ? cells[1] : cells[0]];
    *b = board->face[cells[2] == cell ? cells[1] : cells[2]];
}

/* What a three hopes for with each card in one of its cells, if the others are `a` and `b`. */
static void take_hopes(const struct thought *thought, int a, int b, float changes[POLICY_LANES])
{
    if (a == b && policy_is_card(a)) {
        float gain = 2 * (float)a + ALLEGRA_CARD_MIN;
        float hope = thought->hope_up[policy_index(a)];

        for (unsigned i = 0; i < POLICY_LANES; i++)
            changes[i] -= policy_higher(gain + (float)i, 0) * hope;
        return;
    }
    if (policy_is_card(a))
        changes[policy_index(a)] -= hope_of_pair(thought, a, b);
    if (policy_is_card(b))
        changes[policy_index(b)] -= hope_of_pair(thought, b, a);
}

/* The changes of a board's cost when each card is laid into `cell`. */
void policy_find_changes(const struct thought *thought, const struct board *board, unsigned cell,
                         float changes[POLICY_LANES])
{
    float gone = policy_worth(thought, board->face[cell]);
    int a;
    int b;

    for (unsigned i = 0; i < board->of_cell_count[cell]; i++)
        gone -= board->hope[board->of_cell[cell][i]];
    for (unsigned i = 0; i < POLICY_LANES; i++)
        changes[i] = thought->card_worth[i] - gone;
    for (unsigned i = 0; i < board->of_cell_count[cell]; i++) {
        policy_others(board, board->of_cell[cell][i], cell, &a, &b);
        take_hopes(thought, a, b, changes);
    }
    for (unsigned i = 0; i < board->of_cell_count[cell]; i++) {
        policy_others(board, board->of_cell[cell][i], cell, &a, &b);
        if (a == b && policy_is_card(a))
            changes[policy_index(a)] = policy_clear_change(thought, board, board->of_cell[cell][i]);
    }
}
