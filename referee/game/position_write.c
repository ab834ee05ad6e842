/* Tables to text. A field is written when it differs from what a reader would take for granted;
 * cells, piles, totals and bids have functions of their own. */

#include "game/game_text.h"
#include "game/position.h"
#include "game/position_field.h"
#include "game/rules.h"

static void write_list_mark(struct text *text, bool *is_first)
{
    if (!*is_first)
        text_add_char(text, ',');
    *is_first = false;
}

static void write_seats(struct text *text, unsigned seats)
{
    bool is_first = true;

    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
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
        cell_write(text, allegra_cell_lowest(rest));
    }
}

static void write_field(struct text *text, const struct allegra_table *table,
                        const struct field *field)
{
    unsigned value = position_field_get(table, field);

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
    case FIELD_NAME:
        text_add(text, field->names[value]);
        break;
    case FIELD_ASK:
        text_add(text, allegra_question_name((enum allegra_question)value));
        break;
    }
}

static void write_rules(struct text *text, const struct allegra_rules *rules)
{
    text_add(text, " edition=");
    text_add(text, allegra_edition_name((enum allegra_edition)rules->edition));
    rules_write_changes(text, rules, " ");
}

static void write_cell_state(struct text *text, const struct allegra_table *table, unsigned seat,
                             unsigned cell)
{
    int8_t card = allegra_table_card(table, seat, cell);

    if (!(table->present[seat] >> cell & 1)) {
        text_add_char(text, '.');
    } else if (card == ALLEGRA_CARD_NONE) {
        text_add_char(text, '_');
    } else {
        text_add(text, table->down[seat] >> cell & 1 ? "#" : "");
        card_write(text, card);
    }
}

static void write_block(struct text *text, const struct allegra_table *table, unsigned seat)
{
    text_add(text, "\nprivate");
    text_add_number(text, seat);
    for (unsigned row = 0; row < ALLEGRA_CELL_ROWS; row++) {
        for (unsigned column = 1; column <= 3; column++) {
            text_add_char(text, column > 1 ? ',' : row > 0 ? '/' : '=');
            write_cell_state(text, table, seat, row * ALLEGRA_CELL_COLUMNS + column);
        }
    }
    text_add(text, " shared");
    text_add_number(text, seat);
    for (unsigned row = 0; row < ALLEGRA_CELL_ROWS; row++) {
        text_add_char(text, row > 0 ? ',' : '=');
        write_cell_state(text, table, seat, row * ALLEGRA_CELL_COLUMNS);
    }
}

static void write_piles(struct text *text, const struct allegra_table *table)
{
    text_add(text, "\ndraw=");
    for (unsigned i = 0; i < table->draw_count; i++) {
        text_add(text, i > 0 ? "," : "");
        card_write(text, table->pile[i]);
    }
    text_add(text, " discard=");
    for (unsigned i = 0; i < table->discard_count; i++) {
        text_add(text, i > 0 ? "," : "");
        card_write(text, allegra_table_discarded(table, i));
    }
}

static void write_totals(struct text *text, const struct allegra_table *table)
{
    text_add(text, " totals=");
    for (unsigned seat = 0; seat < table->seats; seat++) {
        text_add(text, seat > 0 ? "," : "");
        score_write(text, table->total_halves[seat]);
    }
}

static void write_bids(struct text *text, const struct allegra_table *table)
{
    unsigned asked = table->question == ALLEGRA_QUESTION_KNOCK ? table->asked : 0;
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
            cell_write(text, allegra_cell_lowest(table->offer[seat]));
        else
            text_add(text, table->knockers >> seat & 1 ? "knock" : "pass");
    }
}

void position_write(struct text *text, const struct allegra_table *table)
{
    struct allegra_table defaults;

    position_set_defaults(&defaults);
    text_add(text, "seats=");
    text_add_number(text, table->seats);
    write_rules(text, &table->rules);
    for (unsigned seat = 0; seat < table->seats; seat++)
        write_block(text, table, seat);
    write_piles(text, table);
    write_totals(text, table);
    for (size_t i = 0; i < position_field_count(); i++) {
        const struct field *field = position_field_at(i);

        if (position_field_get(table, field) != position_field_get(&defaults, field))
            write_field(text, table, field);
    }
    write_bids(text, table);
}
