/* Reads spots and triples, and compares the tracked table with the real one.
 *
 * The tracker reads the real table only at the start and after each deal, because no event contains
 * the cards that are dealt face down. */

#include "base/text.h"
#include "support/event_tracker_private.h"

#include <string.h>

struct spot *event_tracker_spot(struct event_tracker *tracker, unsigned seat, unsigned cell)
{
    if (cell % ALLEGRA_CELL_COLUMNS < 4)
        return &tracker->spots[seat][cell];
    return &tracker->spots[seat == 0 ? tracker->seats - 1 : seat - 1][cell - 4];
}

struct spot event_tracker_spot_at(const struct event_tracker *tracker, unsigned seat, unsigned cell)
{
    return *event_tracker_spot((struct event_tracker *)tracker, seat, cell);
}

uint16_t event_tracker_cells(const struct event_tracker *tracker, unsigned seat,
                             enum spot_state state)
{
    uint16_t cells = 0;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (event_tracker_spot_at(tracker, seat, cell).state == state)
            cells |= ALLEGRA_CELL_BIT(cell);
    }
    return cells;
}

uint16_t event_tracker_present(const struct event_tracker *tracker, unsigned seat)
{
    return ALLEGRA_CELL_ALL & (uint16_t)~event_tracker_cells(tracker, seat, SPOT_GAP);
}

bool event_tracker_is_complete(const struct event_tracker *tracker, unsigned seat)
{
    return event_tracker_cells(tracker, seat, SPOT_DOWN) == 0;
}

unsigned event_tracker_left(const struct event_tracker *tracker, unsigned seat)
{
    return (seat + 1) % tracker->seats;
}

/* Triples. */

/* Whether the cells of `mask`, which are in one line, are up and equal. */
static bool is_equal_up(const struct event_tracker *tracker, unsigned seat, uint16_t mask)
{
    int8_t card = event_tracker_spot_at(tracker, seat, allegra_cell_lowest(mask)).card;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        struct spot spot = event_tracker_spot_at(tracker, seat, cell);

        if (mask >> cell & 1 && (spot.state != SPOT_UP || spot.card != card))
            return false;
    }
    return true;
}

/* Whether only gaps lie between the cells of a mask in a row. */
static bool is_adjacent(const struct event_tracker *tracker, unsigned seat, uint16_t mask)
{
    unsigned first = allegra_cell_lowest(mask);
    unsigned last = 31U - (unsigned)__builtin_clz(mask);

    for (unsigned cell = first; cell < last; cell++) {
        if (!(mask >> cell & 1) && event_tracker_spot_at(tracker, seat, cell).state != SPOT_GAP)
            return false;
    }
    return true;
}

void event_tracker_triples(const struct event_tracker *tracker, unsigned seat,
                           struct allegra_triples *triples)
{
    static const uint16_t threes[] = {7, 11, 19, 13, 21, 25, 14, 22, 26, 28};

    triples->count = 0;
    for (unsigned column = 0; column < ALLEGRA_CELL_COLUMNS; column++) {
        uint16_t mask = (uint16_t)(ALLEGRA_CELL_COLUMN_A << column);

        if (is_equal_up(tracker, seat, mask))
            triples->list[triples->count++] = mask;
    }
    for (unsigned i = 0; i < ALLEGRA_CELL_ROWS * ARRAY_LEN(threes); i++) {
        uint16_t mask = (uint16_t)(threes[i % ARRAY_LEN(threes)]
                                   << i / ARRAY_LEN(threes) * ALLEGRA_CELL_COLUMNS);

        if (is_equal_up(tracker, seat, mask) &&
            (tracker->rules.row_match == ALLEGRA_ROW_MATCH_ANYWHERE ||
             is_adjacent(tracker, seat, mask)))
            triples->list[triples->count++] = mask;
    }
}

/* Reading the table. */

static struct spot read_spot(const struct allegra_table *table, unsigned seat, unsigned cell)
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

static void read_piles(struct event_tracker *tracker, const struct allegra_table *table)
{
    tracker->draw_count = table->draw_count;
    tracker->discard_count = table->discard_count;
    for (unsigned i = 0; i < table->discard_count; i++)
        tracker->discard[i] = allegra_table_discarded(table, i);
}

void event_tracker_start(struct event_tracker *tracker, const struct allegra_table *table)
{
    *tracker = (struct event_tracker){
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
    memcpy(tracker->total_halves, table->total_halves, sizeof tracker->total_halves);
    read_piles(tracker, table);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++)
            *event_tracker_spot(tracker, seat, cell) = read_spot(table, seat, cell);
    }
}

static const char *compare_cells(const struct event_tracker *tracker,
                                 const struct allegra_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
            struct spot actual = read_spot(table, seat, cell);
            struct spot known = event_tracker_spot_at(tracker, seat, cell);

            if (actual.state != known.state || actual.card != known.card)
                return "a cell changed without an event, or not in both displays";
        }
    }
    return NULL;
}

static const char *compare_piles(const struct event_tracker *tracker,
                                 const struct allegra_table *table)
{
    if (tracker->draw_count != table->draw_count || tracker->discard_count != table->discard_count)
        return "a pile grew or shrank without an event";
    for (unsigned i = 0; i < table->discard_count; i++) {
        if (tracker->discard[i] != allegra_table_discarded(table, i))
            return "the discard pile does not follow the events";
    }
    return NULL;
}

static const char *compare_rest(const struct event_tracker *tracker,
                                const struct allegra_table *table)
{
    if (tracker->drawn != table->drawn || tracker->hand != table->hand ||
        tracker->taken != table->taken || tracker->aside != table->aside)
        return "a hand does not follow the events";
    if (tracker->turn != table->turn || (table->turn > 0 && tracker->active != table->active))
        return "the turn does not follow the events";
    if (tracker->trigger != table->trigger || tracker->final_left != table->final_left ||
        (!tracker->is_over && tracker->first != table->first_completed))
        return "the final round does not follow the events";
    if (memcmp(tracker->total_halves, table->total_halves, sizeof table->total_halves) != 0)
        return "a total changed without an event";
    if (tracker->is_over != allegra_table_is_over(table) || tracker->round != table->round)
        return "the round or the end of the match changed without an event";
    return NULL;
}

/* Checks what holds for a newly dealt table. */
static const char *check_deal(const struct allegra_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (table->present[seat] != ALLEGRA_CELL_ALL || table->down[seat] != ALLEGRA_CELL_ALL)
            return "not all cells are down after the deal";
    }
    if (table->discard_count != 1 || table->turn != 0 || table->trigger != ALLEGRA_SEAT_NONE ||
        table->reshuffles != 0 || table->reveals_left != 2 * table->seats)
        return "the previous round left something";
    return NULL;
}

const char *event_tracker_compare(struct event_tracker *tracker, const struct allegra_table *table)
{
    const char *problem;

    if (tracker->is_dealt) {
        int32_t totals[ALLEGRA_SEATS_MAX];

        memcpy(totals, tracker->total_halves, sizeof totals);
        event_tracker_start(tracker, table);
        memcpy(tracker->total_halves, totals, sizeof totals);
        problem = check_deal(table);
    } else {
        problem = compare_cells(tracker, table);
    }
    if (problem == NULL)
        problem = compare_piles(tracker, table);
    return problem != NULL ? problem : compare_rest(tracker, table);
}
