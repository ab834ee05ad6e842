/* The course of a turn and of a round: who is asked what, and what an answer sets going. Each
 * function that carries out an answer ends by asking the next question, in whatever turn or round
 * that is. */

#include "game/clear.h"
#include "game/flow.h"
#include "game/knock.h"

#include <string.h>

void table_start(struct table *table, const struct rules *rules, unsigned seats, unsigned dealer,
                 const struct shuffler *shuffler, struct events *events)
{
    struct flow flow = {table, shuffler, events};

    deal_set_rest(table);
    table->rules = *rules;
    table->seats = (uint8_t)seats;
    table->dealer = (uint8_t)dealer;
    table->round = 1;
    deal_round(&flow);
}

uint16_t table_hole(const struct table *table, unsigned seat)
{
    unsigned owner = table->knocker;
    unsigned cell = table->hole;

    if (cell == CELL_NONE)
        return 0;
    if (owner == seat)
        return CELL_BIT(cell);
    table_twin(table, &owner, &cell);
    return owner == seat ? CELL_BIT(cell) : 0;
}

void turn_reveal(struct flow *flow, struct answer answer)
{
    struct table *table = flow->table;
    unsigned cell = cell_of(answer.cells);
    unsigned seat = table->active;

    flow_tell(flow, (struct event){.kind = EVENT_TURNED,
                                   .seat = (uint8_t)seat,
                                   .cell = (uint8_t)cell,
                                   .card = deal_turn_up(table, seat, cell)});
    table->reveals_left--;
    if (table->reveals_left % 2 == 0)
        table->active = (uint8_t)table_left(table, seat);
    if (table->reveals_left > 0)
        flow_ask(flow, QUESTION_REVEAL, table->active);
    else
        turn_begin(flow, table->active);
}

void turn_begin(struct flow *flow, unsigned seat)
{
    struct table *table = flow->table;

    table->active = (uint8_t)seat;
    table->turn++;
    flow_tell(flow,
              (struct event){.kind = EVENT_TURN, .seat = (uint8_t)seat, .number = table->turn});
    if (table->rules.standing == STANDING_TURN_START)
        clear_begin(flow, CLEAR_START);
    else
        flow_ask(flow, QUESTION_DRAW, seat);
}

static void draw_from_pile(struct flow *flow)
{
    struct table *table = flow->table;
    unsigned eligible;

    table->drawn = deal_draw(flow);
    table->is_from_discard = false;
    flow_tell(flow,
              (struct event){.kind = EVENT_DREW_PILE, .seat = table->active, .card = table->drawn});
    eligible = knock_eligible(table);
    if (eligible != 0)
        knock_open(flow, eligible);
    else
        turn_ask_move(flow);
}

static void draw_from_discard(struct flow *flow)
{
    struct table *table = flow->table;

    table->drawn = table_discarded(table, --table->discard_count);
    table->is_from_discard = true;
    flow_tell(flow, (struct event){
                        .kind = EVENT_DREW_DISCARD, .seat = table->active, .card = table->drawn});
    turn_ask_move(flow);
}

void turn_draw(struct flow *flow, struct answer answer)
{
    struct table *table = flow->table;

    if (answer.verb == VERB_DISCARD) {
        draw_from_discard(flow);
    } else if (table->draw_count == 0 && table->rules.reshuffle == RESHUFFLE_END_ROUND) {
        flow_tell(flow, (struct event){.kind = EVENT_EXHAUSTED, .seat = table->active});
        score_round(flow);
    } else {
        draw_from_pile(flow);
    }
}

void turn_ask_move(struct flow *flow)
{
    flow_ask(flow, QUESTION_MOVE, flow->table->active);
}

static void keep(struct flow *flow, unsigned cell)
{
    struct table *table = flow->table;

    table->aside = deal_lay(table, table->active, cell, table->drawn);
    flow_tell(flow, (struct event){.kind = EVENT_KEPT,
                                   .seat = table->active,
                                   .cell = (uint8_t)cell,
                                   .card = table->drawn,
                                   .old = table->aside});
}

static void drop(struct flow *flow, unsigned cell)
{
    struct table *table = flow->table;
    unsigned seat = table->active;

    deal_discard(table, table->drawn);
    flow_tell(flow,
              (struct event){.kind = EVENT_DROPPED, .seat = (uint8_t)seat, .card = table->drawn});
    flow_tell(flow, (struct event){.kind = EVENT_TURNED,
                                   .seat = (uint8_t)seat,
                                   .cell = (uint8_t)cell,
                                   .card = deal_turn_up(table, seat, cell)});
}

void turn_move(struct flow *flow, struct answer answer)
{
    struct table *table = flow->table;
    unsigned cell = cell_of(answer.cells);

    if (answer.verb == VERB_KEEP)
        keep(flow, cell);
    else
        drop(flow, cell);
    table->drawn = CARD_NONE;
    deal_note_completed(table);
    clear_begin(flow, CLEAR_MOVE);
}

void turn_discard_aside(struct flow *flow)
{
    struct table *table = flow->table;

    if (table->aside == CARD_NONE)
        return;
    deal_discard(table, table->aside);
    flow_tell(flow,
              (struct event){.kind = EVENT_DISCARDED, .seat = table->active, .card = table->aside});
    table->aside = CARD_NONE;
}

void turn_after_clear(struct flow *flow, enum clear_step step)
{
    if (step == CLEAR_START) {
        flow_ask(flow, QUESTION_DRAW, flow->table->active);
        return;
    }
    turn_discard_aside(flow);
    turn_end(flow);
}

/* The next place of the final round whose player is not complete, or the end of the round. */
static void next_of_final(struct flow *flow, unsigned seat)
{
    struct table *table = flow->table;

    while (table->final_left > 0) {
        seat = table_left(table, seat);
        table->final_left--;
        if (table->down[seat] != 0) {
            turn_begin(flow, seat);
            return;
        }
    }
    score_round(flow);
}

static void begin_final(struct flow *flow)
{
    struct table *table = flow->table;

    table->trigger = table->first_completed;
    table->final_left = table->seats;
    table->first_completed = SEAT_NONE;
    flow_tell(flow, (struct event){.kind = EVENT_FINAL, .seat = table->trigger});
}

static void forget_turn(struct table *table)
{
    table->is_from_discard = false;
    table->bid_round = 0;
    table->bidders = 0;
    table->knockers = 0;
    memset(table->offer, 0, sizeof table->offer);
    table->knocker = SEAT_NONE;
    table->placed = 0;
}

void turn_end(struct flow *flow)
{
    struct table *table = flow->table;
    unsigned seat = table->active;

    forget_turn(table);
    if (table->trigger != SEAT_NONE) {
        table->final_moved |= (uint8_t)(1U << seat);
        next_of_final(flow, seat);
    } else if (table->first_completed != SEAT_NONE) {
        begin_final(flow);
        next_of_final(flow, seat);
    } else if (table->turn >= table->seats * table->rules.turn_limit) {
        flow_tell(flow, (struct event){.kind = EVENT_LIMIT, .number = table->turn});
        score_round(flow);
    } else {
        turn_begin(flow, table_left(table, seat));
    }
}
