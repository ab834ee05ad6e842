/* One function a question; those around a knock are in swift_knock.c. */

#include "strong/swift.h"

#include "greedy/plan.h"

static struct answer answer_reveal(struct glance *glance, const struct table *table, unsigned seat)
{
    const struct outlook *outlook = glance_at(glance, table, seat);
    unsigned best = cell_of(table->down[seat]);

    for (uint16_t rest = table->down[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
        if (outlook->turn[cell_of(rest)] < outlook->turn[best])
            best = cell_of(rest);
    }
    return swift_say(VERB_TURN, best);
}

static bool can_draw(const struct table *table)
{
    return table->draw_count > 0 || table->discard_count > 1 ||
           table->rules.reshuffle == RESHUFFLE_END_ROUND;
}

static struct answer answer_draw(struct glance *glance, const struct table *table, unsigned seat)
{
    const struct outlook *outlook;
    unsigned top = swift_index(table_discarded(table, table->discard_count - 1U));
    int pile = 0;
    bool is_discard;

    if (!can_draw(table))
        return (struct answer){.verb = VERB_DISCARD};
    outlook = glance_ahead(glance, table, seat);
    for (unsigned card = 0; card < CARD_VALUES; card++)
        pile += glance->odds.weight[card] * hope_lower(outlook->best_turn, outlook->best_lay[card]);
    is_discard = outlook->best_lay[top] < pile / CERTAIN;
    return (struct answer){.verb = is_discard ? VERB_DISCARD : VERB_PILE};
}

/* What it costs that the next player gets a card. */
static int leave_cost(const struct outlook *next, unsigned card)
{
    int gain = hope_higher(-next->best_lay[card] - PLAN_USUAL_GAIN, 0);

    return hope_share(gain, PLAN_DISCARD_SHARE);
}

static struct answer answer_move(struct glance *glance, const struct table *table, unsigned seat)
{
    const struct outlook *next = glance_at(glance, table, table_left(table, seat));
    const struct outlook *outlook = glance_ahead(glance, table, seat);
    unsigned drawn = swift_index(table->drawn);
    bool can_drop = !table->is_from_discard || table->rules.discard_return;
    struct answer answer = {.verb = VERB_KEEP};
    int best = PLAN_NEVER;
    int left = leave_cost(next, drawn);

    for (uint16_t rest = table->present[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
        unsigned cell = cell_of(rest);
        bool is_down = table->down[seat] >> cell & 1;
        int keep = outlook->lay[cell][drawn];

        if (is_down && can_drop && outlook->turn[cell] + left < best) {
            best = outlook->turn[cell] + left;
            answer = swift_say(VERB_DROP, cell);
        }
        if (keep >= best)
            continue;
        if (!is_down)
            keep += leave_cost(next, table->codes[seat] >> 4 * cell & 15U);
        if (keep < best) {
            best = keep;
            answer = swift_say(VERB_KEEP, cell);
        }
    }
    return answer;
}

/* Of several triples the highest; low ones only if they must be. */
static struct answer answer_clear(struct glance *glance, const struct table *table, unsigned seat)
{
    struct triples triples;
    bool has_must = clear_choices(table, &triples);
    struct answer answer = {.verb = VERB_NONE};
    int most = has_must ? CARD_LEAST - 1 : 0;

    (void)glance;
    for (unsigned i = 0; i < triples.count; i++) {
        int card = table_card(table, seat, cell_of(triples.list[i]));

        if (card > most) {
            most = card;
            answer = (struct answer){.verb = VERB_CLEAR, .cells = triples.list[i]};
        }
    }
    return answer;
}

typedef struct answer swift_fn(struct glance *glance, const struct table *table, unsigned seat);

static swift_fn *const answers[QUESTION_COUNT] = {
    [QUESTION_REVEAL] = answer_reveal, [QUESTION_DRAW] = answer_draw,
    [QUESTION_KNOCK] = swift_knock,    [QUESTION_ANSWER] = swift_answer,
    [QUESTION_MOVE] = answer_move,     [QUESTION_PLACE] = swift_place,
    [QUESTION_TAKE] = swift_take,      [QUESTION_PUT] = swift_put,
    [QUESTION_CLEAR] = answer_clear,
};

struct answer swift_choose(struct glance *glance, const struct table *table, unsigned seat)
{
    glance_keep_up(glance, table);
    return answers[table->question](glance, table, seat);
}

void swift_play_round(struct table *table, const struct shuffler *shuffler)
{
    unsigned round = table->round;
    struct glance glance;

    glance_start(&glance, table);
    while (!table_is_over(table) && table->round == round) {
        unsigned seat = (unsigned)__builtin_ctz(table_asked(table));
        struct answer answer = swift_choose(&glance, table, seat);

        /* Never refused; but a bot that thought for ever would lose more than one guess. */
        if (table_apply(table, seat, answer, shuffler, NULL) != REFUSAL_NONE)
            return;
    }
}
