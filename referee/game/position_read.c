/* Text to tables. Fields come in any order after `seats`; a cell may be given by more than one of
 * them as long as they agree. Reading ends with position_problem(), so a table that was read can be
 * played on. */

#include "game/game_private.h"
#include "game/game_text.h"
#include "game/position.h"
#include "game/position_field.h"
#include "game/rules.h"

#include <string.h>

/* What is known while fields come in, in any order. */
struct reading {
    struct allegra_table *table;
    uint16_t given[ALLEGRA_SEATS_MAX];
    unsigned asked;
    struct text *problem;
};

static int read_seat(struct span span, unsigned *seat)
{
    long number;

    if (span_read_number(span, 0, ALLEGRA_SEATS_MAX - 1, &number) != 0)
        return -1;
    *seat = (unsigned)number;
    return 0;
}

static int read_seats(struct span span, unsigned *seats)
{
    *seats = 0;
    while (span.start != NULL && span.length > 0) {
        unsigned seat;

        if (read_seat(span_cut(&span, ','), &seat) != 0)
            return -1;
        *seats |= 1U << seat;
    }
    return 0;
}

static int read_cells(struct span span, unsigned *cells)
{
    *cells = 0;
    while (span.start != NULL && span.length > 0) {
        unsigned cell;

        if (cell_read(span_cut(&span, ','), &cell) != 0)
            return -1;
        *cells |= ALLEGRA_CELL_BIT(cell);
    }
    return 0;
}

static int read_word(struct span span, const struct field *field, unsigned *value)
{
    for (unsigned i = 0; field->names[i] != NULL; i++) {
        if (span_is(span, field->names[i])) {
            *value = i;
            return 0;
        }
    }
    return -1;
}

static int read_number(struct span span, unsigned most, unsigned *value)
{
    long number;

    if (span_read_number(span, 0, (long)most, &number) != 0)
        return -1;
    *value = (unsigned)number;
    return 0;
}

static int read_card_value(struct span span, unsigned *value)
{
    int8_t card;

    if (card_read(span, &card) != 0)
        return -1;
    *value = (uint8_t)card;
    return 0;
}

static int read_ask(struct span span, unsigned *value)
{
    enum allegra_question question;

    if (question_read(span, &question) != 0)
        return -1;
    *value = question;
    return 0;
}

static int read_value(struct span span, const struct field *field, unsigned *value)
{
    switch (field->kind) {
    case FIELD_NUMBER:
    case FIELD_WIDE:
        return read_number(span, field->most, value);
    case FIELD_SEAT:
        return read_seat(span, value);
    case FIELD_SEATS:
        return read_seats(span, value);
    case FIELD_CARD:
        return read_card_value(span, value);
    case FIELD_CELL:
        return cell_read(span, value);
    case FIELD_CELLS:
        return read_cells(span, value);
    case FIELD_NAME:
        return read_word(span, field, value);
    case FIELD_ASK:
        return read_ask(span, value);
    }
    return -1;
}

/* The seat number at the end of a name like "shared2". */
static int read_name_seat(struct span name, const char *stem, const struct allegra_table *table,
                          unsigned *seat)
{
    size_t length = strlen(stem);

    if (name.length != length + 1 || memcmp(name.start, stem, length) != 0)
        return -1;
    *seat = (unsigned)(name.start[length] - '0');
    return *seat < table->seats ? 0 : -1;
}

static void set_cell(struct allegra_table *table, unsigned seat, unsigned cell, int8_t card,
                     char sign)
{
    uint16_t bit = ALLEGRA_CELL_BIT(cell);
    uint64_t code = sign == '.'   ? ALLEGRA_TABLE_CODE_GAP
                    : sign == '_' ? ALLEGRA_TABLE_CODE_HOLE
                                  : (uint64_t)(card - ALLEGRA_CARD_MIN);

    table->codes[seat] = (table->codes[seat] & ~(UINT64_C(15) << 4 * cell)) | code << 4 * cell;
    table->present[seat] &= (uint16_t)~bit;
    table->down[seat] &= (uint16_t)~bit;
    if (sign != '.')
        table->present[seat] |= bit;
    if (sign == '#')
        table->down[seat] |= bit;
}

/* A cell may be given in both displays that it belongs to, but must be the same in both. */
static int give_cell(struct reading *reading, unsigned seat, unsigned cell, struct span state)
{
    struct allegra_table *table = reading->table;
    unsigned twin = seat;
    unsigned twin_cell = cell;
    int8_t card = 0;
    char sign = state.length > 0 ? state.start[0] : ' ';

    if (sign == '#')
        state = (struct span){state.start + 1, state.length - 1};
    if ((sign == '_' || sign == '.') && state.length != 1)
        return -1;
    if (sign != '_' && sign != '.' && card_read(state, &card) != 0)
        return -1;
    if (reading->given[seat] >> cell & 1) {
        struct allegra_table again = *table;

        set_cell(&again, seat, cell, card, sign);
        return again.codes[seat] == table->codes[seat] &&
                       again.present[seat] == table->present[seat] &&
                       again.down[seat] == table->down[seat]
                   ? 0
                   : -1;
    }
    allegra_table_twin(table, &twin, &twin_cell);
    set_cell(table, seat, cell, card, sign);
    set_cell(table, twin, twin_cell, card, sign);
    reading->given[seat] |= ALLEGRA_CELL_BIT(cell);
    reading->given[twin] |= ALLEGRA_CELL_BIT(twin_cell);
    return 0;
}

/* Three rows with columns `from` to `to`; a single column is written as one list. */
static int read_block(struct reading *reading, unsigned seat, struct span value, unsigned from,
                      unsigned to)
{
    for (unsigned row = 0; row < ALLEGRA_CELL_ROWS; row++) {
        for (unsigned column = from; column <= to; column++) {
            bool ends_row = column == to && from != to;
            char separator = ends_row ? '/' : ',';

            if (value.start == NULL)
                return -1;
            if (give_cell(reading, seat, row * ALLEGRA_CELL_COLUMNS + column,
                          span_cut(&value, separator)) != 0)
                return -1;
        }
    }
    return value.start == NULL ? 0 : -1;
}

static int read_pile(struct allegra_table *table, bool is_draw, struct span value)
{
    unsigned count = 0;

    while (value.start != NULL && value.length > 0) {
        int8_t card;

        if (count == ALLEGRA_DECK_MAX || card_read(span_cut(&value, ','), &card) != 0)
            return -1;
        table->pile[is_draw ? count : ALLEGRA_DECK_MAX - 1 - count] = card;
        count++;
    }
    if (is_draw)
        table->draw_count = (uint8_t)count;
    else
        table->discard_count = (uint8_t)count;
    return table->draw_count + table->discard_count <= ALLEGRA_DECK_MAX ? 0 : -1;
}

/* Points with or without a half. */
static int read_halves(struct span span, int32_t *halves)
{
    struct span whole = span;
    struct span points = span_cut(&whole, '.');
    bool is_negative = span.length > 0 && span.start[0] == '-';
    long number;

    if (whole.start != NULL && !span_is(whole, "5"))
        return -1;
    if (span_is(points, "-0") && whole.start != NULL)
        number = 0;
    else if (span_read_number(points, -100000, 100000, &number) != 0)
        return -1;
    *halves = (int32_t)(2 * number + (whole.start == NULL ? 0 : is_negative ? -1 : 1));
    return 0;
}

static int read_totals(struct allegra_table *table, struct span value)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (value.start == NULL ||
            read_halves(span_cut(&value, ','), &table->total_halves[seat]) != 0)
            return -1;
    }
    return value.start == NULL ? 0 : -1;
}

static int read_bid(struct allegra_table *table, struct span bid)
{
    struct span what = bid;
    unsigned seat;
    unsigned cell;

    if (read_seat(span_cut(&what, ':'), &seat) != 0 || what.start == NULL)
        return -1;
    table->bidders |= (uint8_t)(1U << seat);
    if (span_is(what, "pass"))
        return 0;
    table->knockers |= (uint8_t)(1U << seat);
    if (span_is(what, "knock"))
        return 0;
    if (cell_read(what, &cell) != 0)
        return -1;
    table->offer[seat] = ALLEGRA_CELL_BIT(cell);
    return 0;
}

static int read_bids(struct allegra_table *table, struct span value)
{
    while (value.start != NULL && value.length > 0) {
        if (read_bid(table, span_cut(&value, ',')) != 0)
            return -1;
    }
    return 0;
}

/* Returns 0, -1 if the value is wrong, 1 if no field of this kind has that name. */
static int read_field(struct reading *reading, struct span name, struct span value)
{
    for (size_t i = 0; i < position_field_count(); i++) {
        const struct field *field = position_field_at(i);
        unsigned number;

        if (!span_is(name, field->name))
            continue;
        if (read_value(value, field, &number) != 0)
            return -1;
        position_field_set(reading->table, field, number);
        return 0;
    }
    return 1;
}

static int read_part(struct reading *reading, struct span name, struct span value)
{
    struct allegra_table *table = reading->table;
    unsigned seat;

    if (read_name_seat(name, "display", table, &seat) == 0)
        return read_block(reading, seat, value, 0, 4);
    if (read_name_seat(name, "private", table, &seat) == 0)
        return read_block(reading, seat, value, 1, 3);
    if (read_name_seat(name, "shared", table, &seat) == 0)
        return read_block(reading, seat, value, 0, 0);
    if (span_is(name, "draw"))
        return read_pile(table, true, value);
    if (span_is(name, "discard"))
        return read_pile(table, false, value);
    if (span_is(name, "totals"))
        return read_totals(table, value);
    if (span_is(name, "bids"))
        return read_bids(table, value);
    if (span_is(name, "asked"))
        return read_seats(value, &reading->asked);
    return read_field(reading, name, value);
}

static int complain(struct reading *reading, const char *what, struct span word)
{
    text_add(reading->problem, what);
    text_add_char(reading->problem, ' ');
    text_add_quoted(reading->problem, word);
    return -1;
}

/* The number of seats comes first: the other fields depend on it. */
static int read_seat_count(struct reading *reading, struct span *rest)
{
    struct span word = span_cut_word(rest);
    struct span value = word;
    struct span name = span_cut(&value, '=');
    long seats;

    if (!span_is(name, "seats") || value.start == NULL ||
        span_read_number(value, ALLEGRA_SEATS_MIN, ALLEGRA_SEATS_MAX, &seats) != 0)
        return complain(reading, "a position begins with seats=2 to seats=6, not with", word);
    reading->table->seats = (uint8_t)seats;
    return 0;
}

static int read_edition(struct reading *reading, struct span value)
{
    return rules_read_edition(value, &reading->table->rules, reading->problem);
}

static int read_assignment(struct reading *reading, struct span word)
{
    struct span value = word;
    struct span name = span_cut(&value, '=');
    int result;

    if (value.start == NULL)
        return complain(reading, "this is not of the form name=value:", word);
    if (span_is(name, "edition"))
        return read_edition(reading, value);
    result = read_part(reading, name, value);
    if (result < 0)
        return complain(reading, "the value is wrong, or does not fit what was said before, in",
                        word);
    if (result > 0)
        return rules_set(&reading->table->rules, name, value, reading->problem);
    return 0;
}

static unsigned asked_seats(const struct reading *reading)
{
    const struct allegra_table *table = reading->table;

    switch ((enum allegra_question)table->question) {
    case ALLEGRA_QUESTION_NONE:
        return 0;
    case ALLEGRA_QUESTION_KNOCK:
        return reading->asked;
    case ALLEGRA_QUESTION_PLACE:
        return table->knocker < table->seats ? 1U << table->knocker : 0;
    case ALLEGRA_QUESTION_CLEAR:
        return clear_seat(table) < table->seats ? 1U << clear_seat(table) : 0;
    default:
        return 1U << table->active;
    }
}

/* Whether the question can only be asked in a bidding round, or after one. */
static bool needs_bidding(const struct allegra_table *table)
{
    switch ((enum allegra_question)table->question) {
    case ALLEGRA_QUESTION_KNOCK:
    case ALLEGRA_QUESTION_ANSWER:
    case ALLEGRA_QUESTION_PLACE:
    case ALLEGRA_QUESTION_TAKE:
    case ALLEGRA_QUESTION_PUT:
        return true;
    case ALLEGRA_QUESTION_CLEAR:
        return table->clear_step > ALLEGRA_CLEAR_MOVE;
    default:
        return false;
    }
}

/* What is not given: the first bidding round, and a clear step that has just begun. */
static void set_stage_defaults(struct allegra_table *table)
{
    bool is_clear = table->question == ALLEGRA_QUESTION_CLEAR;

    if (table->bid_round == 0 && (table->bidders != 0 || needs_bidding(table)))
        table->bid_round = 1;
    if (is_clear && table->clear_start == 0 && clear_seat(table) < table->seats)
        table->clear_start = table->present[clear_seat(table)];
}

/* What follows from what was given. */
static int conclude(struct reading *reading)
{
    struct allegra_table *table = reading->table;

    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (reading->given[seat] != ALLEGRA_CELL_ALL) {
            text_add(reading->problem, "some cells are given nowhere in the display of seat ");
            text_add_number(reading->problem, seat);
            text_add(reading->problem, ": `display");
            text_add_number(reading->problem, seat);
            text_add(reading->problem, "=` (or `private");
            text_add_number(reading->problem, seat);
            text_add(reading->problem, "=` and `shared");
            text_add_number(reading->problem, seat);
            text_add(reading->problem, "=`) is missing or incomplete");
            return -1;
        }
        if (table->down[seat] == 0)
            table->completed |= (uint8_t)(1U << seat);
    }
    table->asked = (uint8_t)asked_seats(reading);
    if (table->question == ALLEGRA_QUESTION_KNOCK)
        table->bidders |= table->asked;
    set_stage_defaults(table);
    return 0;
}

int position_read(struct span span, struct allegra_table *table, struct text *problem)
{
    struct reading reading = {.table = table, .problem = problem};
    const char *wrong;

    position_set_defaults(table);
    if (read_seat_count(&reading, &span) != 0)
        return -1;
    for (;;) {
        struct span word = span_cut_word(&span);

        if (word.length == 0)
            break;
        if (read_assignment(&reading, word) != 0)
            return -1;
    }
    if (conclude(&reading) != 0 || rules_check(&table->rules, table->seats, problem) != 0)
        return -1;
    wrong = position_problem(table);
    if (wrong != NULL)
        text_add(problem, wrong);
    return wrong == NULL ? 0 : -1;
}
