/* The open cards show what every possible deal is worth to both sides (strong/offer.h), so the
 * active player need not wait for a good offer: it knows which one it wants, and that it is in the
 * knocker's interest. */

#include "negotiator/bargain.h"

/* Less than this is not worth the talk. */
#define WORTHWHILE POINT
#define AT_LEAST_GAINED POINT

/* What the active player can have without any further word. */
static int cost_now(struct glance *glance, const struct allegra_table *table)
{
    int cost = offer_otherwise(glance, table);

    for (unsigned rest = table->knockers; rest != 0; rest &= rest - 1) {
        unsigned seat = (unsigned)__builtin_ctz(rest);

        if (table->offer[seat] != 0)
            cost = hope_lower(
                cost, offer_active_cost(glance, table, seat, allegra_cell_of(table->offer[seat])));
    }
    return cost;
}

static void look_at_seat(struct glance *glance, const struct allegra_table *table, unsigned seat,
                         struct offer *best)
{
    for (uint16_t rest = table->present[seat]; rest != 0; rest &= (uint16_t)(rest - 1)) {
        struct offer offer = offer_weigh(glance, table, seat, allegra_cell_of(rest));

        if (offer.cost <= -AT_LEAST_GAINED && offer.active_cost < best->active_cost)
            *best = offer;
    }
}

bool bargain_find_wish(const struct allegra_table *table, unsigned not_of, struct offer *wish)
{
    struct glance glance;
    int enough;

    glance_start(&glance, table);
    enough = cost_now(&glance, table) - WORTHWHILE;
    wish->active_cost = enough;
    for (unsigned rest = table->bidders & ~not_of; rest != 0; rest &= rest - 1)
        look_at_seat(&glance, table, (unsigned)__builtin_ctz(rest), wish);
    return wish->active_cost < enough;
}

bool bargain_suits(const struct allegra_table *table, unsigned seat, unsigned cell)
{
    struct glance glance;

    glance_start(&glance, table);
    return offer_weigh(&glance, table, seat, cell).cost <= -AT_LEAST_GAINED;
}

static const char opening[] = "seat ";
static const char middle[] = ": knock ";
static const char closing[] = " and I accept";

void bargain_write_wish(struct text *text, const struct offer *wish)
{
    text_add(text, opening);
    text_add_number(text, (long)wish->seat);
    text_add(text, middle);
    cell_write(text, wish->cell);
    text_add(text, closing);
}

/* The sentence for each own cell is written and compared: so what is read is what is written. */
int bargain_read_wish(struct span saying, unsigned seat, unsigned *cell)
{
    for (unsigned i = 0; i < ALLEGRA_CELL_COUNT; i++) {
        struct offer wish = {.seat = seat, .cell = i};
        char buffer[BARGAIN_WISH_MAX];
        struct text text;

        text_start(&text, buffer, sizeof buffer);
        bargain_write_wish(&text, &wish);
        if (span_is(saying, buffer)) {
            *cell = i;
            return 0;
        }
    }
    return -1;
}
