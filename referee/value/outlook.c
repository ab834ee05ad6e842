/* A line is a row, where gaps close up, or a column; a window is three cells of a line that could
 * become a triple. Each window with a pair in it, or with one card and a place beside it, makes
 * some cards cheaper in some cells: those bonuses are few, and all other costs of placing a card
 * are the same for all cards. Of several windows in a row only the best counts: they compete for
 * the same cells.
 *
 * What concerns all cards is computed for sixteen of them at once. Everything is inlined into
 * outlook_make(), which is compiled twice: for machines with AVX2, and for all. */

#include "value/outlook.h"

#include <string.h>

#define NO_CARD 15 /* what lies in a cell without a known card, in place of a card from 0 */

#define INLINE static inline __attribute__((always_inline))

/* Such vectors are only passed to functions that are inlined, so their ABI does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* A number for each card. */
typedef int16_t by_card __attribute__((vector_size(2 * OUTLOOK_CARDS), aligned(2), may_alias));

/* A display while it is looked at. */
struct sight {
    const int *chance;
    int mean;
    uint16_t present;
    uint8_t card[ALLEGRA_CELL_COUNT]; /* from 0, or NO_CARD */
    int worth[ALLEGRA_CELL_COUNT];
    int before[ALLEGRA_CELL_COUNT]; /* the hopes of its row, */
    int blank[ALLEGRA_CELL_COUNT];  /* and what is left of them without it */
    int16_t bonus[ALLEGRA_CELL_COUNT][OUTLOOK_CARDS];
};

INLINE int points(unsigned card)
{
    return ((int)card + ALLEGRA_CARD_MIN) * ESTIMATE_POINT;
}

void outlook_count(struct outlook_odds *odds, const struct allegra_table *table)
{
    int counts[OUTLOOK_CARDS] = {0};
    int count = 0;
    int sum = 0;

    for (unsigned i = 0; i < table->draw_count; i++)
        counts[table->pile[i] - ALLEGRA_CARD_MIN]++;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        unsigned down = table->down[seat] & ~(unsigned)ALLEGRA_CELL_COLUMN_E;

        for (; down != 0; down &= down - 1)
            counts[table->codes[seat] >> 4 * allegra_cell_lowest((uint16_t)down) & 15U]++;
    }
    for (unsigned card = 0; card < ALLEGRA_CARD_VALUES; card++) {
        count += counts[card];
        sum += counts[card] * points(card);
    }
    count = estimate_higher(count, 1);
    odds->mean = sum / count;
    odds->total = count;
    memset(odds->chance, 0, sizeof odds->chance);
    for (unsigned card = 0; card < OUTLOOK_CARDS; card++) {
        int comes = estimate_lower(
            ESTIMATE_SEEN_IN_A_TURN * counts[card] * ESTIMATE_CERTAIN / count, ESTIMATE_CERTAIN);
        int missed = ESTIMATE_CERTAIN;

        odds->count[card] = (int16_t)counts[card];
        for (unsigned turns = 1; turns <= ESTIMATE_TURNS_MAX; turns++) {
            missed = estimate_share(missed, ESTIMATE_CERTAIN - comes);
            odds->chance[turns][card] =
                estimate_share(ESTIMATE_CERTAIN - missed, ESTIMATE_PAIR_SHARE);
        }
    }
}

/* The points of each card, and the share of them that counts in a shared column: a change there is
 * as much the neighbour's. */
#define STEP(card) (((card) + ALLEGRA_CARD_MIN) * ESTIMATE_POINT)
#define SHARED_STEP(card)                                                                          \
    (((card) + ALLEGRA_CARD_MIN) * (ESTIMATE_POINT - ESTIMATE_NEIGHBOUR_SHARE))
static const int16_t steps[2][OUTLOOK_CARDS] = {
    {STEP(0), STEP(1), STEP(2), STEP(3), STEP(4), STEP(5), STEP(6), STEP(7), STEP(8), STEP(9),
     STEP(10), STEP(11), STEP(12)},
    {SHARED_STEP(0), SHARED_STEP(1), SHARED_STEP(2), SHARED_STEP(3), SHARED_STEP(4), SHARED_STEP(5),
     SHARED_STEP(6), SHARED_STEP(7), SHARED_STEP(8), SHARED_STEP(9), SHARED_STEP(10),
     SHARED_STEP(11), SHARED_STEP(12)},
};

/* The same in whole points. */
#define WHOLE(card) ((card) + ALLEGRA_CARD_MIN)
static const int16_t whole[OUTLOOK_CARDS] = {WHOLE(0),  WHOLE(1),  WHOLE(2), WHOLE(3), WHOLE(4),
                                             WHOLE(5),  WHOLE(6),  WHOLE(7), WHOLE(8), WHOLE(9),
                                             WHOLE(10), WHOLE(11), WHOLE(12)};

/* What two equal cards promise, if the third place counts `third`. */
INLINE int of_pair(const struct sight *sight, unsigned card, int third)
{
    return estimate_share(estimate_higher(2 * points(card) + third, 0), sight->chance[card]);
}

INLINE int of_window(const struct sight *sight, unsigned a, unsigned b, unsigned c)
{
    unsigned x = sight->card[a];
    unsigned y = sight->card[b];
    unsigned z = sight->card[c];

    if (x == y && x != NO_CARD)
        return y == z ? 3 * points(x) : of_pair(sight, x, sight->worth[c]);
    if (x == z && x != NO_CARD)
        return of_pair(sight, x, sight->worth[b]);
    if (y == z && y != NO_CARD)
        return of_pair(sight, y, sight->worth[a]);
    return 0;
}

INLINE by_card *all_of(int16_t *numbers)
{
    return (by_card *)numbers;
}

INLINE by_card higher(by_card one, by_card other)
{
    by_card is_higher = one > other;

    return (one & is_higher) | (other & ~is_higher);
}

INLINE by_card lower(by_card one, by_card other)
{
    by_card is_lower = one < other;

    return (one & is_lower) | (other & ~is_lower);
}

/* What a window promises with each card beside the pair of `pair`. Points are whole, so nothing is
 * lost if their unit is divided by before the chance is multiplied with. */
INLINE by_card of_thirds(const struct sight *sight, unsigned pair)
{
    by_card third = *(const by_card *)whole + (int16_t)(2 * ((int)pair + ALLEGRA_CARD_MIN));
    by_card promised = higher(third, (by_card){0}) * (int16_t)sight->chance[pair];

    promised[pair] = (int16_t)(3 * points(pair));
    return promised;
}

/* A card is worth so much more in a cell than a card that matches nothing. Of the windows of a row
 * only the best counts. */
INLINE void raise_bonus(struct sight *sight, unsigned cell, unsigned card, int bonus)
{
    if (bonus > sight->bonus[cell][card])
        sight->bonus[cell][card] = (int16_t)bonus;
}

/* The cell `place` of a window beside `one` and `other`: which cards are welcome there? */
INLINE void add_bonus(struct sight *sight, unsigned place, unsigned one, unsigned other, int blank)
{
    unsigned x = sight->card[one];
    unsigned y = sight->card[other];

    if (x == y) {
        by_card *bonus = all_of(sight->bonus[place]);

        if (x != NO_CARD)
            *bonus = higher(*bonus, of_thirds(sight, x) - (int16_t)blank);
        return;
    }
    if (x != NO_CARD)
        raise_bonus(sight, place, x, of_pair(sight, x, sight->worth[other]) - blank);
    if (y != NO_CARD)
        raise_bonus(sight, place, y, of_pair(sight, y, sight->worth[one]) - blank);
}

INLINE unsigned close_up(uint16_t present, unsigned row, unsigned *cells)
{
    unsigned count = 0;

    for (uint16_t rest = present & (uint16_t)(ALLEGRA_CELL_ROW_1 << row * ALLEGRA_CELL_COLUMNS);
         rest != 0; rest &= (uint16_t)(rest - 1))
        cells[count++] = allegra_cell_lowest(rest);
    return count;
}

/* The cells of a row that are no gaps, from the left. The window i is the cells i to i + 2. */
struct row {
    unsigned count;
    unsigned cells[ALLEGRA_CELL_COLUMNS];
    int value[ALLEGRA_CELL_COLUMNS]; /* of each window, or 0 */
    int blank[ALLEGRA_CELL_COLUMNS]; /* for each cell: what the windows without it promise */
};

INLINE void find_blanks(struct row *row)
{
    int first = estimate_higher(row->value[0], 0);
    int last = estimate_higher(row->value[2], 0);

    row->blank[0] = estimate_higher(row->value[1], last);
    row->blank[1] = last;
    row->blank[2] = 0;
    row->blank[3] = first;
    row->blank[4] = estimate_higher(row->value[1], first);
}

INLINE int look_at_row(struct sight *sight, unsigned number)
{
    struct row row;
    const unsigned *cells = row.cells;
    int best = 0;

    row.value[0] = row.value[1] = row.value[2] = 0;
    row.count = close_up(sight->present, number, row.cells);
    for (unsigned i = 0; i + 2 < row.count; i++) {
        row.value[i] = of_window(sight, cells[i], cells[i + 1], cells[i + 2]);
        best = estimate_higher(best, row.value[i]);
    }
    find_blanks(&row);
    for (unsigned i = 0; i + 2 < row.count; i++) {
        add_bonus(sight, cells[i], cells[i + 1], cells[i + 2], row.blank[i]);
        add_bonus(sight, cells[i + 1], cells[i], cells[i + 2], row.blank[i + 1]);
        add_bonus(sight, cells[i + 2], cells[i], cells[i + 1], row.blank[i + 2]);
    }
    for (unsigned i = 0; i < row.count; i++) {
        sight->before[cells[i]] = best;
        sight->blank[cells[i]] = row.blank[i];
    }
    return best;
}

INLINE void grow_bonus(struct sight *sight, unsigned cell, unsigned card, int bonus)
{
    sight->bonus[cell][card] = (int16_t)(sight->bonus[cell][card] + bonus);
}

/* One cell of a column: its bonuses come on top of those of the row. */
INLINE void add_column_bonus(struct sight *sight, unsigned place, unsigned one, unsigned other,
                             int value)
{
    unsigned x = sight->card[one];
    unsigned y = sight->card[other];

    sight->before[place] += value;
    if (x == y) {
        if (x != NO_CARD)
            *all_of(sight->bonus[place]) += of_thirds(sight, x);
        return;
    }
    if (x != NO_CARD)
        grow_bonus(sight, place, x, of_pair(sight, x, sight->worth[other]));
    if (y != NO_CARD)
        grow_bonus(sight, place, y, of_pair(sight, y, sight->worth[one]));
}

INLINE int look_at_column(struct sight *sight, unsigned column)
{
    unsigned a = column;
    unsigned b = a + ALLEGRA_CELL_COLUMNS;
    unsigned c = b + ALLEGRA_CELL_COLUMNS;
    uint16_t mask = (uint16_t)(ALLEGRA_CELL_COLUMN_A << column);
    int value;

    if ((sight->present & mask) != mask)
        return 0;
    value = of_window(sight, a, b, c);
    add_column_bonus(sight, a, b, c, value);
    add_column_bonus(sight, b, a, c, value);
    add_column_bonus(sight, c, a, b, value);
    return value;
}

INLINE void see(struct sight *sight, const struct allegra_table *table, unsigned seat)
{
    uint64_t codes = table->codes[seat];
    uint16_t down = table->down[seat];

    sight->present = table->present[seat];
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++, codes >>= 4) {
        unsigned code = codes & 15U;
        bool is_card = code < ALLEGRA_TABLE_CODE_HOLE && !(down >> cell & 1);

        sight->card[cell] = is_card ? (uint8_t)code : NO_CARD;
        sight->worth[cell] = is_card ? points(code) : sight->mean;
    }
    memset(sight->before, 0, sizeof sight->before);
    memset(sight->blank, 0, sizeof sight->blank);
    memset(sight->bonus, 0, sizeof sight->bonus);
}

/* A cell that is no gap. The best of all cells so far are `best` and, if a shared cell counts like
 * any other, `own_best`. */
INLINE void weigh_cell(struct outlook *outlook, const struct sight *sight, unsigned cell,
                       const struct outlook_odds *odds, by_card *best, by_card *own_best)
{
    bool is_shared = (ALLEGRA_CELL_COLUMN_A | ALLEGRA_CELL_COLUMN_E) >> cell & 1;
    int own = is_shared ? ESTIMATE_CERTAIN - ESTIMATE_NEIGHBOUR_SHARE : ESTIMATE_CERTAIN;
    int hopes = sight->before[cell] - sight->blank[cell];
    by_card bonus = *(const by_card *)sight->bonus[cell];
    by_card lay = *(const by_card *)steps[is_shared] - bonus +
                  (int16_t)(hopes - estimate_share(sight->worth[cell], own));
    by_card own_lay = *(const by_card *)steps[0] - bonus + (int16_t)(hopes - sight->worth[cell]);

    *all_of(outlook->lay[cell]) = lay;
    *best = lower(*best, lay);
    *own_best = lower(*own_best, own_lay);
    if (sight->card[cell] == NO_CARD)
        outlook->turn[cell] = outlook_mean(odds, outlook->lay[cell]) + is_shared;
}

INLINE void make(struct outlook *outlook, const struct allegra_table *table, unsigned seat,
                 const struct outlook_odds *odds, unsigned turns)
{
    by_card best = (by_card){0} + OUTLOOK_NEVER;
    by_card own_best = best;
    struct sight sight;

    sight.chance = odds->chance[turns];
    sight.mean = odds->mean;
    see(&sight, table, seat);
    outlook->cost = 0;
    for (unsigned row = 0; row < ALLEGRA_CELL_ROWS; row++)
        outlook->cost -= look_at_row(&sight, row);
    for (unsigned column = 0; column < ALLEGRA_CELL_COLUMNS; column++)
        outlook->cost -= look_at_column(&sight, column);
    outlook->best_turn = ESTIMATE_NEVER;
    for (uint16_t rest = sight.present; rest != 0; rest &= (uint16_t)(rest - 1)) {
        unsigned cell = allegra_cell_lowest(rest);

        weigh_cell(outlook, &sight, cell, odds, &best, &own_best);
        outlook->cost += sight.worth[cell];
        if (table->down[seat] >> cell & 1)
            outlook->best_turn = estimate_lower(outlook->best_turn, outlook->turn[cell]);
    }
    *all_of(outlook->best_lay) = best;
    *all_of(outlook->own_lay) = own_best;
    if (sight.present == 0)
        outlook->cost = ALLEGRA_SCORE_EMPTY * ESTIMATE_POINT;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void
make_wide(struct outlook *outlook, const struct allegra_table *table, unsigned seat,
          const struct outlook_odds *odds, unsigned turns)
{
    make(outlook, table, seat, odds, turns);
}
#endif

void outlook_make_narrow(struct outlook *outlook, const struct allegra_table *table, unsigned seat,
                         const struct outlook_odds *odds, unsigned turns)
{
    make(outlook, table, seat, odds, turns);
}

void outlook_make(struct outlook *outlook, const struct allegra_table *table, unsigned seat,
                  const struct outlook_odds *odds, unsigned turns)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        make_wide(outlook, table, seat, odds, turns);
        return;
    }
#endif
    outlook_make_narrow(outlook, table, seat, odds, turns);
}
