#ifndef REFEREE_GAME_FLOW_H
#define REFEREE_GAME_FLOW_H

/* How the parts of the game hand over to each other while one answer is applied. Internal to the
 * room: users of the library need table.h and legal.h.
 *
 *   deal    a round begins; draw, discard, reshuffle
 *   turn    reveal, draw, move; whose turn is next
 *   knock   bidding and the accepted knock
 *   clear   triples and the clear steps
 *   score   the end of a round and of the match */

#include "game/table.h"

/* One application of an answer: the table, and what was lent for it. */
struct flow {
    struct table *table;
    const struct shuffler *shuffler;
    struct events *events; /* or NULL */
};

static inline void flow_tell(struct flow *flow, struct event event)
{
    if (flow->events != NULL)
        flow->events->list[flow->events->count++] = event;
}

static inline void flow_ask(struct flow *flow, enum question question, unsigned seat)
{
    flow->table->question = (uint8_t)question;
    flow->table->asked = (uint8_t)(1U << seat);
}

/* deal.c */

/* A table on which nothing has happened yet: nobody holds anything. */
void deal_set_rest(struct table *table);
void deal_round(struct flow *flow);
bool deal_can_draw(const struct table *table);
int8_t deal_draw(struct flow *flow);
void deal_discard(struct table *table, int card);

/* Lays `card` up into a cell of `seat`, which is no gap, and returns what was there. */
int8_t deal_lay(struct table *table, unsigned seat, unsigned cell, int card);

/* Turns a down cell up and returns its card. */
int8_t deal_turn_up(struct table *table, unsigned seat, unsigned cell);

/* Puts the card of a cell on the discard pile and leaves a gap. */
void deal_clear_cell(struct table *table, unsigned seat, unsigned cell);

/* Takes note of who has no down cell left. To be called after each step that can change it. */
void deal_note_completed(struct table *table);

/* turn.c */
void turn_reveal(struct flow *flow, struct answer answer);
void turn_draw(struct flow *flow, struct answer answer);
void turn_ask_move(struct flow *flow);
void turn_move(struct flow *flow, struct answer answer);
void turn_begin(struct flow *flow, unsigned seat);
void turn_end(struct flow *flow);
void turn_after_clear(struct flow *flow, enum clear_step step);
void turn_discard_aside(struct flow *flow);

/* knock.c */
void knock_open(struct flow *flow, unsigned eligible);
void knock_bid(struct flow *flow, unsigned seat, struct answer answer);
void knock_answer(struct flow *flow, struct answer answer);
void knock_place(struct flow *flow, struct answer answer);
void knock_take(struct flow *flow, struct answer answer);
void knock_put(struct flow *flow, struct answer answer);
void knock_after_clear(struct flow *flow, enum clear_step step);

/* clear.c */
void clear_begin(struct flow *flow, enum clear_step step);
void clear_answer(struct flow *flow, struct answer answer);

/* score.c */
void score_round(struct flow *flow);

#endif
