/* The questions around a knock: greedy's reasons for them are in greedy/policy.c. */

#include "value/swift.h"

#include "value/offer.h"

static int lowest_card(const struct allegra_table *table, unsigned seat, uint16_t apart)
{
    int lowest = ALLEGRA_CARD_MAX;

    for (uint16_t rest = allegra_table_up(table, seat) & (uint16_t)~apart; rest != 0;
         rest &= (uint16_t)(rest - 1))
        lowest = estimate_lower(lowest, allegra_table_card(table, seat, allegra_cell_lowest(rest)));
    return lowest;
}

/* Knocks if the drawn card makes a triple, and only then. */
struct allegra_answer swift_knock(struct glance *glance, const struct allegra_table *table,
                                  unsigned seat)
{
    uint16_t like = offer_like(table, seat, table->drawn);
    struct allegra_answer answer = {.verb = ALLEGRA_VERB_PASS};
    int gift = ESTIMATE_USUAL_GAIN / ((int)table->seats - 1);
    int best = 0;

    if (like == 0 || allegra_cell_is_single(like))
        return answer;
    for (uint16_t rest = table->present[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
        unsigned cell = allegra_cell_lowest(rest);
        uint16_t triple = offer_triple(table, seat, cell, like);
        int cost;

        if (triple == 0)
            continue;
        cost = gift - (2 * table->drawn + lowest_card(table, seat, triple)) * ESTIMATE_POINT;
        if (glance_can_end(table, seat) && table->down[seat] == ALLEGRA_CELL_BIT(cell))
            cost += glance_end_cost(glance, table, seat, cost);
        if (cost < best) {
            best = cost;
            answer = swift_say(ALLEGRA_VERB_KNOCK, cell);
        }
    }
    return answer;
}

static unsigned best_place(struct glance *glance, const struct allegra_table *table, unsigned seat)
{
    const struct outlook *outlook = glance_ahead(glance, table, seat);
    unsigned best = allegra_cell_lowest(table->present[seat]);
    int least = ESTIMATE_NEVER;

    for (uint16_t rest = table->present[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
        int cost = offer_place_cost(glance, outlook, table, seat, allegra_cell_lowest(rest));

        if (cost < least) {
            least = cost;
            best = allegra_cell_lowest(rest);
        }
    }
    return best;
}

struct allegra_answer swift_place(struct glance *glance, const struct allegra_table *table,
                                  unsigned seat)
{
    return swift_say(ALLEGRA_VERB_PLACE, best_place(glance, table, seat));
}

struct allegra_answer swift_answer(struct glance *glance, const struct allegra_table *table,
                                   unsigned seat)
{
    const struct outlook *outlook = glance_ahead(glance, table, seat);
    struct allegra_answer answer = {.verb = ALLEGRA_VERB_DECLINE};
    int best = estimate_lower(outlook->best_lay[swift_index(table->drawn)], outlook->best_turn);

    for (unsigned rest = table->knockers; rest != 0; rest &= rest - 1) {
        unsigned knocker = (unsigned)__builtin_ctz(rest);
        uint16_t offered = table->offer[knocker];
        unsigned cell =
            offered != 0 ? allegra_cell_lowest(offered) : best_place(glance, table, knocker);
        int cost = offer_active_cost(glance, table, knocker, cell);

        if (cost < best || (cost == best && answer.verb == ALLEGRA_VERB_DECLINE)) {
            best = cost;
            answer = (struct allegra_answer){.verb = ALLEGRA_VERB_ACCEPT, .seat = (uint8_t)knocker};
        }
    }
    return answer;
}

struct allegra_answer swift_take(struct glance *glance, const struct allegra_table *table,
                                 unsigned seat)
{
    const struct outlook *outlook = glance_ahead(glance, table, seat);
    unsigned knocker = table->knocker;
    uint16_t takeable = allegra_knock_takeable(table);
    uint16_t shared = offer_shared(table, knocker, seat);
    int hand = table->is_hand_private ? glance->odds.mean : table->hand * ESTIMATE_POINT;
    unsigned best = allegra_cell_lowest(takeable);
    int least = ESTIMATE_NEVER;

    for (uint16_t rest = takeable & allegra_table_up(table, knocker); rest != 0;
         rest &= (uint16_t)(rest - 1)) {
        unsigned cell = allegra_cell_lowest(rest);
        int card = allegra_table_card(table, knocker, cell);
        int cost = offer_take_cost(outlook, table, card);

        if (shared >> cell & 1)
            cost += hand - card * ESTIMATE_POINT;
        if (cost < least) {
            least = cost;
            best = cell;
        }
    }
    return (struct allegra_answer){
        .verb = ALLEGRA_VERB_TAKE, .seat = (uint8_t)knocker, .cells = ALLEGRA_CELL_BIT(best)};
}

struct allegra_answer swift_put(struct glance *glance, const struct allegra_table *table,
                                unsigned seat)
{
    const struct outlook *outlook = glance_ahead(glance, table, seat);
    uint16_t cells = table->present[seat] & (uint16_t)~allegra_table_hole(table, seat);
    struct allegra_answer answer = swift_say(ALLEGRA_VERB_PUT, allegra_cell_lowest(cells));
    unsigned taken = swift_index(table->taken);
    int least = ESTIMATE_NEVER;

    for (uint16_t rest = cells; rest != 0; rest &= (uint16_t)(rest - 1)) {
        int cost = outlook->lay[allegra_cell_lowest(rest)][taken];

        if (cost < least) {
            least = cost;
            answer = swift_say(ALLEGRA_VERB_PUT, allegra_cell_lowest(rest));
        }
    }
    if (least > 0 && table->rules.knock_active_swap == ALLEGRA_FORCE_MAY)
        answer = (struct allegra_answer){.verb = ALLEGRA_VERB_TOSS};
    return answer;
}
