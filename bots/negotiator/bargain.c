/* The open cards show what every possible deal is worth to both sides (strong/offer.h), so the
 * active player need not wait for a good offer: it knows which one it wants, and that it is in the
 * knocker's interest. */

#include "negotiator/bargain.h"

#include <stdio.h>
#include <string.h>

/* Less than this is not worth the talk. */
#define WORTHWHILE ESTIMATE_POINT
#define AT_LEAST_GAINED ESTIMATE_POINT

/* What the active player can have without bargaining. */
static int cost_now(struct glance *glance, const struct allegra_table *table)
{
    int cost = offer_otherwise(glance, table);

    for (unsigned rest = table->knockers; rest != 0; rest &= rest - 1) {
        unsigned seat = (unsigned)__builtin_ctz(rest);

        if (table->offer[seat] != 0)
            cost = estimate_lower(cost, offer_active_cost(glance, table, seat,
                                                          allegra_cell_lowest(table->offer[seat])));
    }
    return cost;
}

static void look_at_seat(struct glance *glance, const struct allegra_table *table, unsigned seat,
                         struct offer *best)
{
    for (uint16_t rest = table->present[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
        struct offer offer = offer_weigh(glance, table, seat, allegra_cell_lowest(rest));

        if (offer.cost <= -AT_LEAST_GAINED && offer.active_cost < best->active_cost)
            *best = offer;
    }
}

bool bargain_find_request(const struct allegra_table *table, unsigned not_of, struct offer *request)
{
    struct glance glance;
    int enough;

    glance_start(&glance, table);
    enough = cost_now(&glance, table) - WORTHWHILE;
    request->active_cost = enough;
    for (unsigned rest = table->bidders & ~not_of; rest != 0; rest &= rest - 1)
        look_at_seat(&glance, table, (unsigned)__builtin_ctz(rest), request);
    return request->active_cost < enough;
}

bool bargain_suits(const struct allegra_table *table, unsigned seat, unsigned cell)
{
    struct glance glance;

    glance_start(&glance, table);
    return offer_weigh(&glance, table, seat, cell).cost <= -AT_LEAST_GAINED;
}

void bargain_write_request(const struct offer *request, char sentence[BARGAIN_REQUEST_MAX])
{
    char cell[4];

    allegra_cell_write(request->cell, cell, sizeof cell);
    snprintf(sentence, BARGAIN_REQUEST_MAX, "seat %u: knock %s and I accept", request->seat, cell);
}

/* Writes the sentence for each cell and compares: so whatever is written can be read. */
int bargain_read_request(const char *sentence, unsigned seat, unsigned *cell)
{
    for (unsigned i = 0; i < ALLEGRA_CELL_COUNT; i++) {
        struct offer request = {.seat = seat, .cell = i};
        char expected[BARGAIN_REQUEST_MAX];

        bargain_write_request(&request, expected);
        if (strcmp(sentence, expected) == 0) {
            *cell = i;
            return 0;
        }
    }
    return -1;
}
