/* The end of a round: everything is turned up, added, and put to the account; then the next round
 * begins or the match is over. Scores are counted in half points, because a failed trigger's
 * negative score can be halved. */

#include "game/game_private.h"
#include "game/game_text.h"

int allegra_table_raw_score(const struct allegra_table *table, unsigned seat)
{
    int sum = 0;

    if (seat >= table->seats)
        return 0;
    if (table->present[seat] == 0)
        return ALLEGRA_SCORE_EMPTY;
    for (uint16_t rest = table->present[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
        int card = allegra_table_card(table, seat, allegra_cell_lowest(rest));

        sum += card == ALLEGRA_CARD_NONE ? 0 : card;
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

int score_halves(const struct allegra_rules *rules, int raw, bool has_failed)
{
    if (!has_failed || raw == 0)
        return 2 * raw;
    if (raw > 0)
        return 4 * raw;
    return rules->failed_negative == ALLEGRA_FAILED_NEGATIVE_HALVE ? raw : 2 * raw;
}

bool score_has_failed(const int *raw, unsigned seats, unsigned trigger)
{
    for (unsigned seat = 0; seat < seats; seat++) {
        if (seat != trigger && raw[seat] <= raw[trigger])
            return true;
    }
    return false;
}

static void show_all(struct update *update)
{
    struct allegra_table *table = update->table;

    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (uint16_t rest = table->down[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
            unsigned cell = allegra_cell_lowest(rest);

            update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_SHOWN,
                                                         .seat = (uint8_t)seat,
                                                         .cell = (uint8_t)cell,
                                                         .card = deal_turn_up(table, seat, cell)});
        }
    }
}

static void add_scores(struct update *update)
{
    struct allegra_table *table = update->table;
    int raw[ALLEGRA_SEATS_MAX];
    bool has_failed;

    for (unsigned seat = 0; seat < table->seats; seat++)
        raw[seat] = allegra_table_raw_score(table, seat);
    has_failed =
        table->trigger != ALLEGRA_SEAT_NONE && score_has_failed(raw, table->seats, table->trigger);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        int halves = score_halves(&table->rules, raw[seat], has_failed && seat == table->trigger);

        table->total_halves[seat] += halves;
        update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_SCORED,
                                                     .seat = (uint8_t)seat,
                                                     .number = raw[seat],
                                                     .score_halves = halves,
                                                     .total_halves = table->total_halves[seat]});
    }
}

static bool is_last_round(const struct allegra_table *table)
{
    if (table->rules.score_limit == 0)
        return table->round >= table->rules.rounds;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (table->total_halves[seat] >= 2 * table->rules.score_limit)
            return true;
    }
    return table->round >= SCORE_ROUNDS_MAX;
}

void score_round(struct update *update)
{
    struct allegra_table *table = update->table;

    show_all(update);
    add_scores(update);
    if (is_last_round(table)) {
        table->question = ALLEGRA_QUESTION_NONE;
        table->asked = 0;
        update_report(update, (struct allegra_event){.kind = ALLEGRA_EVENT_OVER});
        return;
    }
    table->round++;
    table->dealer = (uint8_t)allegra_table_left(table, table->dealer);
    deal_round(update);
}

unsigned allegra_table_winners(const struct allegra_table *table)
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
