/* Applying an answer: is it legal, and if not, why? If it is, the one function that carries it out
 * gets it; that function ends by asking the next question, so between two calls the table always
 * waits for somebody, or the match is over.
 *
 * The list in legal.c says what is legal in another way; the tests hold the two against each other. */

#include "game/clear.h"
#include "game/flow.h"
#include "game/knock.h"

/* What an answer can be beside its verb. */
struct shape {
    uint8_t question;
    uint8_t most_seat;
    uint16_t most_cells; /* CELL_ALL or none */
};

static const struct shape shapes[VERB_COUNT] = {
    [VERB_TURN] = {QUESTION_REVEAL, 0, CELL_ALL},
    [VERB_PILE] = {QUESTION_DRAW, 0, 0},
    [VERB_DISCARD] = {QUESTION_DRAW, 0, 0},
    [VERB_PASS] = {QUESTION_KNOCK, 0, 0},
    [VERB_KNOCK] = {QUESTION_KNOCK, 0, CELL_ALL},
    [VERB_ACCEPT] = {QUESTION_ANSWER, RULES_SEATS_MAX - 1, 0},
    [VERB_DECLINE] = {QUESTION_ANSWER, 0, 0},
    [VERB_AGAIN] = {QUESTION_ANSWER, 0, 0},
    [VERB_KEEP] = {QUESTION_MOVE, 0, CELL_ALL},
    [VERB_DROP] = {QUESTION_MOVE, 0, CELL_ALL},
    [VERB_PLACE] = {QUESTION_PLACE, 0, CELL_ALL},
    [VERB_TAKE] = {QUESTION_TAKE, RULES_SEATS_MAX - 1, CELL_ALL},
    [VERB_PUT] = {QUESTION_PUT, 0, CELL_ALL},
    [VERB_TOSS] = {QUESTION_PUT, 0, 0},
    [VERB_CLEAR] = {QUESTION_CLEAR, 0, CELL_ALL},
    [VERB_NONE] = {QUESTION_CLEAR, 0, 0},
};

/* One cell that is no gap. */
static enum refusal judge_own_cell(const struct table *table, unsigned seat, struct answer answer)
{
    if (!cell_is_single(answer.cells))
        return REFUSAL_MALFORMED;
    return answer.cells & table->present[seat] ? REFUSAL_NONE : REFUSAL_GAP;
}

static enum refusal judge_down_cell(const struct table *table, unsigned seat, struct answer answer)
{
    enum refusal refusal = judge_own_cell(table, seat, answer);

    if (refusal != REFUSAL_NONE)
        return refusal;
    return answer.cells & table->down[seat] ? REFUSAL_NONE : REFUSAL_NOT_DOWN;
}

static enum refusal judge_draw(const struct table *table, struct answer answer)
{
    return answer.verb == VERB_DISCARD || deal_can_draw(table) ? REFUSAL_NONE : REFUSAL_PILE_EMPTY;
}

static enum refusal judge_knock(const struct table *table, unsigned seat, struct answer answer)
{
    return answer.cells == 0 ? REFUSAL_NONE : judge_own_cell(table, seat, answer);
}

static enum refusal judge_move(const struct table *table, unsigned seat, struct answer answer)
{
    if (answer.verb == VERB_KEEP)
        return judge_own_cell(table, seat, answer);
    if (table->is_from_discard && !table->rules.discard_return)
        return REFUSAL_NO_RETURN;
    return judge_down_cell(table, seat, answer);
}

static enum refusal judge_answer(const struct table *table, struct answer answer)
{
    if (answer.verb == VERB_ACCEPT)
        return table->knockers >> answer.seat & 1 ? REFUSAL_NONE : REFUSAL_NO_KNOCK;
    if (answer.verb == VERB_AGAIN && table->bid_round >= table->rules.knock_rounds)
        return REFUSAL_NO_AGAIN;
    return REFUSAL_NONE;
}

static enum refusal judge_take(const struct table *table, struct answer answer)
{
    enum refusal refusal;

    if (answer.seat != table->knocker)
        return REFUSAL_OTHER_DISPLAY;
    refusal = judge_own_cell(table, table->knocker, answer);
    if (refusal != REFUSAL_NONE)
        return refusal;
    return answer.cells & knock_takeable(table) ? REFUSAL_NONE : REFUSAL_NO_OTHER_CELL;
}

static enum refusal judge_put(const struct table *table, unsigned seat, struct answer answer)
{
    enum refusal refusal;

    if (answer.verb == VERB_TOSS)
        return table->rules.knock_active_swap == FORCE_MAY ? REFUSAL_NONE : REFUSAL_NO_TOSS;
    refusal = judge_own_cell(table, seat, answer);
    if (refusal != REFUSAL_NONE)
        return refusal;
    return answer.cells & table_hole(table, seat) ? REFUSAL_HOLE : REFUSAL_NONE;
}

/* Rare, and kept out of the way: inlined it would burden the common questions. */
__attribute__((noinline)) static enum refusal judge_clear(const struct table *table,
                                                          struct answer answer)
{
    struct triples triples;
    bool has_must = clear_choices(table, &triples);

    if (answer.verb == VERB_NONE)
        return has_must ? REFUSAL_MUST_CLEAR : REFUSAL_NONE;
    if (cell_count(answer.cells) != 3)
        return REFUSAL_MALFORMED;
    for (unsigned i = 0; i < triples.count; i++) {
        if (triples.list[i] == answer.cells)
            return REFUSAL_NONE;
    }
    return REFUSAL_NO_TRIPLE;
}

/* What can be said without knowing the question's particulars. */
static enum refusal judge_shape(const struct table *table, unsigned seat, struct answer answer)
{
    if (seat >= table->seats || !(table->asked >> seat & 1))
        return REFUSAL_NOT_ASKED;
    if (answer.verb >= VERB_COUNT || shapes[answer.verb].question != table->question)
        return REFUSAL_OTHER_ANSWER;
    if (answer.seat > shapes[answer.verb].most_seat ||
        answer.cells > shapes[answer.verb].most_cells)
        return REFUSAL_MALFORMED;
    return REFUSAL_NONE;
}

/* One case a question: judge the answer and, if there is a flow, carry it out. */
__attribute__((always_inline)) static inline enum refusal
consider(const struct table *table, struct flow *flow, unsigned seat, struct answer answer)
{
    enum refusal refusal = judge_shape(table, seat, answer);

    if (refusal != REFUSAL_NONE)
        return refusal;
    switch ((enum question)table->question) {
    case QUESTION_REVEAL:
        refusal = judge_down_cell(table, seat, answer);
        if (refusal == REFUSAL_NONE && flow != NULL)
            turn_reveal(flow, answer);
        return refusal;
    case QUESTION_DRAW:
        refusal = judge_draw(table, answer);
        if (refusal == REFUSAL_NONE && flow != NULL)
            turn_draw(flow, answer);
        return refusal;
    case QUESTION_KNOCK:
        refusal = judge_knock(table, seat, answer);
        if (refusal == REFUSAL_NONE && flow != NULL)
            knock_bid(flow, seat, answer);
        return refusal;
    case QUESTION_ANSWER:
        refusal = judge_answer(table, answer);
        if (refusal == REFUSAL_NONE && flow != NULL)
            knock_answer(flow, answer);
        return refusal;
    case QUESTION_MOVE:
        refusal = judge_move(table, seat, answer);
        if (refusal == REFUSAL_NONE && flow != NULL)
            turn_move(flow, answer);
        return refusal;
    case QUESTION_PLACE:
        refusal = judge_own_cell(table, seat, answer);
        if (refusal == REFUSAL_NONE && flow != NULL)
            knock_place(flow, answer);
        return refusal;
    case QUESTION_TAKE:
        refusal = judge_take(table, answer);
        if (refusal == REFUSAL_NONE && flow != NULL)
            knock_take(flow, answer);
        return refusal;
    case QUESTION_PUT:
        refusal = judge_put(table, seat, answer);
        if (refusal == REFUSAL_NONE && flow != NULL)
            knock_put(flow, answer);
        return refusal;
    case QUESTION_CLEAR:
        refusal = judge_clear(table, answer);
        if (refusal == REFUSAL_NONE && flow != NULL)
            clear_answer(flow, answer);
        return refusal;
    case QUESTION_NONE:
    case QUESTION_COUNT:
        break;
    }
    return REFUSAL_NOT_ASKED;
}

enum refusal table_judge(const struct table *table, unsigned seat, struct answer answer)
{
    return consider(table, NULL, seat, answer);
}

enum refusal table_apply(struct table *table, unsigned seat, struct answer answer,
                         const struct shuffler *shuffler, struct events *events)
{
    struct flow flow = {table, shuffler, events};

    if (events != NULL)
        events->count = 0;
    return consider(table, &flow, seat, answer);
}
