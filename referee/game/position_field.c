/* One row for each field of a position that is a member of struct allegra_table. */

#include "game/position_field.h"

#include "base/text.h"
#include "game/game_private.h"

#include <string.h>

#define MEMBER(member) offsetof(struct allegra_table, member)
static const struct field fields[] = {
    {"round", FIELD_NUMBER, MEMBER(round), 100, {NULL}},
    {"dealer", FIELD_SEAT, MEMBER(dealer), 0, {NULL}},
    {"turn", FIELD_WIDE, MEMBER(turn), 60000, {NULL}},
    {"active", FIELD_SEAT, MEMBER(active), 0, {NULL}},
    {"ask", FIELD_ASK, MEMBER(question), 0, {NULL}},
    {"reveals", FIELD_NUMBER, MEMBER(reveals_left), 2 * ALLEGRA_SEATS_MAX, {NULL}},
    {"reshuffles", FIELD_WIDE, MEMBER(reshuffles), 60000, {NULL}},
    {"triggered", FIELD_SEAT, MEMBER(trigger), 0, {NULL}},
    {"final", FIELD_NUMBER, MEMBER(final_left), ALLEGRA_SEATS_MAX, {NULL}},
    {"moved", FIELD_SEATS, MEMBER(final_moved), 0, {NULL}},
    {"first", FIELD_SEAT, MEMBER(first_completed), 0, {NULL}},
    {"drawn", FIELD_CARD, MEMBER(drawn), 0, {NULL}},
    {"from", FIELD_NAME, MEMBER(is_from_discard), 0, {"pile", "discard", NULL}},
    {"bidding", FIELD_NUMBER, MEMBER(bid_round), 9, {NULL}},
    {"knocker", FIELD_SEAT, MEMBER(knocker), 0, {NULL}},
    {"placed", FIELD_CELLS, MEMBER(placed), 0, {NULL}},
    {"hole", FIELD_CELL, MEMBER(hole), 0, {NULL}},
    {"hand", FIELD_CARD, MEMBER(hand), 0, {NULL}},
    {"hand_is", FIELD_NAME, MEMBER(is_hand_private), 0, {"open", "private", NULL}},
    {"taken", FIELD_CARD, MEMBER(taken), 0, {NULL}},
    {"aside", FIELD_CARD, MEMBER(aside), 0, {NULL}},
    {"clear",
     FIELD_NAME,
     MEMBER(clear_step),
     0,
     {"nothing", "start", "move", "knock1", "swap", "knock2", "end", NULL}},
    {"start", FIELD_CELLS, MEMBER(clear_start), 0, {NULL}},
};
#undef MEMBER

size_t position_field_count(void)
{
    return ARRAY_LEN(fields);
}

const struct field *position_field_at(size_t index)
{
    return &fields[index];
}

static bool is_wide(const struct field *field)
{
    return field->kind == FIELD_WIDE || field->kind == FIELD_CELLS;
}

unsigned position_field_get(const struct allegra_table *table, const struct field *field)
{
    const uint8_t *member = (const uint8_t *)table + field->offset;
    uint16_t wide;

    if (!is_wide(field))
        return *member;
    memcpy(&wide, member, sizeof wide);
    return wide;
}

void position_field_set(struct allegra_table *table, const struct field *field, unsigned value)
{
    uint8_t *member = (uint8_t *)table + field->offset;
    uint16_t wide = (uint16_t)value;

    if (is_wide(field))
        memcpy(member, &wide, sizeof wide);
    else
        *member = (uint8_t)value;
}

void position_set_defaults(struct allegra_table *table)
{
    deal_set_rest(table);
    table->rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    table->round = 1;
    table->turn = 1;
    table->question = ALLEGRA_QUESTION_DRAW;
}
