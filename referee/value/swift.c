/* One function per question; those around a knock are in swift_knock.c. */

#include "value/swift.h"

static struct allegra_answer answer_reveal(struct glance *glance, const struct allegra_table *table,
                                           unsigned seat)
{
    const struct outlook *outlook = glance_at(glance, table, seat);
    unsigned best = allegra_cell_lowest(table->down[seat]);

    for (uint16_t rest = table->down[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
        if (outlook->turn[allegra_cell_lowest(rest)] < outlook->turn[best])
            best = allegra_cell_lowest(rest);
    }
    return swift_say(ALLEGRA_VERB_TURN, best);
}

static bool can_draw(const struct allegra_table *table)
{
    return table->draw_count > 0 || table->discard_count > 1 ||
           table->rules.reshuffle == ALLEGRA_RESHUFFLE_END_ROUND;
}

static struct allegra_answer answer_draw(struct glance *glance, const struct allegra_table *table,
                                         unsigned seat)
{
    const struct outlook *outlook;
    unsigned top = swift_index(allegra_table_discarded(table, table->discard_count - 1U));
    int pile;

    if (!can_draw(table))
        return (struct allegra_answer){.verb = ALLEGRA_VERB_DISCARD};
    outlook = glance_ahead(glance, table, seat);
    pile = glance_pile_cost(glance, outlook, outlook->best_turn);
    return (struct allegra_answer){.verb = outlook->best_lay[top] < pile ? ALLEGRA_VERB_DISCARD
                                                                         : ALLEGRA_VERB_PILE};
}

/* What it costs that the next player gets a card. */
static int leave_cost(const struct outlook *next, unsigned card)
{
    int gain = estimate_higher(-next->own_lay[card] - ESTIMATE_USUAL_GAIN, 0);

    return estimate_share(gain, ESTIMATE_DISCARD_SHARE);
}

static struct allegra_answer answer_move(struct glance *glance, const struct allegra_table *table,
                                         unsigned seat)
{
    const struct outlook *next = glance_at(glance, table, allegra_table_left(table, seat));
    const struct outlook *outlook = glance_ahead(glance, table, seat);
    unsigned drawn = swift_index(table->drawn);
    bool can_drop = !table->is_from_discard || table->rules.discard_return;
    struct allegra_answer answer = {.verb = ALLEGRA_VERB_KEEP};
    int best = ESTIMATE_NEVER;
    int left = leave_cost(next, drawn);

    for (uint16_t rest = table->present[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
        unsigned cell = allegra_cell_lowest(rest);
        int keep = outlook->lay[cell][drawn];

        if (keep >= best)
            continue;
        if (!(table->down[seat] >> cell & 1))
            keep += leave_cost(next, table->codes[seat] >> 4 * cell & 15U);
        if (keep < best) {
            best = keep;
            answer = swift_say(ALLEGRA_VERB_KEEP, cell);
        }
    }
    for (uint16_t rest = can_drop ? table->down[seat] : 0; rest != 0;
         rest &= (uint16_t)(rest - 1)) {
        unsigned cell = allegra_cell_lowest(rest);

        if (outlook->turn[cell] + left < best) {
            best = outlook->turn[cell] + left;
            answer = swift_say(ALLEGRA_VERB_DROP, cell);
        }
    }
    return answer;
}

/* Of several triples the highest; low ones only if they must be. */
static struct allegra_answer answer_clear(struct glance *glance, const struct allegra_table *table,
                                          unsigned seat)
{
    struct allegra_triples triples;
    bool has_must = allegra_clear_choices(table, &triples);
    struct allegra_answer answer = {.verb = ALLEGRA_VERB_NONE};
    int most = has_must ? ALLEGRA_CARD_MIN - 1 : 0;

    (void)glance;
    for (unsigned i = 0; i < triples.count; i++) {
        int card = allegra_table_card(table, seat, allegra_cell_lowest(triples.list[i]));

        if (card > most) {
            most = card;
            answer = (struct allegra_answer){.verb = ALLEGRA_VERB_CLEAR, .cells = triples.list[i]};
        }
    }
    return answer;
}

typedef struct allegra_answer swift_fn(struct glance *glance, const struct allegra_table *table,
                                       unsigned seat);

static swift_fn *const answers[ALLEGRA_QUESTION_COUNT] = {
    [ALLEGRA_QUESTION_REVEAL] = answer_reveal, [ALLEGRA_QUESTION_DRAW] = answer_draw,
    [ALLEGRA_QUESTION_KNOCK] = swift_knock,    [ALLEGRA_QUESTION_ANSWER] = swift_answer,
    [ALLEGRA_QUESTION_MOVE] = answer_move,     [ALLEGRA_QUESTION_PLACE] = swift_place,
    [ALLEGRA_QUESTION_TAKE] = swift_take,      [ALLEGRA_QUESTION_PUT] = swift_put,
    [ALLEGRA_QUESTION_CLEAR] = answer_clear,
};

struct allegra_answer swift_choose(struct glance *glance, const struct allegra_table *table,
                                   unsigned seat)
{
    glance_keep_up(glance, table);
    return answers[table->question](glance, table, seat);
}

void swift_play_round(struct allegra_table *table, const struct allegra_shuffler *shuffler)
{
    unsigned round = table->round;
    struct glance glance;

    glance_start(&glance, table);
    while (!allegra_table_is_over(table) && table->round == round) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(table));
        struct allegra_answer answer = swift_choose(&glance, table, seat);

        /* Never refused; but a bot that thought for ever would lose more than one guess. */
        if (allegra_table_apply(table, seat, answer, shuffler, NULL) != ALLEGRA_REFUSAL_NONE)
            return;
    }
}
