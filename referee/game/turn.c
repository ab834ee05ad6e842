/* The course of a turn and of a round: which seat is asked what, and what follows an answer. Each
 * function that carries out an answer ends by asking the next question, in whatever turn or round
 * that is. */

#include "game/game_private.h"

#include <string.h>

void turn_reveal(struct update *update, struct allegra_answer answer)
{
    struct allegra_table *table = update->table;
    unsigned cell = allegra_cell_lowest(answer.cells);
    unsigned seat = table->active;

    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_TURNED,
                                                 .seat = (uint8_t)seat,
                                                 .cell = (uint8_t)cell,
                                                 .card = deal_turn_up(table, seat, cell)});
    table->reveals_left--;
    if (table->reveals_left % 2 == 0)
        table->active = (uint8_t)allegra_table_left(table, seat);
    if (table->reveals_left > 0)
        update_ask(update, ALLEGRA_QUESTION_REVEAL, table->active);
    else
        turn_begin(update, table->active);
}

void turn_begin(struct update *update, unsigned seat)
{
    struct allegra_table *table = update->table;

    table->active = (uint8_t)seat;
    table->turn++;
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_TURN,
                                                 .seat = (uint8_t)seat,
                                                 .number = table->turn});
    if (table->rules.standing == ALLEGRA_STANDING_TURN_START)
        clear_begin(update, ALLEGRA_CLEAR_START);
    else
        update_ask(update, ALLEGRA_QUESTION_DRAW, seat);
}

static void draw_from_pile(struct update *update)
{
    struct allegra_table *table = update->table;
    unsigned eligible;

    table->drawn = deal_draw(update);
    table->is_from_discard = false;
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_DREW_PILE,
                                                 .seat = table->active,
                                                 .card = table->drawn});
    eligible = allegra_knock_eligible(table);
    if (eligible != 0)
        knock_open(update, eligible);
    else
        turn_ask_move(update);
}

static void draw_from_discard(struct update *update)
{
    struct allegra_table *table = update->table;

    table->drawn = allegra_table_discarded(table, --table->discard_count);
    table->is_from_discard = true;
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_DREW_DISCARD,
                                                 .seat = table->active,
                                                 .card = table->drawn});
    turn_ask_move(update);
}

void turn_draw(struct update *update, struct allegra_answer answer)
{
    struct allegra_table *table = update->table;

    if (answer.verb == ALLEGRA_VERB_DISCARD) {
        draw_from_discard(update);
    } else if (table->draw_count == 0 && table->rules.reshuffle == ALLEGRA_RESHUFFLE_END_ROUND) {
        update_report(
            update, (struct allegra_event){.kind = ALLEGRA_EVENT_EXHAUSTED, .seat = table->active});
        score_round(update);
    } else {
        draw_from_pile(update);
    }
}

void turn_ask_move(struct update *update)
{
    update_ask(update, ALLEGRA_QUESTION_MOVE, update->table->active);
}

static void keep(struct update *update, unsigned cell)
{
    struct allegra_table *table = update->table;

    table->aside = deal_lay(table, table->active, cell, table->drawn);
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_KEPT,
                                                 .seat = table->active,
                                                 .cell = (uint8_t)cell,
                                                 .card = table->drawn,
                                                 .old = table->aside});
}

static void drop(struct update *update, unsigned cell)
{
    struct allegra_table *table = update->table;
    unsigned seat = table->active;

    deal_discard(table, table->drawn);
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_DROPPED,
                                                 .seat = (uint8_t)seat,
                                                 .card = table->drawn});
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_TURNED,
                                                 .seat = (uint8_t)seat,
                                                 .cell = (uint8_t)cell,
                                                 .card = deal_turn_up(table, seat, cell)});
}

void turn_move(struct update *update, struct allegra_answer answer)
{
    struct allegra_table *table = update->table;
    unsigned cell = allegra_cell_lowest(answer.cells);

    if (answer.verb == ALLEGRA_VERB_KEEP)
        keep(update, cell);
    else
        drop(update, cell);
    table->drawn = ALLEGRA_CARD_NONE;
    deal_note_completed(table);
    clear_begin(update, ALLEGRA_CLEAR_MOVE);
}

void turn_discard_aside(struct update *update)
{
    struct allegra_table *table = update->table;

    if (table->aside == ALLEGRA_CARD_NONE)
        return;
    deal_discard(table, table->aside);
    update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_DISCARDED,
                                                 .seat = table->active,
                                                 .card = table->aside});
    table->aside = ALLEGRA_CARD_NONE;
}

void turn_after_clear(struct update *update, enum allegra_clear_step step)
{
    if (step == ALLEGRA_CLEAR_START) {
        update_ask(update, ALLEGRA_QUESTION_DRAW, update->table->active);
        return;
    }
    turn_discard_aside(update);
    turn_end(update);
}

/* The next place of the final round whose player is not complete, or the end of the round. */
static void next_of_final(struct update *update, unsigned seat)
{
    struct allegra_table *table = update->table;

    while (table->final_left > 0) {
        seat = allegra_table_left(table, seat);
        table->final_left--;
        if (table->down[seat] != 0) {
            turn_begin(update, seat);
            return;
        }
    }
    score_round(update);
}

static void begin_final(struct update *update)
{
    struct allegra_table *table = update->table;

    table->trigger = table->first_completed;
    table->final_left = table->seats;
    table->first_completed = ALLEGRA_SEAT_NONE;
    update_report(update,
                  (struct allegra_event){.kind = ALLEGRA_EVENT_FINAL, .seat = table->trigger});
}

static void forget_turn(struct allegra_table *table)
{
    table->is_from_discard = false;
    table->bid_round = 0;
    table->bidders = 0;
    table->knockers = 0;
    memset(table->offer, 0, sizeof table->offer);
    table->knocker = ALLEGRA_SEAT_NONE;
    table->placed = 0;
}

void turn_end(struct update *update)
{
    struct allegra_table *table = update->table;
    unsigned seat = table->active;

    forget_turn(table);
    if (table->trigger != ALLEGRA_SEAT_NONE) {
        table->final_moved |= (uint8_t)(1U << seat);
        next_of_final(update, seat);
    } else if (table->first_completed != ALLEGRA_SEAT_NONE) {
        begin_final(update);
        next_of_final(update, seat);
    } else if (table->turn >= table->seats * table->rules.turn_limit) {
        update_report(update,
                      (struct allegra_event){.kind = ALLEGRA_EVENT_LIMIT, .number = table->turn});
        score_round(update);
    } else {
        turn_begin(update, allegra_table_left(table, seat));
    }
}
