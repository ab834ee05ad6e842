/* A deal moves two cards: the drawn one to the knocker, and one of his to the active player. The
 * card that the drawn one replaces comes back to the knocker. If the drawn card makes a triple,
 * the triple is cleared too. What one side gains, all others lose, and the other side is one of
 * them. */

#include "value/offer.h"

uint16_t offer_like(const struct allegra_table *table, unsigned seat, int card)
{
    uint64_t codes = table->codes[seat];
    unsigned wanted = (unsigned)(card - ALLEGRA_CARD_MIN);
    unsigned cells = 0;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++, codes >>= 4)
        cells |= (unsigned)((codes & 15U) == wanted) << cell;
    return (uint16_t)(cells & allegra_table_up(table, seat));
}

uint16_t offer_triple(const struct allegra_table *table, unsigned seat, unsigned cell,
                      uint16_t like)
{
    uint16_t column = (uint16_t)(ALLEGRA_CELL_COLUMN_A << cell % ALLEGRA_CELL_COLUMNS);
    uint16_t row =
        table->present[seat] &
        (uint16_t)(ALLEGRA_CELL_ROW_1 << cell / ALLEGRA_CELL_COLUMNS * ALLEGRA_CELL_COLUMNS);

    like |= ALLEGRA_CELL_BIT(cell);
    if ((like & column) == column)
        return column;
    for (; allegra_cell_has_three(row); row &= (uint16_t)(row - 1)) {
        uint16_t second = row & (uint16_t)(row - 1);
        uint16_t third = second & (uint16_t)(second - 1);
        uint16_t window = (uint16_t)(row ^ (third & (uint16_t)(third - 1)));

        if ((window & like) == window && (window >> cell & 1))
            return window;
    }
    return 0;
}

/* The share of one player's gain that each other player loses. */
static int share_of_each(const struct allegra_table *table, int gain)
{
    return gain / estimate_higher((int)table->seats - 1, 1);
}

int offer_place_cost(const struct glance *glance, const struct outlook *outlook,
                     const struct allegra_table *table, unsigned seat, unsigned cell)
{
    bool is_down = table->down[seat] >> cell & 1;
    int worth =
        is_down ? glance->odds.mean : allegra_table_card(table, seat, cell) * ESTIMATE_POINT;

    return outlook->lay[cell][table->drawn - ALLEGRA_CARD_MIN] + worth;
}

uint16_t offer_shared(const struct allegra_table *table, unsigned other, unsigned me)
{
    return (uint16_t)((allegra_table_left(table, other) == me ? ALLEGRA_CELL_COLUMN_A : 0) |
                      (allegra_table_right(table, other) == me ? ALLEGRA_CELL_COLUMN_E : 0));
}

int offer_take_cost(const struct outlook *outlook, const struct allegra_table *table, int card)
{
    return outlook->best_lay[card - ALLEGRA_CARD_MIN] + share_of_each(table, card * ESTIMATE_POINT);
}

/* The best card for the active player to take, and what that costs. */
struct taking {
    int worth; /* of the card to the knocker */
    int cost;
};

static struct taking best_taking(struct glance *glance, const struct allegra_table *table,
                                 unsigned seat, unsigned cell, uint16_t triple)
{
    const struct outlook *outlook = glance_ahead(glance, table, table->active);
    uint16_t shared = offer_shared(table, seat, table->active);
    uint16_t left =
        allegra_table_up(table, seat) & (uint16_t) ~(triple | ALLEGRA_CELL_BIT(cell) | shared);
    struct taking best = {.cost = ESTIMATE_NEVER};

    if (triple == 0 && !(shared >> cell & 1))
        best = (struct taking){table->drawn * ESTIMATE_POINT,
                               offer_take_cost(outlook, table, table->drawn)};
    for (; left != 0; left &= (uint16_t)(left - 1)) {
        int card = allegra_table_card(table, seat, allegra_cell_lowest(left));
        int cost = offer_take_cost(outlook, table, card);

        if (cost < best.cost)
            best = (struct taking){card * ESTIMATE_POINT, cost};
    }
    return best;
}

/* What the knocker gains by the card alone is a loss of the active player. */
static int with_gift(const struct allegra_table *table, const struct taking *taking,
                     uint16_t triple)
{
    int gift = triple != 0 ? 2 * table->drawn : -table->drawn;

    return taking->cost + share_of_each(table, gift * ESTIMATE_POINT);
}

int offer_active_cost(struct glance *glance, const struct allegra_table *table, unsigned seat,
                      unsigned cell)
{
    uint16_t triple = offer_triple(table, seat, cell, offer_like(table, seat, table->drawn));
    struct taking taking = best_taking(glance, table, seat, cell, triple);

    return with_gift(table, &taking, triple);
}

int offer_otherwise(struct glance *glance, const struct allegra_table *table)
{
    const struct outlook *outlook = glance_ahead(glance, table, table->active);

    return estimate_lower(outlook->best_lay[table->drawn - ALLEGRA_CARD_MIN], outlook->best_turn);
}

struct offer offer_weigh(struct glance *glance, const struct allegra_table *table, unsigned seat,
                         unsigned cell)
{
    uint16_t triple = offer_triple(table, seat, cell, offer_like(table, seat, table->drawn));
    struct taking taking = best_taking(glance, table, seat, cell, triple);
    struct offer offer = {.seat = seat, .cell = cell};
    const struct outlook *outlook;

    offer.active_cost = with_gift(table, &taking, triple);
    offer.otherwise = offer_otherwise(glance, table);
    outlook = glance_ahead(glance, table, seat);
    offer.cost = offer_place_cost(glance, outlook, table, seat, cell) - taking.worth;
    offer.cost += share_of_each(table, estimate_higher(offer.otherwise - offer.active_cost, 0));
    return offer;
}
