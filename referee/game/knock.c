/* Bidding, and the accepted knock from the card that changes hands to the end of the turn.
 *
 * Bids are asked of all eligible opponents at once. They are kept in the table as they come, but
 * are announced only when the last one is in, in seat order. The accepted knock is a chain of
 * steps, each of which ends in a question or falls through to the next one:
 *
 *   place - clear (knocker) - take - put - clear (active) - return - clear (knocker)
 *   - clear (active) */

#include "game/game_private.h"

#include <string.h>

unsigned allegra_knock_eligible(const struct allegra_table *table)
{
    unsigned eligible = 0;

    if (table->rules.knock == 0 || table->seats < 3)
        return 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        eligible |= (unsigned)(allegra_cell_count(table->present[seat]) > KNOCK_TOO_FEW_CARDS)
                    << seat;
    if (!table->rules.knock_complete)
        eligible &= ~(unsigned)table->completed;
    return eligible & ~(1U << table->active) & ~(unsigned)table->final_moved;
}

void knock_open(struct update *update, unsigned eligible)
{
    struct allegra_table *table = update->table;

    table->bid_round++;
    table->bidders = (uint8_t)eligible;
    table->knockers = 0;
    memset(table->offer, 0, sizeof table->offer);
    table->question = ALLEGRA_QUESTION_KNOCK;
    table->asked = (uint8_t)eligible;
}

static void announce_bids(struct update *update)
{
    struct allegra_table *table = update->table;

    for (unsigned seat = 0; update->events != NULL && seat < table->seats; seat++) {
        bool has_knocked = table->knockers >> seat & 1;

        if (!(table->bidders >> seat & 1))
            continue;
        update_report(update, (struct allegra_event){.kind = has_knocked ? ALLEGRA_EVENT_KNOCKED
                                                                         : ALLEGRA_EVENT_PASSED,
                                                     .seat = (uint8_t)seat,
                                                     .cells = table->offer[seat]});
    }
}

void knock_bid(struct update *update, unsigned seat, struct allegra_answer answer)
{
    struct allegra_table *table = update->table;

    table->asked &= (uint8_t) ~(1U << seat);
    table->knockers |= (uint8_t)((unsigned)(answer.verb == ALLEGRA_VERB_KNOCK) << seat);
    table->offer[seat] = answer.cells;
    if (table->asked != 0)
        return;
    announce_bids(update);
    if (table->knockers != 0 || table->bid_round < table->rules.knock_rounds)
        update_ask(update, ALLEGRA_QUESTION_ANSWER, table->active);
    else
        turn_ask_move(update);
}

static void place(struct update *update, unsigned cell)
{
    struct allegra_table *table = update->table;
    unsigned seat = table->knocker;
    bool was_down = table->down[seat] >> cell & 1;

    table->hand = deal_lay(table, seat, cell, table->drawn);
    table->is_hand_private = was_down && table->rules.knock_hand == ALLEGRA_KNOCK_HAND_PRIVATE;
    table->placed = ALLEGRA_CELL_BIT(cell);
    update_report(update,
                  (struct allegra_event){.kind = ALLEGRA_EVENT_PLACED,
                                         .seat = (uint8_t)seat,
                                         .cell = (uint8_t)cell,
                                         .card = table->drawn,
                                         .old = table->hand,
                                         .seen_by = table->is_hand_private ? (uint8_t)(1U << seat)
                                                                           : UINT8_MAX});
    table->drawn = ALLEGRA_CARD_NONE;
    deal_note_completed(table);
    clear_begin(update, ALLEGRA_CLEAR_KNOCK1);
}

static void accept(struct update *update, unsigned seat)
{
    struct allegra_table *table = update->table;

    table->knocker = (uint8_t)seat;
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_ACCEPTED,
                                                 .seat = table->active,
                                                 .other = (uint8_t)seat});
    if (table->rules.knock_offers == ALLEGRA_KNOCK_OFFERS_BINDING && table->offer[seat] != 0)
        place(update, allegra_cell_lowest(table->offer[seat]));
    else
        update_ask(update, ALLEGRA_QUESTION_PLACE, seat);
}

void knock_answer(struct update *update, struct allegra_answer answer)
{
    struct allegra_table *table = update->table;

    if (answer.verb == ALLEGRA_VERB_ACCEPT) {
        accept(update, answer.seat);
    } else if (answer.verb == ALLEGRA_VERB_AGAIN) {
        update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_AGAIN,
                                                     .seat = table->active,
                                                     .number = table->bid_round + 1});
        knock_open(update, table->bidders);
    } else {
        update_report(
            update, (struct allegra_event){.kind = ALLEGRA_EVENT_DECLINED, .seat = table->active});
        turn_ask_move(update);
    }
}

void knock_place(struct update *update, struct allegra_answer answer)
{
    place(update, allegra_cell_lowest(answer.cells));
}

/* The cells of the knocker's display that are shared with the active player. */
static uint16_t shared_cells(const struct allegra_table *table)
{
    uint16_t shared = 0;

    if (allegra_table_left(table, table->knocker) == table->active)
        shared |= ALLEGRA_CELL_COLUMN_A;
    if (allegra_table_right(table, table->knocker) == table->active)
        shared |= ALLEGRA_CELL_COLUMN_E;
    return shared;
}

uint16_t allegra_knock_takeable(const struct allegra_table *table)
{
    unsigned own = allegra_cell_count(table->present[table->active]);
    uint16_t present;

    if (own == 0 || table->knocker >= table->seats)
        return 0;
    present = table->present[table->knocker];
    return own > 1 ? present : present & (uint16_t)~shared_cells(table);
}

/* Nothing can be exchanged: the knocker's hand card is discarded and the turn is over. */
static void break_off(struct update *update)
{
    struct allegra_table *table = update->table;

    deal_discard(table, table->hand);
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_DISCARDED,
                                                 .seat = table->knocker,
                                                 .card = table->hand});
    table->hand = ALLEGRA_CARD_NONE;
    table->is_hand_private = false;
    turn_end(update);
}

void knock_take(struct update *update, struct allegra_answer answer)
{
    struct allegra_table *table = update->table;
    unsigned cell = allegra_cell_lowest(answer.cells);

    table->taken = deal_lay(table, table->knocker, cell, ALLEGRA_CARD_NONE);
    table->hole = (uint8_t)cell;
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_TOOK,
                                                 .seat = table->active,
                                                 .other = table->knocker,
                                                 .cell = (uint8_t)cell,
                                                 .card = table->taken});
    deal_note_completed(table);
    update_ask(update, ALLEGRA_QUESTION_PUT, table->active);
}

static void put(struct update *update, unsigned cell)
{
    struct allegra_table *table = update->table;

    table->aside = deal_lay(table, table->active, cell, table->taken);
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_PUT,
                                                 .seat = table->active,
                                                 .cell = (uint8_t)cell,
                                                 .card = table->taken,
                                                 .old = table->aside});
    if (table->rules.knock_toss == ALLEGRA_KNOCK_TOSS_AT_SWAP)
        turn_discard_aside(update);
}

static void toss(struct update *update)
{
    struct allegra_table *table = update->table;

    deal_discard(table, table->taken);
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_TOSSED,
                                                 .seat = table->active,
                                                 .card = table->taken});
}

/* The knocker's hand card goes into the hole. */
static void give_back(struct update *update)
{
    struct allegra_table *table = update->table;

    deal_lay(table, table->knocker, table->hole, table->hand);
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_RETURNED,
                                                 .seat = table->knocker,
                                                 .cell = table->hole,
                                                 .card = table->hand});
    table->hand = ALLEGRA_CARD_NONE;
    table->is_hand_private = false;
    table->hole = ALLEGRA_CELL_NONE;
    if (table->rules.knock_clear2)
        clear_begin(update, ALLEGRA_CLEAR_KNOCK2);
    else
        knock_after_clear(update, ALLEGRA_CLEAR_KNOCK2);
}

void knock_put(struct update *update, struct allegra_answer answer)
{
    struct allegra_table *table = update->table;

    if (answer.verb == ALLEGRA_VERB_PUT)
        put(update, allegra_cell_lowest(answer.cells));
    else
        toss(update);
    table->taken = ALLEGRA_CARD_NONE;
    deal_note_completed(table);
    if (table->rules.knock_active_clear != ALLEGRA_KNOCK_ACTIVE_CLEAR_END)
        clear_begin(update, ALLEGRA_CLEAR_SWAP);
    else
        give_back(update);
}

void knock_after_clear(struct update *update, enum allegra_clear_step step)
{
    struct allegra_table *table = update->table;
    bool is_last = table->rules.knock_active_clear == ALLEGRA_KNOCK_ACTIVE_CLEAR_SWAP;

    switch (step) {
    case ALLEGRA_CLEAR_KNOCK1:
        if (allegra_knock_takeable(table) == 0)
            break_off(update);
        else
            update_ask(update, ALLEGRA_QUESTION_TAKE, table->active);
        break;
    case ALLEGRA_CLEAR_SWAP:
        if (is_last)
            turn_discard_aside(update);
        give_back(update);
        break;
    case ALLEGRA_CLEAR_KNOCK2:
        if (is_last)
            turn_end(update);
        else
            clear_begin(update, ALLEGRA_CLEAR_END);
        break;
    default:
        turn_discard_aside(update);
        turn_end(update);
        break;
    }
}
