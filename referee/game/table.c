/* Applying an answer: is it legal, and if not, why? If it is, the one function that carries it out
 * gets it; that function ends by asking the next question, so between two calls the table always
 * waits for a seat, or the match is over.
 *
 * The list in legal.c says what is legal in another way; the tests hold the two against each
 * other. */

#include "game/game_private.h"
#include "game/rules.h"

int allegra_table_start(struct allegra_table *table, const struct allegra_rules *rules,
                        unsigned seats, unsigned dealer, const struct allegra_shuffler *shuffler,
                        struct allegra_events *events)
{
    struct update update = {table, shuffler, events};
    char sentence[200];
    struct text problem;

    if (events != NULL)
        events->count = 0;
    deal_set_rest(table);
    text_start(&problem, sentence, sizeof sentence);
    if (rules_check(rules, seats, &problem) != 0 || dealer >= seats)
        return -1;
    table->rules = *rules;
    table->seats = (uint8_t)seats;
    table->dealer = (uint8_t)dealer;
    table->round = 1;
    deal_round(&update);
    return 0;
}

/* What an answer can be beside its verb. */
struct shape {
    uint8_t question;
    uint8_t most_seat;
    uint16_t most_cells; /* ALLEGRA_CELL_ALL or none */
};

static const struct shape shapes[ALLEGRA_VERB_COUNT] = {
    [ALLEGRA_VERB_TURN] = {ALLEGRA_QUESTION_REVEAL, 0, ALLEGRA_CELL_ALL},
    [ALLEGRA_VERB_PILE] = {ALLEGRA_QUESTION_DRAW, 0, 0},
    [ALLEGRA_VERB_DISCARD] = {ALLEGRA_QUESTION_DRAW, 0, 0},
    [ALLEGRA_VERB_PASS] = {ALLEGRA_QUESTION_KNOCK, 0, 0},
    [ALLEGRA_VERB_KNOCK] = {ALLEGRA_QUESTION_KNOCK, 0, ALLEGRA_CELL_ALL},
    [ALLEGRA_VERB_ACCEPT] = {ALLEGRA_QUESTION_ANSWER, ALLEGRA_SEATS_MAX - 1, 0},
    [ALLEGRA_VERB_DECLINE] = {ALLEGRA_QUESTION_ANSWER, 0, 0},
    [ALLEGRA_VERB_AGAIN] = {ALLEGRA_QUESTION_ANSWER, 0, 0},
    [ALLEGRA_VERB_KEEP] = {ALLEGRA_QUESTION_MOVE, 0, ALLEGRA_CELL_ALL},
    [ALLEGRA_VERB_DROP] = {ALLEGRA_QUESTION_MOVE, 0, ALLEGRA_CELL_ALL},
    [ALLEGRA_VERB_PLACE] = {ALLEGRA_QUESTION_PLACE, 0, ALLEGRA_CELL_ALL},
    [ALLEGRA_VERB_TAKE] = {ALLEGRA_QUESTION_TAKE, ALLEGRA_SEATS_MAX - 1, ALLEGRA_CELL_ALL},
    [ALLEGRA_VERB_PUT] = {ALLEGRA_QUESTION_PUT, 0, ALLEGRA_CELL_ALL},
    [ALLEGRA_VERB_TOSS] = {ALLEGRA_QUESTION_PUT, 0, 0},
    [ALLEGRA_VERB_CLEAR] = {ALLEGRA_QUESTION_CLEAR, 0, ALLEGRA_CELL_ALL},
    [ALLEGRA_VERB_NONE] = {ALLEGRA_QUESTION_CLEAR, 0, 0},
};

/* One cell that is no gap. */
static enum allegra_refusal judge_own_cell(const struct allegra_table *table, unsigned seat,
                                           struct allegra_answer answer)
{
    if (!allegra_cell_is_single(answer.cells))
        return ALLEGRA_REFUSAL_MALFORMED;
    return answer.cells & table->present[seat] ? ALLEGRA_REFUSAL_NONE : ALLEGRA_REFUSAL_GAP;
}

static enum allegra_refusal judge_down_cell(const struct allegra_table *table, unsigned seat,
                                            struct allegra_answer answer)
{
    enum allegra_refusal refusal = judge_own_cell(table, seat, answer);

    if (refusal != ALLEGRA_REFUSAL_NONE)
        return refusal;
    return answer.cells & table->down[seat] ? ALLEGRA_REFUSAL_NONE : ALLEGRA_REFUSAL_NOT_DOWN;
}

static enum allegra_refusal judge_draw(const struct allegra_table *table,
                                       struct allegra_answer answer)
{
    return answer.verb == ALLEGRA_VERB_DISCARD || deal_can_draw(table) ? ALLEGRA_REFUSAL_NONE
                                                                       : ALLEGRA_REFUSAL_PILE_EMPTY;
}

static enum allegra_refusal judge_knock(const struct allegra_table *table, unsigned seat,
                                        struct allegra_answer answer)
{
    return answer.cells == 0 ? ALLEGRA_REFUSAL_NONE : judge_own_cell(table, seat, answer);
}

static enum allegra_refusal judge_move(const struct allegra_table *table, unsigned seat,
                                       struct allegra_answer answer)
{
    if (answer.verb == ALLEGRA_VERB_KEEP)
        return judge_own_cell(table, seat, answer);
    if (table->is_from_discard && !table->rules.discard_return)
        return ALLEGRA_REFUSAL_NO_RETURN;
    return judge_down_cell(table, seat, answer);
}

static enum allegra_refusal judge_answer(const struct allegra_table *table,
                                         struct allegra_answer answer)
{
    if (answer.verb == ALLEGRA_VERB_ACCEPT)
        return table->knockers >> answer.seat & 1 ? ALLEGRA_REFUSAL_NONE : ALLEGRA_REFUSAL_NO_KNOCK;
    if (answer.verb == ALLEGRA_VERB_AGAIN && table->bid_round >= table->rules.knock_rounds)
        return ALLEGRA_REFUSAL_NO_AGAIN;
    return ALLEGRA_REFUSAL_NONE;
}

static enum allegra_refusal judge_take(const struct allegra_table *table,
                                       struct allegra_answer answer)
{
    enum allegra_refusal refusal;

    if (answer.seat != table->knocker)
        return ALLEGRA_REFUSAL_OTHER_DISPLAY;
    refusal = judge_own_cell(table, table->knocker, answer);
    if (refusal != ALLEGRA_REFUSAL_NONE)
        return refusal;
    return answer.cells & allegra_knock_takeable(table) ? ALLEGRA_REFUSAL_NONE
                                                        : ALLEGRA_REFUSAL_NO_OTHER_CELL;
}

static enum allegra_refusal judge_put(const struct allegra_table *table, unsigned seat,
                                      struct allegra_answer answer)
{
    enum allegra_refusal refusal;

    if (answer.verb == ALLEGRA_VERB_TOSS)
        return table->rules.knock_active_swap == ALLEGRA_FORCE_MAY ? ALLEGRA_REFUSAL_NONE
                                                                   : ALLEGRA_REFUSAL_NO_TOSS;
    refusal = judge_own_cell(table, seat, answer);
    if (refusal != ALLEGRA_REFUSAL_NONE)
        return refusal;
    return answer.cells & allegra_table_hole(table, seat) ? ALLEGRA_REFUSAL_HOLE
                                                          : ALLEGRA_REFUSAL_NONE;
}

/* Rare, and kept out of the way: inlined it would burden the common questions. */
__attribute__((noinline)) static enum allegra_refusal judge_clear(const struct allegra_table *table,
                                                                  struct allegra_answer answer)
{
    struct allegra_triples triples;
    bool has_must = allegra_clear_choices(table, &triples);

    if (answer.verb == ALLEGRA_VERB_NONE)
        return has_must ? ALLEGRA_REFUSAL_MUST_CLEAR : ALLEGRA_REFUSAL_NONE;
    if (allegra_cell_count(answer.cells) != 3)
        return ALLEGRA_REFUSAL_MALFORMED;
    for (unsigned i = 0; i < triples.count; i++) {
        if (triples.list[i] == answer.cells)
            return ALLEGRA_REFUSAL_NONE;
    }
    return ALLEGRA_REFUSAL_NO_TRIPLE;
}

/* What can be said without knowing the question's particulars. */
static enum allegra_refusal judge_shape(const struct allegra_table *table, unsigned seat,
                                        struct allegra_answer answer)
{
    if (seat >= table->seats || !(table->asked >> seat & 1))
        return ALLEGRA_REFUSAL_NOT_ASKED;
    if (answer.verb >= ALLEGRA_VERB_COUNT || shapes[answer.verb].question != table->question)
        return ALLEGRA_REFUSAL_OTHER_ANSWER;
    if (answer.seat > shapes[answer.verb].most_seat ||
        answer.cells > shapes[answer.verb].most_cells)
        return ALLEGRA_REFUSAL_MALFORMED;
    return ALLEGRA_REFUSAL_NONE;
}

/* One case per question: judge the answer and, if there is an update, carry it out. */
__attribute__((always_inline)) static inline enum allegra_refusal
consider(const struct allegra_table *table, struct update *update, unsigned seat,
         struct allegra_answer answer)
{
    enum allegra_refusal refusal = judge_shape(table, seat, answer);

    if (refusal != ALLEGRA_REFUSAL_NONE)
        return refusal;
    switch ((enum allegra_question)table->question) {
    case ALLEGRA_QUESTION_REVEAL:
        refusal = judge_down_cell(table, seat, answer);
        if (refusal == ALLEGRA_REFUSAL_NONE && update != NULL)
            turn_reveal(update, answer);
        return refusal;
    case ALLEGRA_QUESTION_DRAW:
        refusal = judge_draw(table, answer);
        if (refusal == ALLEGRA_REFUSAL_NONE && update != NULL)
            turn_draw(update, answer);
        return refusal;
    case ALLEGRA_QUESTION_KNOCK:
        refusal = judge_knock(table, seat, answer);
        if (refusal == ALLEGRA_REFUSAL_NONE && update != NULL)
            knock_bid(update, seat, answer);
        return refusal;
    case ALLEGRA_QUESTION_ANSWER:
        refusal = judge_answer(table, answer);
        if (refusal == ALLEGRA_REFUSAL_NONE && update != NULL)
            knock_answer(update, answer);
        return refusal;
    case ALLEGRA_QUESTION_MOVE:
        refusal = judge_move(table, seat, answer);
        if (refusal == ALLEGRA_REFUSAL_NONE && update != NULL)
            turn_move(update, answer);
        return refusal;
    case ALLEGRA_QUESTION_PLACE:
        refusal = judge_own_cell(table, seat, answer);
        if (refusal == ALLEGRA_REFUSAL_NONE && update != NULL)
            knock_place(update, answer);
        return refusal;
    case ALLEGRA_QUESTION_TAKE:
        refusal = judge_take(table, answer);
        if (refusal == ALLEGRA_REFUSAL_NONE && update != NULL)
            knock_take(update, answer);
        return refusal;
    case ALLEGRA_QUESTION_PUT:
        refusal = judge_put(table, seat, answer);
        if (refusal == ALLEGRA_REFUSAL_NONE && update != NULL)
            knock_put(update, answer);
        return refusal;
    case ALLEGRA_QUESTION_CLEAR:
        refusal = judge_clear(table, answer);
        if (refusal == ALLEGRA_REFUSAL_NONE && update != NULL)
            clear_answer(update, answer);
        return refusal;
    case ALLEGRA_QUESTION_NONE:
    case ALLEGRA_QUESTION_COUNT:
        break;
    }
    return ALLEGRA_REFUSAL_NOT_ASKED;
}

enum allegra_refusal allegra_table_judge(const struct allegra_table *table, unsigned seat,
                                         struct allegra_answer answer)
{
    return consider(table, NULL, seat, answer);
}

enum allegra_refusal allegra_table_apply(struct allegra_table *table, unsigned seat,
                                         struct allegra_answer answer,
                                         const struct allegra_shuffler *shuffler,
                                         struct allegra_events *events)
{
    struct update update = {table, shuffler, events};

    if (events != NULL)
        events->count = 0;
    return consider(table, &update, seat, answer);
}

uint16_t allegra_table_hole(const struct allegra_table *table, unsigned seat)
{
    unsigned owner = table->knocker;
    unsigned cell = table->hole;

    if (cell == ALLEGRA_CELL_NONE)
        return 0;
    if (owner == seat)
        return ALLEGRA_CELL_BIT(cell);
    allegra_table_twin(table, &owner, &cell);
    return owner == seat ? ALLEGRA_CELL_BIT(cell) : 0;
}
