/* The end of a round: everything is turned up, added, and put to the account; then the next round
 * begins or the match is over. Scores are counted in half points, because a failed trigger's
 * negative score can be halved. */

#include "game/flow.h"
#include "game/score.h"

int table_raw_score(const struct table *table, unsigned seat)
{
    int sum = 0;

    if (table->present[seat] == 0)
        return SCORE_EMPTY;
    for (uint16_t rest = table->present[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
        int card = table_card(table, seat, cell_of(rest));

        sum += card == CARD_NONE ? 0 : card;
    }
    return sum;
}

void score_write(struct text *text, long halves)
{
    if (halves == -1)
        text_add_char(text, '-');
    text_add_number(text, halves / 2);
    if (halves % 2 != 0)
        text_add(text, ".5");
}

int score_halves(const struct rules *rules, int raw, bool has_failed)
{
    if (!has_failed || raw == 0)
        return 2 * raw;
    if (raw > 0)
        return 4 * raw;
    return rules->failed_negative == FAILED_NEGATIVE_HALVE ? raw : 2 * raw;
}

bool score_has_failed(const int *raw, unsigned seats, unsigned trigger)
{
    for (unsigned seat = 0; seat < seats; seat++) {
        if (seat != trigger && raw[seat] <= raw[trigger])
            return true;
    }
    return false;
}

static void show_all(struct flow *flow)
{
    struct table *table = flow->table;

    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (uint16_t rest = table->down[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
            unsigned cell = cell_of(rest);

            flow_tell(flow, (struct event){.kind = EVENT_SHOWN,
                                           .seat = (uint8_t)seat,
                                           .cell = (uint8_t)cell,
                                           .card = deal_turn_up(table, seat, cell)});
        }
    }
}

static void add_scores(struct flow *flow)
{
    struct table *table = flow->table;
    int raw[RULES_SEATS_MAX];
    bool has_failed;

    for (unsigned seat = 0; seat < table->seats; seat++)
        raw[seat] = table_raw_score(table, seat);
    has_failed = table->trigger != SEAT_NONE && score_has_failed(raw, table->seats, table->trigger);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        int halves = score_halves(&table->rules, raw[seat], has_failed && seat == table->trigger);

        table->total_halves[seat] += halves;
        flow_tell(flow, (struct event){.kind = EVENT_SCORED,
                                       .seat = (uint8_t)seat,
                                       .number = raw[seat],
                                       .score_halves = halves,
                                       .total_halves = table->total_halves[seat]});
    }
}

static bool is_last_round(const struct table *table)
{
    if (table->rules.score_limit == 0)
        return table->round >= table->rules.rounds;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (table->total_halves[seat] >= 2 * table->rules.score_limit)
            return true;
    }
    return table->round >= SCORE_ROUNDS_MAX;
}

void score_round(struct flow *flow)
{
    struct table *table = flow->table;

    show_all(flow);
    add_scores(flow);
    if (is_last_round(table)) {
        table->question = QUESTION_NONE;
        table->asked = 0;
        flow_tell(flow, (struct event){.kind = EVENT_OVER});
        return;
    }
    table->round++;
    table->dealer = (uint8_t)table_left(table, table->dealer);
    deal_round(flow);
}

unsigned score_winners(const struct table *table)
{
    unsigned winners = 0;
    int32_t least = table->total_halves[0];

    for (unsigned seat = 1; seat < table->seats; seat++) {
        if (table->total_halves[seat] < least)
            least = table->total_halves[seat];
    }
    for (unsigned seat = 0; seat < table->seats; seat++)
        winners |= (unsigned)(table->total_halves[seat] == least) << seat;
    return winners;
}
