#ifndef REFEREE_GAME_GAME_PRIVATE_H
#define REFEREE_GAME_GAME_PRIVATE_H

/* How the parts of the game hand over to each other while one answer is applied. Internal to the
 * room.
 *
 *   deal    a round begins; draw, discard, reshuffle
 *   turn    reveal, draw, move; whose turn is next
 *   knock   bidding and the accepted knock
 *   clear   triples and the clear steps
 *   score   the end of a round and of the match */

#include "game/allegra.h"

/* One application of an answer: the table, and what it borrows. */
struct update {
    struct allegra_table *table;
    const struct allegra_shuffler *shuffler;
    struct allegra_events *events; /* or NULL */
};

static inline void update_report(struct update *update, struct allegra_event event)
{
    if (update->events != NULL && update->events->count < ALLEGRA_EVENTS_MAX)
        update->events->list[update->events->count++] = event;
}

static inline void update_ask(struct update *update, enum allegra_question question, unsigned seat)
{
    update->table->question = (uint8_t)question;
    update->table->asked = (uint8_t)(1U << seat);
}

/* deal.c */

/* A table on which nothing has happened yet: no seat holds anything. */
void deal_set_rest(struct allegra_table *table);
void deal_round(struct update *update);
bool deal_can_draw(const struct allegra_table *table);
int8_t deal_draw(struct update *update);
void deal_discard(struct allegra_table *table, int card);

/* Lays `card` up into a cell of `seat`, which is not a gap, and returns what was there. */
int8_t deal_lay(struct allegra_table *table, unsigned seat, unsigned cell, int card);

/* Turns a down cell up and returns its card. */
int8_t deal_turn_up(struct allegra_table *table, unsigned seat, unsigned cell);

/* Puts the card of a cell on the discard pile and leaves a gap. */
void deal_clear_cell(struct allegra_table *table, unsigned seat, unsigned cell);

/* Notes the seats that have no down cell left. To be called after each step that can change it. */
void deal_note_completed(struct allegra_table *table);

/* turn.c */
void turn_reveal(struct update *update, struct allegra_answer answer);
void turn_draw(struct update *update, struct allegra_answer answer);
void turn_ask_move(struct update *update);
void turn_move(struct update *update, struct allegra_answer answer);
void turn_begin(struct update *update, unsigned seat);
void turn_end(struct update *update);
void turn_after_clear(struct update *update, enum allegra_clear_step step);
void turn_discard_aside(struct update *update);

/* knock.c */
void knock_open(struct update *update, unsigned eligible);
void knock_bid(struct update *update, unsigned seat, struct allegra_answer answer);
void knock_answer(struct update *update, struct allegra_answer answer);
void knock_place(struct update *update, struct allegra_answer answer);
void knock_take(struct update *update, struct allegra_answer answer);
void knock_put(struct update *update, struct allegra_answer answer);
void knock_after_clear(struct update *update, enum allegra_clear_step step);

/* With so few cards a seat may not knock any more. */
#define KNOCK_TOO_FEW_CARDS 3

/* clear.c */

/* The seat whose clear step is going on. */
unsigned clear_seat(const struct allegra_table *table);
void clear_begin(struct update *update, enum allegra_clear_step step);
void clear_answer(struct update *update, struct allegra_answer answer);

/* score.c */

/* The most rounds that a match with a score limit can have. */
#define SCORE_ROUNDS_MAX 100

/* Whether the trigger failed: another seat has as few points, or fewer. */
bool score_has_failed(const int *raw, unsigned seats, unsigned trigger);

/* What `raw` points count, in half points. */
int score_halves(const struct allegra_rules *rules, int raw, bool has_failed);

void score_round(struct update *update);

#endif
