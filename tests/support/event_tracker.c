/* What the witness sees when he looks: spots, triples, and whether the table is the one that he knows.
 *
 * A new round is the only moment at which he looks at the table again, because nobody tells him the
 * cards that are dealt face down. */

#include "support/witness_private.h"

#include <string.h>

struct spot *witness_spot(struct witness *witness, unsigned seat, unsigned cell)
{
    if (cell % ALLEGRA_CELL_COLUMNS < 4)
        return &witness->spots[seat][cell];
    return &witness->spots[seat == 0 ? witness->seats - 1 : seat - 1][cell - 4];
}

struct spot witness_spot_at(const struct witness *witness, unsigned seat, unsigned cell)
{
    return *witness_spot((struct witness *)witness, seat, cell);
}

uint16_t witness_cells(const struct witness *witness, unsigned seat, enum spot_state state)
{
    uint16_t cells = 0;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (witness_spot_at(witness, seat, cell).state == state)
            cells |= ALLEGRA_CELL_BIT(cell);
    }
    return cells;
}

uint16_t witness_present(const struct witness *witness, unsigned seat)
{
    return ALLEGRA_CELL_ALL & (uint16_t)~witness_cells(witness, seat, SPOT_GAP);
}

bool witness_is_complete(const struct witness *witness, unsigned seat)
{
    return witness_cells(witness, seat, SPOT_DOWN) == 0;
}

unsigned witness_left(const struct witness *witness, unsigned seat)
{
    return (seat + 1) % witness->seats;
}

/* Triples. */

/* Whether the cells of `mask`, in one line, are up and equal. */
static bool is_equal_up(const struct witness *witness, unsigned seat, uint16_t mask)
{
    int8_t card = witness_spot_at(witness, seat, allegra_cell_of(mask)).card;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        struct spot spot = witness_spot_at(witness, seat, cell);

        if (mask >> cell & 1 && (spot.state != SPOT_UP || spot.card != card))
            return false;
    }
    return true;
}

/* Whether only gaps lie between the outer cells of a row's mask and are not part of it. */
static bool is_side_by_side(const struct witness *witness, unsigned seat, uint16_t mask)
{
    unsigned first = allegra_cell_of(mask);
    unsigned last = 31U - (unsigned)__builtin_clz(mask);

    for (unsigned cell = first; cell < last; cell++) {
        if (!(mask >> cell & 1) && witness_spot_at(witness, seat, cell).state != SPOT_GAP)
            return false;
    }
    return true;
}

void witness_triples(const struct witness *witness, unsigned seat, struct allegra_triples *triples)
{
    static const uint16_t threes[] = {7, 11, 19, 13, 21, 25, 14, 22, 26, 28};

    triples->count = 0;
    for (unsigned column = 0; column < ALLEGRA_CELL_COLUMNS; column++) {
        uint16_t mask = (uint16_t)(ALLEGRA_CELL_COLUMN_A << column);

        if (is_equal_up(witness, seat, mask))
            triples->list[triples->count++] = mask;
    }
    for (unsigned i = 0; i < ALLEGRA_CELL_ROWS * ARRAY_LEN(threes); i++) {
        uint16_t mask = (uint16_t)(threes[i % ARRAY_LEN(threes)]
                                   << i / ARRAY_LEN(threes) * ALLEGRA_CELL_COLUMNS);

        if (is_equal_up(witness, seat, mask) &&
            (witness->rules.row_match == ALLEGRA_ROW_MATCH_ANYWHERE ||
             is_side_by_side(witness, seat, mask)))
            triples->list[triples->count++] = mask;
    }
}

/* Looking. */

static struct spot look(const struct allegra_table *table, unsigned seat, unsigned cell)
{
    struct spot spot = {SPOT_GAP, ALLEGRA_CARD_NONE};

    if (!(table->present[seat] >> cell & 1))
        return spot;
    spot.card = allegra_table_card(table, seat, cell);
    spot.state = table->down[seat] >> cell & 1    ? SPOT_DOWN
                 : spot.card == ALLEGRA_CARD_NONE ? SPOT_HOLE
                                                  : SPOT_UP;
    return spot;
}

static void look_at_piles(struct witness *witness, const struct allegra_table *table)
{
    witness->draw_count = table->draw_count;
    witness->discard_count = table->discard_count;
    for (unsigned i = 0; i < table->discard_count; i++)
        witness->discard[i] = allegra_table_discarded(table, i);
}

void witness_start(struct witness *witness, const struct allegra_table *table)
{
    *witness = (struct witness){
        .rules = table->rules,
        .seats = table->seats,
        .round = table->round,
        .dealer = table->dealer,
        .turn = table->turn,
        .active = table->active,
        .trigger = table->trigger,
        .first = table->first_completed,
        .final_left = table->final_left,
        .moved = table->final_moved,
        .knocker = table->knocker,
        .drawn = table->drawn,
        .hand = table->hand,
        .taken = table->taken,
        .aside = table->aside,
        .has_knock = table->knocker != ALLEGRA_SEAT_NONE,
        .is_over = allegra_table_is_over(table),
    };
    memcpy(witness->total_halves, table->total_halves, sizeof witness->total_halves);
    look_at_piles(witness, table);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++)
            *witness_spot(witness, seat, cell) = look(table, seat, cell);
    }
}

static const char *compare_cells(const struct witness *witness, const struct allegra_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
            struct spot seen = look(table, seat, cell);
            struct spot known = witness_spot_at(witness, seat, cell);

            if (seen.state != known.state || seen.card != known.card)
                return "a cell changed that no event has named, or not in both displays";
        }
    }
    return NULL;
}

static const char *compare_piles(const struct witness *witness, const struct allegra_table *table)
{
    if (witness->draw_count != table->draw_count || witness->discard_count != table->discard_count)
        return "a pile has grown or shrunk without an event";
    for (unsigned i = 0; i < table->discard_count; i++) {
        if (witness->discard[i] != allegra_table_discarded(table, i))
            return "the discard pile is not in the order of the events";
    }
    return NULL;
}

static const char *compare_rest(const struct witness *witness, const struct allegra_table *table)
{
    if (witness->drawn != table->drawn || witness->hand != table->hand ||
        witness->taken != table->taken || witness->aside != table->aside)
        return "a hand holds something else than the events say";
    if (witness->turn != table->turn || (table->turn > 0 && witness->active != table->active))
        return "another turn than the events say";
    if (witness->trigger != table->trigger || witness->final_left != table->final_left ||
        (!witness->is_over && witness->first != table->first_completed))
        return "the final round is not where the events say";
    if (memcmp(witness->total_halves, table->total_halves, sizeof table->total_halves) != 0)
        return "a total changed without an event";
    if (witness->is_over != allegra_table_is_over(table) || witness->round != table->round)
        return "the round or the end of the match came without an event";
    return NULL;
}

/* All that is known about a table that was just dealt. */
static const char *check_deal(const struct allegra_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (table->present[seat] != ALLEGRA_CELL_ALL || table->down[seat] != ALLEGRA_CELL_ALL)
            return "not everything is down after the deal";
    }
    if (table->discard_count != 1 || table->turn != 0 || table->trigger != ALLEGRA_SEAT_NONE ||
        table->reshuffles != 0 || table->reveals_left != 2 * table->seats)
        return "something is left from the round before";
    return NULL;
}

const char *witness_compare(struct witness *witness, const struct allegra_table *table)
{
    const char *problem;

    if (witness->is_dealt) {
        int32_t totals[ALLEGRA_SEATS_MAX];

        memcpy(totals, witness->total_halves, sizeof totals);
        witness_start(witness, table);
        memcpy(witness->total_halves, totals, sizeof totals);
        problem = check_deal(table);
    } else {
        problem = compare_cells(witness, table);
    }
    if (problem == NULL)
        problem = compare_piles(witness, table);
    return problem != NULL ? problem : compare_rest(witness, table);
}
