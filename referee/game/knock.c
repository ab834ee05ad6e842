/* Bidding, and the accepted knock from the card that changes hands to the end of the turn.
 *
 * Bids are asked of all eligible opponents at once. They are kept in the table as they come, but
 * are announced only when the last one is in, in seat order. The accepted knock is a chain of steps,
 * each of which ends in a question or falls through to the next one:
 *
 *   place - clear (knocker) - take - put - clear (active) - return - clear (knocker) - clear (active) */

#include "game/knock.h"

#include "game/clear.h"
#include "game/flow.h"

#include <string.h>

unsigned knock_eligible(const struct table *table)
{
    unsigned eligible = 0;

    if (table->rules.knock == 0 || table->seats < 3)
        return 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        eligible |= (unsigned)(cell_count(table->present[seat]) > KNOCK_TOO_FEW_CARDS) << seat;
    if (!table->rules.knock_complete)
        eligible &= ~(unsigned)table->completed;
    return eligible & ~(1U << table->active) & ~(unsigned)table->final_moved;
}

bool knock_is_eligible(const struct table *table, unsigned seat)
{
    return knock_eligible(table) >> seat & 1;
}

void knock_open(struct flow *flow, unsigned eligible)
{
    struct table *table = flow->table;

    table->bid_round++;
    table->bidders = (uint8_t)eligible;
    table->knockers = 0;
    memset(table->offer, 0, sizeof table->offer);
    table->question = QUESTION_KNOCK;
    table->asked = (uint8_t)eligible;
}

static void announce_bids(struct flow *flow)
{
    struct table *table = flow->table;

    for (unsigned seat = 0; flow->events != NULL && seat < table->seats; seat++) {
        bool has_knocked = table->knockers >> seat & 1;

        if (!(table->bidders >> seat & 1))
            continue;
        flow_tell(flow, (struct event){.kind = has_knocked ? EVENT_KNOCKED : EVENT_PASSED,
                                       .seat = (uint8_t)seat,
                                       .cells = table->offer[seat]});
    }
}

void knock_bid(struct flow *flow, unsigned seat, struct answer answer)
{
    struct table *table = flow->table;

    table->asked &= (uint8_t) ~(1U << seat);
    table->knockers |= (uint8_t)((unsigned)(answer.verb == VERB_KNOCK) << seat);
    table->offer[seat] = answer.cells;
    if (table->asked != 0)
        return;
    announce_bids(flow);
    if (table->knockers != 0 || table->bid_round < table->rules.knock_rounds)
        flow_ask(flow, QUESTION_ANSWER, table->active);
    else
        turn_ask_move(flow);
}

static void place(struct flow *flow, unsigned cell)
{
    struct table *table = flow->table;
    unsigned seat = table->knocker;
    bool was_down = table->down[seat] >> cell & 1;

    table->hand = deal_lay(table, seat, cell, table->drawn);
    table->is_hand_private = was_down && table->rules.knock_hand == KNOCK_HAND_PRIVATE;
    table->placed = CELL_BIT(cell);
    flow_tell(flow, (struct event){.kind = EVENT_PLACED,
                                   .seat = (uint8_t)seat,
                                   .cell = (uint8_t)cell,
                                   .card = table->drawn,
                                   .old = table->hand,
                                   .seen_by =
                                       table->is_hand_private ? (uint8_t)(1U << seat) : UINT8_MAX});
    table->drawn = CARD_NONE;
    deal_note_completed(table);
    clear_begin(flow, CLEAR_KNOCK1);
}

static void accept(struct flow *flow, unsigned seat)
{
    struct table *table = flow->table;

    table->knocker = (uint8_t)seat;
    flow_tell(flow, (struct event){
                        .kind = EVENT_ACCEPTED, .seat = table->active, .other = (uint8_t)seat});
    if (table->rules.knock_offers == KNOCK_OFFERS_BINDING && table->offer[seat] != 0)
        place(flow, cell_of(table->offer[seat]));
    else
        flow_ask(flow, QUESTION_PLACE, seat);
}

void knock_answer(struct flow *flow, struct answer answer)
{
    struct table *table = flow->table;

    if (answer.verb == VERB_ACCEPT) {
        accept(flow, answer.seat);
    } else if (answer.verb == VERB_AGAIN) {
        flow_tell(flow, (struct event){.kind = EVENT_AGAIN,
                                       .seat = table->active,
                                       .number = table->bid_round + 1});
        knock_open(flow, table->bidders);
    } else {
        flow_tell(flow, (struct event){.kind = EVENT_DECLINED, .seat = table->active});
        turn_ask_move(flow);
    }
}

void knock_place(struct flow *flow, struct answer answer)
{
    place(flow, cell_of(answer.cells));
}

/* The cells of the knocker's display that he shares with the active player. */
static uint16_t shared_cells(const struct table *table)
{
    uint16_t shared = 0;

    if (table_left(table, table->knocker) == table->active)
        shared |= CELL_COLUMN_A;
    if (table_right(table, table->knocker) == table->active)
        shared |= CELL_COLUMN_E;
    return shared;
}

uint16_t knock_takeable(const struct table *table)
{
    uint16_t present = table->present[table->knocker];
    unsigned own = cell_count(table->present[table->active]);

    if (own == 0)
        return 0;
    return own > 1 ? present : present & (uint16_t)~shared_cells(table);
}

/* Nothing can be exchanged: the knocker's hand card is discarded and the turn is over. */
static void break_off(struct flow *flow)
{
    struct table *table = flow->table;

    deal_discard(table, table->hand);
    flow_tell(flow,
              (struct event){.kind = EVENT_DISCARDED, .seat = table->knocker, .card = table->hand});
    table->hand = CARD_NONE;
    table->is_hand_private = false;
    turn_end(flow);
}

void knock_take(struct flow *flow, struct answer answer)
{
    struct table *table = flow->table;
    unsigned cell = cell_of(answer.cells);

    table->taken = deal_lay(table, table->knocker, cell, CARD_NONE);
    table->hole = (uint8_t)cell;
    flow_tell(flow, (struct event){.kind = EVENT_TOOK,
                                   .seat = table->active,
                                   .other = table->knocker,
                                   .cell = (uint8_t)cell,
                                   .card = table->taken});
    deal_note_completed(table);
    flow_ask(flow, QUESTION_PUT, table->active);
}

static void put(struct flow *flow, unsigned cell)
{
    struct table *table = flow->table;

    table->aside = deal_lay(table, table->active, cell, table->taken);
    flow_tell(flow, (struct event){.kind = EVENT_PUT,
                                   .seat = table->active,
                                   .cell = (uint8_t)cell,
                                   .card = table->taken,
                                   .old = table->aside});
    if (table->rules.knock_toss == KNOCK_TOSS_AT_SWAP)
        turn_discard_aside(flow);
}

static void toss(struct flow *flow)
{
    struct table *table = flow->table;

    deal_discard(table, table->taken);
    flow_tell(flow,
              (struct event){.kind = EVENT_TOSSED, .seat = table->active, .card = table->taken});
}

/* The knocker's hand card goes into the hole. */
static void give_back(struct flow *flow)
{
    struct table *table = flow->table;

    deal_lay(table, table->knocker, table->hole, table->hand);
    flow_tell(flow, (struct event){.kind = EVENT_RETURNED,
                                   .seat = table->knocker,
                                   .cell = table->hole,
                                   .card = table->hand});
    table->hand = CARD_NONE;
    table->is_hand_private = false;
    table->hole = CELL_NONE;
    if (table->rules.knock_clear2)
        clear_begin(flow, CLEAR_KNOCK2);
    else
        knock_after_clear(flow, CLEAR_KNOCK2);
}

void knock_put(struct flow *flow, struct answer answer)
{
    struct table *table = flow->table;

    if (answer.verb == VERB_PUT)
        put(flow, cell_of(answer.cells));
    else
        toss(flow);
    table->taken = CARD_NONE;
    deal_note_completed(table);
    if (table->rules.knock_active_clear != KNOCK_ACTIVE_CLEAR_END)
        clear_begin(flow, CLEAR_SWAP);
    else
        give_back(flow);
}

void knock_after_clear(struct flow *flow, enum clear_step step)
{
    struct table *table = flow->table;
    bool is_last = table->rules.knock_active_clear == KNOCK_ACTIVE_CLEAR_SWAP;

    switch (step) {
    case CLEAR_KNOCK1:
        if (knock_takeable(table) == 0)
            break_off(flow);
        else
            flow_ask(flow, QUESTION_TAKE, table->active);
        break;
    case CLEAR_SWAP:
        if (is_last)
            turn_discard_aside(flow);
        give_back(flow);
        break;
    case CLEAR_KNOCK2:
        if (is_last)
            turn_end(flow);
        else
            clear_begin(flow, CLEAR_END);
        break;
    default:
        turn_discard_aside(flow);
        turn_end(flow);
        break;
    }
}
