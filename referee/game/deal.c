/* Cards on the move: the deal, the two piles, and the cells.
 *
 * A shared cell stands in two displays; everything that changes a cell goes through this file,
 * which keeps both the same. Piles are stacks: the last card is the top one. */

#include "game/game_private.h"

#include <string.h>

/* The order in which the twelve cards of a block fill the cells of their owner. */
static const uint8_t block_with_a[12] = {1, 2, 3, 6, 7, 8, 11, 12, 13, 0, 5, 10};
static const uint8_t block_with_e[12] = {1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14};

void deal_set_rest(struct allegra_table *table)
{
    memset(table, 0, sizeof *table);
    table->trigger = ALLEGRA_SEAT_NONE;
    table->first_completed = ALLEGRA_SEAT_NONE;
    table->drawn = ALLEGRA_CARD_NONE;
    table->knocker = ALLEGRA_SEAT_NONE;
    table->hole = ALLEGRA_CELL_NONE;
    table->hand = ALLEGRA_CARD_NONE;
    table->taken = ALLEGRA_CARD_NONE;
    table->aside = ALLEGRA_CARD_NONE;
}

static void set_code(struct allegra_table *table, unsigned seat, unsigned cell, unsigned code)
{
    uint64_t *codes = &table->codes[seat];

    *codes = (*codes & ~(UINT64_C(15) << 4 * cell)) | (uint64_t)code << 4 * cell;
}

static void no_longer_down(struct allegra_table *table, unsigned seat, unsigned cell)
{
    table->down[seat] &= (uint16_t)~ALLEGRA_CELL_BIT(cell);
    table->completed |= (uint8_t)((unsigned)(table->down[seat] == 0) << seat);
}

int8_t deal_turn_up(struct allegra_table *table, unsigned seat, unsigned cell)
{
    int8_t card = allegra_table_card(table, seat, cell);

    no_longer_down(table, seat, cell);
    allegra_table_twin(table, &seat, &cell);
    no_longer_down(table, seat, cell);
    return card;
}

static void make_gap(struct allegra_table *table, unsigned seat, unsigned cell)
{
    table->present[seat] &= (uint16_t)~ALLEGRA_CELL_BIT(cell);
    set_code(table, seat, cell, ALLEGRA_TABLE_CODE_GAP);
}

void deal_clear_cell(struct allegra_table *table, unsigned seat, unsigned cell)
{
    deal_discard(table, allegra_table_card(table, seat, cell));
    make_gap(table, seat, cell);
    allegra_table_twin(table, &seat, &cell);
    make_gap(table, seat, cell);
}

int8_t deal_lay(struct allegra_table *table, unsigned seat, unsigned cell, int card)
{
    unsigned code =
        card == ALLEGRA_CARD_NONE ? ALLEGRA_TABLE_CODE_HOLE : (unsigned)(card - ALLEGRA_CARD_MIN);
    int8_t old = allegra_table_card(table, seat, cell);

    set_code(table, seat, cell, code);
    no_longer_down(table, seat, cell);
    allegra_table_twin(table, &seat, &cell);
    set_code(table, seat, cell, code);
    no_longer_down(table, seat, cell);
    return old;
}

/* Of several seats that complete at the same moment: the active player, the knocker, the next
 * clockwise. */
static uint8_t choose_trigger(const struct allegra_table *table)
{
    unsigned completed = table->completed;
    unsigned seat = table->active;

    if (completed >> seat & 1)
        return (uint8_t)seat;
    if (table->knocker != ALLEGRA_SEAT_NONE && completed >> table->knocker & 1)
        return table->knocker;
    while (!(completed >> seat & 1))
        seat = allegra_table_left(table, seat);
    return (uint8_t)seat;
}

void deal_note_completed(struct allegra_table *table)
{
    if (table->completed == 0 || table->trigger != ALLEGRA_SEAT_NONE)
        return;
    if (table->first_completed == ALLEGRA_SEAT_NONE ||
        table->rules.trigger == ALLEGRA_TRIGGER_ACTIVE)
        table->first_completed = choose_trigger(table);
}

void deal_discard(struct allegra_table *table, int card)
{
    table->pile[ALLEGRA_DECK_MAX - 1 - table->discard_count++] = (int8_t)card;
}

bool deal_can_draw(const struct allegra_table *table)
{
    return table->draw_count > 0 || table->discard_count > 1 ||
           table->rules.reshuffle == ALLEGRA_RESHUFFLE_END_ROUND;
}

/* All discarded cards but the top one become the draw pile. They are handed to the shuffler from
 * the bottom of the discard pile to its top. */
static void reshuffle(struct update *update)
{
    struct allegra_table *table = update->table;
    unsigned count = table->discard_count - 1U;
    int8_t cards[ALLEGRA_DECK_MAX];
    int8_t top = allegra_table_discarded(table, count);

    for (unsigned i = 0; i < count; i++)
        cards[i] = allegra_table_discarded(table, i);
    table->reshuffles++;
    update->shuffler->shuffle(update->shuffler->context, table->round, table->reshuffles, cards,
                              count);
    memcpy(table->pile, cards, count);
    table->draw_count = (uint8_t)count;
    table->discard_count = 0;
    deal_discard(table, top);
    update_report(
        update, (struct allegra_event){.kind = ALLEGRA_EVENT_RESHUFFLED, .number = (int32_t)count});
}

int8_t deal_draw(struct update *update)
{
    struct allegra_table *table = update->table;

    if (table->draw_count == 0)
        reshuffle(update);
    return table->pile[--table->draw_count];
}

/* The deck in order, from the lowest card to the highest, as the shuffler gets it. */
static void fill_deck(struct allegra_table *table)
{
    unsigned count = 0;

    for (int card = ALLEGRA_CARD_MIN; card <= ALLEGRA_CARD_MAX; card++) {
        for (unsigned i = allegra_rules_cards_of(&table->rules, table->seats, card); i > 0; i--)
            table->pile[count++] = (int8_t)card;
    }
    table->draw_count = (uint8_t)count;
    table->discard_count = 0;
}

static void deal_block(struct allegra_table *table, unsigned seat)
{
    const uint8_t *block =
        table->rules.deal_shared == ALLEGRA_DEAL_SHARED_A ? block_with_a : block_with_e;

    for (unsigned i = 0; i < 12; i++)
        deal_lay(table, seat, block[i], table->pile[--table->draw_count]);
}

static unsigned starter_of(const struct allegra_table *table)
{
    return table->rules.starter == ALLEGRA_STARTER_DEALER
               ? table->dealer
               : allegra_table_left(table, table->dealer);
}

void deal_round(struct update *update)
{
    struct allegra_table *table = update->table;

    fill_deck(table);
    table->reshuffles = 0;
    update->shuffler->shuffle(update->shuffler->context, table->round, 0, table->pile,
                              table->draw_count);
    for (unsigned seat = 0; seat < table->seats; seat++)
        deal_block(table, seat);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        table->present[seat] = ALLEGRA_CELL_ALL;
        table->down[seat] = ALLEGRA_CELL_ALL;
    }
    deal_discard(table, table->pile[--table->draw_count]);
    table->turn = 0;
    table->completed = 0;
    table->trigger = ALLEGRA_SEAT_NONE;
    table->final_left = 0;
    table->final_moved = 0;
    table->active = (uint8_t)starter_of(table);
    table->reveals_left = (uint8_t)(2 * table->seats);
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_ROUND,
                                                 .seat = table->dealer,
                                                 .number = table->round,
                                                 .card = allegra_table_discarded(table, 0)});
    update_ask(update, ALLEGRA_QUESTION_REVEAL, table->active);
}
