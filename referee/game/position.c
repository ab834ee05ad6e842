/* Tables as text.
 *
 * Most words are members of struct table: one row in `fields` each, written when they differ from
 * what a table starts with, and read by the same row. Cells, piles, totals and bids have functions of
 * their own. Reading ends with position_problem(), so a table that was read can be played on. */

#include "game/position.h"

#include "game/clear.h"

#include <stddef.h>
#include <string.h>

enum field_kind {
    FIELD_NUMBER,
    FIELD_WIDE, /* a number of 16 bits */
    FIELD_SEAT,
    FIELD_SEATS, /* a mask */
    FIELD_CARD,
    FIELD_CELL,
    FIELD_CELLS, /* a mask of 16 bits */
    FIELD_WORD,  /* one of `words`, by number */
    FIELD_ASK,   /* the name of a question */
};

struct field {
    const char *name;
    enum field_kind kind;
    uint16_t offset;
    uint16_t most; /* of numbers */
    const char *words[8];
};

#define MEMBER(member) offsetof(struct table, member)
static const struct field fields[] = {
    {"round", FIELD_NUMBER, MEMBER(round), 100, {NULL}},
    {"dealer", FIELD_SEAT, MEMBER(dealer), 0, {NULL}},
    {"turn", FIELD_WIDE, MEMBER(turn), 60000, {NULL}},
    {"active", FIELD_SEAT, MEMBER(active), 0, {NULL}},
    {"ask", FIELD_ASK, MEMBER(question), 0, {NULL}},
    {"reveals", FIELD_NUMBER, MEMBER(reveals_left), 2 * RULES_SEATS_MAX, {NULL}},
    {"reshuffles", FIELD_WIDE, MEMBER(reshuffles), 60000, {NULL}},
    {"trigger", FIELD_SEAT, MEMBER(trigger), 0, {NULL}},
    {"final", FIELD_NUMBER, MEMBER(final_left), RULES_SEATS_MAX, {NULL}},
    {"moved", FIELD_SEATS, MEMBER(final_moved), 0, {NULL}},
    {"first", FIELD_SEAT, MEMBER(first_completed), 0, {NULL}},
    {"drawn", FIELD_CARD, MEMBER(drawn), 0, {NULL}},
    {"from", FIELD_WORD, MEMBER(is_from_discard), 0, {"pile", "discard", NULL}},
    {"bidding", FIELD_NUMBER, MEMBER(bid_round), 9, {NULL}},
    {"knocker", FIELD_SEAT, MEMBER(knocker), 0, {NULL}},
    {"placed", FIELD_CELLS, MEMBER(placed), 0, {NULL}},
    {"hole", FIELD_CELL, MEMBER(hole), 0, {NULL}},
    {"hand", FIELD_CARD, MEMBER(hand), 0, {NULL}},
    {"hand_is", FIELD_WORD, MEMBER(is_hand_private), 0, {"open", "private", NULL}},
    {"taken", FIELD_CARD, MEMBER(taken), 0, {NULL}},
    {"aside", FIELD_CARD, MEMBER(aside), 0, {NULL}},
    {"clear",
     FIELD_WORD,
     MEMBER(clear_step),
     0,
     {"nothing", "start", "move", "knock1", "swap", "knock2", "end", NULL}},
    {"start", FIELD_CELLS, MEMBER(clear_start), 0, {NULL}},
};
#undef MEMBER

static bool is_wide(const struct field *field)
{
    return field->kind == FIELD_WIDE || field->kind == FIELD_CELLS;
}

static unsigned get(const struct table *table, const struct field *field)
{
    const uint8_t *member = (const uint8_t *)table + field->offset;
    uint16_t wide;

    if (!is_wide(field))
        return *member;
    memcpy(&wide, member, sizeof wide);
    return wide;
}

static void set(struct table *table, const struct field *field, unsigned value)
{
    uint8_t *member = (uint8_t *)table + field->offset;
    uint16_t wide = (uint16_t)value;

    if (is_wide(field))
        memcpy(member, &wide, sizeof wide);
    else
        *member = (uint8_t)value;
}

static void set_defaults(struct table *table)
{
    memset(table, 0, sizeof *table);
    table->rules = rules_of_edition(EDITION_DE2026);
    table->round = 1;
    table->turn = 1;
    table->question = QUESTION_DRAW;
    table->trigger = SEAT_NONE;
    table->first_completed = SEAT_NONE;
    table->drawn = CARD_NONE;
    table->knocker = SEAT_NONE;
    table->hole = CELL_NONE;
    table->hand = CARD_NONE;
    table->taken = CARD_NONE;
    table->aside = CARD_NONE;
}

/* Writing. */

static void write_list_mark(struct text *text, bool *is_first)
{
    if (!*is_first)
        text_add_char(text, ',');
    *is_first = false;
}

static void write_seats(struct text *text, unsigned seats)
{
    bool is_first = true;

    for (unsigned seat = 0; seat < RULES_SEATS_MAX; seat++) {
        if (seats >> seat & 1) {
            write_list_mark(text, &is_first);
            text_add_number(text, seat);
        }
    }
}

static void write_cells(struct text *text, uint16_t cells)
{
    bool is_first = true;

    for (uint16_t rest = cells; rest != 0; rest &= (uint16_t)(rest - 1)) {
        write_list_mark(text, &is_first);
        cell_write(text, cell_of(rest));
    }
}

static void write_field(struct text *text, const struct table *table, const struct field *field)
{
    unsigned value = get(table, field);

    text_add_char(text, ' ');
    text_add(text, field->name);
    text_add_char(text, '=');
    switch (field->kind) {
    case FIELD_NUMBER:
    case FIELD_WIDE:
    case FIELD_SEAT:
        text_add_number(text, value);
        break;
    case FIELD_SEATS:
        write_seats(text, value);
        break;
    case FIELD_CARD:
        card_write(text, (int8_t)value);
        break;
    case FIELD_CELL:
        cell_write(text, value);
        break;
    case FIELD_CELLS:
        write_cells(text, (uint16_t)value);
        break;
    case FIELD_WORD:
        text_add(text, field->words[value]);
        break;
    case FIELD_ASK:
        text_add(text, question_name((enum question)value));
        break;
    }
}

static void write_rules(struct text *text, const struct rules *rules)
{
    struct rules edition = rules_of_edition((enum rules_edition)rules->edition);

    text_add(text, " edition=");
    text_add(text, rules_edition_name((enum rules_edition)rules->edition));
    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);

        if (rules_same_value(rules, &edition, key))
            continue;
        text_add_char(text, ' ');
        text_add(text, key->name);
        text_add_char(text, '=');
        rules_write_value(text, rules, key);
    }
}

static void write_cell_state(struct text *text, const struct table *table, unsigned seat,
                             unsigned cell)
{
    int8_t card = table_card(table, seat, cell);

    if (!(table->present[seat] >> cell & 1)) {
        text_add_char(text, '.');
    } else if (card == CARD_NONE) {
        text_add_char(text, '_');
    } else {
        text_add(text, table->down[seat] >> cell & 1 ? "#" : "");
        card_write(text, card);
    }
}

static void write_block(struct text *text, const struct table *table, unsigned seat)
{
    text_add(text, "\nprivate");
    text_add_number(text, seat);
    for (unsigned row = 0; row < CELL_ROWS; row++) {
        for (unsigned column = 1; column <= 3; column++) {
            text_add_char(text, column > 1 ? ',' : row > 0 ? '/' : '=');
            write_cell_state(text, table, seat, row * CELL_COLUMNS + column);
        }
    }
    text_add(text, " shared");
    text_add_number(text, seat);
    for (unsigned row = 0; row < CELL_ROWS; row++) {
        text_add_char(text, row > 0 ? ',' : '=');
        write_cell_state(text, table, seat, row * CELL_COLUMNS);
    }
}

static void write_piles(struct text *text, const struct table *table)
{
    text_add(text, "\ndraw=");
    for (unsigned i = 0; i < table->draw_count; i++) {
        text_add(text, i > 0 ? "," : "");
        card_write(text, table->pile[i]);
    }
    text_add(text, " discard=");
    for (unsigned i = 0; i < table->discard_count; i++) {
        text_add(text, i > 0 ? "," : "");
        card_write(text, table_discarded(table, i));
    }
}

static void write_halves(struct text *text, long halves)
{
    text_add(text, halves == -1 ? "-" : "");
    text_add_number(text, halves / 2);
    text_add(text, halves % 2 != 0 ? ".5" : "");
}

static void write_totals(struct text *text, const struct table *table)
{
    text_add(text, " totals=");
    for (unsigned seat = 0; seat < table->seats; seat++) {
        text_add(text, seat > 0 ? "," : "");
        write_halves(text, table->total_halves[seat]);
    }
}

static void write_bids(struct text *text, const struct table *table)
{
    unsigned asked = table->question == QUESTION_KNOCK ? table->asked : 0;
    bool is_first = true;

    if (table->bidders == 0)
        return;
    text_add(text, asked != 0 ? " asked=" : "");
    write_seats(text, asked);
    text_add(text, " bids=");
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (!((table->bidders & ~asked) >> seat & 1))
            continue;
        write_list_mark(text, &is_first);
        text_add_number(text, seat);
        text_add_char(text, ':');
        if (table->offer[seat] != 0)
            cell_write(text, cell_of(table->offer[seat]));
        else
            text_add(text, table->knockers >> seat & 1 ? "knock" : "pass");
    }
}

void position_write(struct text *text, const struct table *table)
{
    struct table defaults;

    set_defaults(&defaults);
    text_add(text, "seats=");
    text_add_number(text, table->seats);
    write_rules(text, &table->rules);
    for (unsigned seat = 0; seat < table->seats; seat++)
        write_block(text, table, seat);
    write_piles(text, table);
    write_totals(text, table);
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        if (get(table, &fields[i]) != get(&defaults, &fields[i]))
            write_field(text, table, &fields[i]);
    }
    write_bids(text, table);
}

/* Reading. */

/* What is known while words come in, in any order. */
struct reading {
    struct table *table;
    uint16_t given[RULES_SEATS_MAX];
    unsigned asked;
    struct text *problem;
};

static int read_seat(struct span span, unsigned *seat)
{
    long number;

    if (span_read_number(span, 0, RULES_SEATS_MAX - 1, &number) != 0)
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
        *cells |= CELL_BIT(cell);
    }
    return 0;
}

static int read_word(struct span span, const struct field *field, unsigned *value)
{
    for (unsigned i = 0; field->words[i] != NULL; i++) {
        if (span_is(span, field->words[i])) {
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
    enum question question;

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
    case FIELD_WORD:
        return read_word(span, field, value);
    case FIELD_ASK:
        return read_ask(span, value);
    }
    return -1;
}

/* The seat number at the end of a name like "shared2". */
static int read_name_seat(struct span name, const char *stem, const struct table *table,
                          unsigned *seat)
{
    size_t length = strlen(stem);

    if (name.length != length + 1 || memcmp(name.start, stem, length) != 0)
        return -1;
    *seat = (unsigned)(name.start[length] - '0');
    return *seat < table->seats ? 0 : -1;
}

static void set_cell(struct table *table, unsigned seat, unsigned cell, int8_t card, char sign)
{
    uint16_t bit = CELL_BIT(cell);
    uint64_t code = sign == '.'   ? TABLE_CODE_GAP
                    : sign == '_' ? TABLE_CODE_HOLE
                                  : (uint64_t)(card - CARD_LEAST);

    table->codes[seat] = (table->codes[seat] & ~(UINT64_C(15) << 4 * cell)) | code << 4 * cell;
    if (sign != '.')
        table->present[seat] |= bit;
    if (sign == '#')
        table->down[seat] |= bit;
}

/* A cell may be given in both displays that it belongs to, but must be the same in both. */
static int give_cell(struct reading *reading, unsigned seat, unsigned cell, struct span state)
{
    struct table *table = reading->table;
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
        struct table again = *table;

        set_cell(&again, seat, cell, card, sign);
        return memcmp(&again, table, sizeof again) == 0 ? 0 : -1;
    }
    table_twin(table, &twin, &twin_cell);
    set_cell(table, seat, cell, card, sign);
    set_cell(table, twin, twin_cell, card, sign);
    reading->given[seat] |= CELL_BIT(cell);
    reading->given[twin] |= CELL_BIT(twin_cell);
    return 0;
}

/* Three rows with columns `from` to `to`; a single column is written as one list. */
static int read_block(struct reading *reading, unsigned seat, struct span value, unsigned from,
                      unsigned to)
{
    for (unsigned row = 0; row < CELL_ROWS; row++) {
        for (unsigned column = from; column <= to; column++) {
            bool ends_row = column == to && from != to;
            char separator = ends_row ? '/' : ',';

            if (value.start == NULL)
                return -1;
            if (give_cell(reading, seat, row * CELL_COLUMNS + column,
                          span_cut(&value, separator)) != 0)
                return -1;
        }
    }
    return value.start == NULL ? 0 : -1;
}

static int read_pile(struct table *table, bool is_draw, struct span value)
{
    unsigned count = 0;

    while (value.start != NULL && value.length > 0) {
        int8_t card;

        if (count == RULES_DECK_MAX || card_read(span_cut(&value, ','), &card) != 0)
            return -1;
        table->pile[is_draw ? count : RULES_DECK_MAX - 1 - count] = card;
        count++;
    }
    if (is_draw)
        table->draw_count = (uint8_t)count;
    else
        table->discard_count = (uint8_t)count;
    return table->draw_count + table->discard_count <= RULES_DECK_MAX ? 0 : -1;
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

static int read_totals(struct table *table, struct span value)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (value.start == NULL ||
            read_halves(span_cut(&value, ','), &table->total_halves[seat]) != 0)
            return -1;
    }
    return value.start == NULL ? 0 : -1;
}

static int read_bid(struct table *table, struct span bid)
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
    table->offer[seat] = CELL_BIT(cell);
    return 0;
}

static int read_bids(struct table *table, struct span value)
{
    while (value.start != NULL && value.length > 0) {
        if (read_bid(table, span_cut(&value, ',')) != 0)
            return -1;
    }
    return 0;
}

/* Returns 0, -1 if the value is wrong, 1 if the name is no word of this kind. */
static int read_field(struct reading *reading, struct span name, struct span value)
{
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        unsigned number;

        if (!span_is(name, fields[i].name))
            continue;
        if (read_value(value, &fields[i], &number) != 0)
            return -1;
        set(reading->table, &fields[i], number);
        return 0;
    }
    return 1;
}

static int read_part(struct reading *reading, struct span name, struct span value)
{
    struct table *table = reading->table;
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
    text_add(reading->problem, " \"");
    for (size_t i = 0; i < word.length && i < 60; i++)
        text_add_char(reading->problem,
                      word.start[i] >= ' ' && word.start[i] <= '~' ? word.start[i] : '?');
    text_add_char(reading->problem, '"');
    return -1;
}

/* Seats and edition come first: the other words lean on them. */
static int read_first_words(struct reading *reading, struct span *rest)
{
    struct span word = span_cut_word(rest);
    struct span value = word;
    struct span name = span_cut(&value, '=');
    long seats;

    if (!span_is(name, "seats") || value.start == NULL ||
        span_read_number(value, RULES_SEATS_MIN, RULES_SEATS_MAX, &seats) != 0)
        return complain(reading, "a position begins with seats=2 to seats=6, not with", word);
    reading->table->seats = (uint8_t)seats;
    return 0;
}

static int read_edition(struct reading *reading, struct span value)
{
    return rules_read_edition(value, &reading->table->rules, reading->problem);
}

static int read_word_of_position(struct reading *reading, struct span word)
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
    const struct table *table = reading->table;

    switch ((enum question)table->question) {
    case QUESTION_NONE:
        return 0;
    case QUESTION_KNOCK:
        return reading->asked;
    case QUESTION_PLACE:
        return table->knocker < table->seats ? 1U << table->knocker : 0;
    case QUESTION_CLEAR:
        return clear_seat(table) < table->seats ? 1U << clear_seat(table) : 0;
    default:
        return 1U << table->active;
    }
}

/* What follows from what was given. */
static int conclude(struct reading *reading)
{
    struct table *table = reading->table;

    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (reading->given[seat] != CELL_ALL) {
            text_add(reading->problem, "some cells are given nowhere in the display of seat ");
            text_add_number(reading->problem, seat);
            return -1;
        }
        if (table->down[seat] == 0)
            table->completed |= (uint8_t)(1U << seat);
    }
    table->asked = (uint8_t)asked_seats(reading);
    if (table->question == QUESTION_KNOCK)
        table->bidders |= table->asked;
    return 0;
}

int position_read(struct span span, struct table *table, struct text *problem)
{
    struct reading reading = {.table = table, .problem = problem};
    const char *wrong;

    set_defaults(table);
    if (read_first_words(&reading, &span) != 0)
        return -1;
    for (;;) {
        struct span word = span_cut_word(&span);

        if (word.length == 0)
            break;
        if (read_word_of_position(&reading, word) != 0)
            return -1;
    }
    if (conclude(&reading) != 0 || rules_check(&table->rules, table->seats, problem) != 0)
        return -1;
    wrong = position_problem(table);
    if (wrong != NULL)
        text_add(problem, wrong);
    return wrong == NULL ? 0 : -1;
}
