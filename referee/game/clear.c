/* Triples and clear steps.
 *
 * A clear step belongs to one seat and ends when no triple is left that may be cleared, or when
 * the player stops. The step itself clears what leaves no choice and asks otherwise. Within a
 * step no card is laid or turned up, so a triple that is there now was there at the beginning
 * unless the gaps since then have brought its cells together: that is all one has to remember to
 * know a chain. */

#include "game/game_private.h"

/* The cells where a window of three in a row can begin, and the four-bit lane of each cell. */
#define LANES UINT64_C(0x111111111111111)
#define LANES_BEFORE_D UINT64_C(0x001110011100111)
#define LANES_ROW_1 UINT64_C(0x11111)

/* The lanes in which both words have the same four bits. */
static uint64_t equal_lanes(uint64_t one, uint64_t other)
{
    uint64_t difference = one ^ other;

    difference |= difference >> 2;
    difference |= difference >> 1;
    return ~difference & LANES;
}

/* Whether three equal cards lie in a column or next to each other in a row, down or not. As long as
 * a display has no gap it can have a triple only then, and mostly it has none: this look at all
 * cells at once saves the search. */
static bool can_have_triple(uint64_t codes)
{
    uint64_t beside = equal_lanes(codes, codes >> 4);
    uint64_t below = equal_lanes(codes, codes >> 4 * ALLEGRA_CELL_COLUMNS);

    return (beside & beside >> 4 & LANES_BEFORE_D) != 0 ||
           (below & below >> 4 * ALLEGRA_CELL_COLUMNS & LANES_ROW_1) != 0;
}

static unsigned code_at(uint64_t codes, uint16_t mask)
{
    return codes >> 4 * allegra_cell_lowest(mask) & 15U;
}

static bool is_equal(uint64_t codes, uint16_t mask)
{
    unsigned first = code_at(codes, mask);

    mask &= (uint16_t)(mask - 1);
    return code_at(codes, mask) == first && code_at(codes, mask & (uint16_t)(mask - 1)) == first;
}

static void find_columns(uint64_t codes, uint16_t up, struct allegra_triples *triples)
{
    unsigned full =
        up & (up >> ALLEGRA_CELL_COLUMNS) & (up >> 2 * ALLEGRA_CELL_COLUMNS) & ALLEGRA_CELL_ROW_1;

    for (; full != 0; full &= full - 1) {
        uint16_t column = (uint16_t)(ALLEGRA_CELL_COLUMN_A << __builtin_ctz(full));

        if (is_equal(codes, column))
            triples->list[triples->count++] = column;
    }
}

/* The first three cells of a mask that has at least three. */
static uint16_t first_three(uint16_t mask)
{
    uint16_t rest = mask & (uint16_t)(mask - 1);

    rest &= (uint16_t)(rest - 1);
    rest &= (uint16_t)(rest - 1);
    return mask ^ rest;
}

static void find_adjacent(uint64_t codes, uint16_t row, uint16_t up,
                          struct allegra_triples *triples)
{
    for (; allegra_cell_has_three(row); row &= (uint16_t)(row - 1)) {
        uint16_t window = first_three(row);

        if ((window & up) == window && is_equal(codes, window))
            triples->list[triples->count++] = window;
    }
}

static void find_anywhere(uint64_t codes, uint16_t up, struct allegra_triples *triples)
{
    for (uint16_t a = up; a != 0; a &= (uint16_t)(a - 1)) {
        for (uint16_t b = a & (uint16_t)(a - 1); b != 0; b &= (uint16_t)(b - 1)) {
            for (uint16_t c = b & (uint16_t)(b - 1); c != 0; c &= (uint16_t)(c - 1)) {
                uint16_t triple = (uint16_t)(ALLEGRA_CELL_BIT(allegra_cell_lowest(a)) |
                                             ALLEGRA_CELL_BIT(allegra_cell_lowest(b)) |
                                             ALLEGRA_CELL_BIT(allegra_cell_lowest(c)));

                if (is_equal(codes, triple))
                    triples->list[triples->count++] = triple;
            }
        }
    }
}

/* All triples in the display of a seat that is at the table. */
static void find(const struct allegra_table *table, unsigned seat, struct allegra_triples *triples)
{
    uint64_t codes = table->codes[seat];
    uint16_t present = table->present[seat];
    uint16_t up = allegra_table_up(table, seat);
    bool is_adjacent = table->rules.row_match == ALLEGRA_ROW_MATCH_ADJACENT;

    triples->count = 0;
    if (present == ALLEGRA_CELL_ALL && is_adjacent && !can_have_triple(codes))
        return;
    find_columns(codes, up, triples);
    for (uint16_t row = ALLEGRA_CELL_ROW_1; row < ALLEGRA_CELL_ALL;
         row = (uint16_t)(row << ALLEGRA_CELL_COLUMNS)) {
        if (!allegra_cell_has_three(up & row))
            continue;
        if (is_adjacent)
            find_adjacent(codes, present & row, up, triples);
        else
            find_anywhere(codes, up & row, triples);
    }
}

void allegra_clear_find(const struct allegra_table *table, unsigned seat,
                        struct allegra_triples *triples)
{
    triples->count = 0;
    if (seat < table->seats)
        find(table, seat, triples);
}

unsigned clear_seat(const struct allegra_table *table)
{
    bool is_knocker =
        table->clear_step == ALLEGRA_CLEAR_KNOCK1 || table->clear_step == ALLEGRA_CLEAR_KNOCK2;

    return is_knocker ? table->knocker : table->active;
}

static bool is_column(uint16_t triple)
{
    return (triple >> ALLEGRA_CELL_COLUMNS & triple) != 0;
}

/* Whether a triple that is there now was none when the step began: a cell that is a gap by now lay
 * between its outer two. */
static bool is_chain(const struct allegra_table *table, uint16_t triple)
{
    uint16_t lowest = triple & (uint16_t)-triple;
    uint16_t highest = ALLEGRA_CELL_BIT(31 - __builtin_clz(triple));
    uint16_t between = (uint16_t)((highest - lowest) & ~triple);

    if (is_column(triple) || table->rules.row_match == ALLEGRA_ROW_MATCH_ANYWHERE)
        return false;
    return (between & table->clear_start) != 0;
}

static bool is_in_scope(const struct allegra_table *table, uint16_t triple)
{
    if (table->clear_step != ALLEGRA_CLEAR_KNOCK1 ||
        table->rules.knock_clear_scope == ALLEGRA_KNOCK_CLEAR_SCOPE_ANY)
        return true;
    return (triple & table->placed) != 0 || is_chain(table, triple);
}

static bool is_must(const struct allegra_table *table, uint16_t triple)
{
    const struct allegra_rules *rules = &table->rules;

    if (is_chain(table, triple))
        return rules->clear_chain == ALLEGRA_FORCE_MUST;
    if (table->clear_step == ALLEGRA_CLEAR_KNOCK1)
        return rules->knock_clear1 == ALLEGRA_FORCE_MUST;
    return (is_column(triple) ? rules->clear_column : rules->clear_row) == ALLEGRA_FORCE_MUST;
}

bool allegra_clear_choices(const struct allegra_table *table, struct allegra_triples *triples)
{
    bool has_must = false;
    unsigned kept = 0;

    if (table->clear_step == ALLEGRA_CLEAR_NOTHING) {
        triples->count = 0;
        return false;
    }
    find(table, clear_seat(table), triples);
    for (unsigned i = 0; i < triples->count; i++) {
        uint16_t triple = triples->list[i];

        if (!is_in_scope(table, triple))
            continue;
        has_must |= is_must(table, triple);
        triples->list[kept++] = triple;
    }
    triples->count = kept;
    return has_must;
}

static void clear_triple(struct update *update, unsigned seat, uint16_t triple)
{
    struct allegra_table *table = update->table;
    int8_t card = allegra_table_card(table, seat, allegra_cell_lowest(triple));

    for (uint16_t rest = triple; rest != 0; rest &= (uint16_t)(rest - 1))
        deal_clear_cell(table, seat, allegra_cell_lowest(rest));
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_CLEARED,
                                                 .seat = (uint8_t)seat,
                                                 .cells = triple,
                                                 .card = card});
}

static void finish(struct update *update)
{
    enum allegra_clear_step step = (enum allegra_clear_step)update->table->clear_step;

    update->table->clear_step = ALLEGRA_CLEAR_NOTHING;
    update->table->clear_start = 0;
    if (step == ALLEGRA_CLEAR_START || step == ALLEGRA_CLEAR_MOVE)
        turn_after_clear(update, step);
    else
        knock_after_clear(update, step);
}

/* Clears as long as there is no choice. */
static void go_on(struct update *update)
{
    struct allegra_triples triples;
    unsigned seat = clear_seat(update->table);

    for (;;) {
        bool has_must = allegra_clear_choices(update->table, &triples);

        if (triples.count == 0) {
            finish(update);
            return;
        }
        if (triples.count > 1 || !has_must) {
            update_ask(update, ALLEGRA_QUESTION_CLEAR, seat);
            return;
        }
        clear_triple(update, seat, triples.list[0]);
    }
}

void clear_begin(struct update *update, enum allegra_clear_step step)
{
    struct allegra_table *table = update->table;

    table->clear_step = (uint8_t)step;
    table->clear_start = table->present[clear_seat(table)];
    go_on(update);
}

void clear_answer(struct update *update, struct allegra_answer answer)
{
    if (answer.verb == ALLEGRA_VERB_NONE) {
        finish(update);
        return;
    }
    clear_triple(update, clear_seat(update->table), answer.cells);
    go_on(update);
}
