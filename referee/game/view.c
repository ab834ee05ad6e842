/* Views. Everything hidden is dropped here, once: a view holds no secret. */

#include "game/allegra.h"

#include <string.h>

static int8_t face_of(const struct allegra_table *table, unsigned seat, unsigned cell)
{
    int8_t card = allegra_table_card(table, seat, cell);

    if (!(table->present[seat] >> cell & 1))
        return ALLEGRA_VIEW_GAP;
    if (table->down[seat] >> cell & 1)
        return ALLEGRA_VIEW_DOWN;
    return card == ALLEGRA_CARD_NONE ? ALLEGRA_VIEW_HOLE : card;
}

static void see_displays(const struct allegra_table *table, struct allegra_view *view)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++)
            view->face[seat][cell] = face_of(table, seat, cell);
    }
}

static void see_piles(const struct allegra_table *table, struct allegra_view *view)
{
    view->draw_count = table->draw_count;
    view->discard_count = table->discard_count;
    view->discard_top = table->discard_count > 0
                            ? allegra_table_discarded(table, table->discard_count - 1U)
                            : ALLEGRA_CARD_NONE;
}

/* While bids come in, no seat learns which others have answered, or how. */
static void see_bids(const struct allegra_table *table, struct allegra_view *view)
{
    view->bid_round = table->bid_round;
    if (table->question == ALLEGRA_QUESTION_KNOCK)
        return;
    view->bidders = table->bidders;
    view->knockers = table->knockers;
    memcpy(view->offer, table->offer, sizeof view->offer);
}

static void see_hands(const struct allegra_table *table, struct allegra_view *view)
{
    view->drawn = table->drawn;
    view->is_from_discard = table->is_from_discard;
    view->knocker = table->knocker;
    view->placed = table->placed;
    view->hand = table->hand;
    if (table->is_hand_private && table->knocker != view->me)
        view->hand = ALLEGRA_VIEW_UNKNOWN;
    view->taken = table->taken;
    view->aside = table->aside;
}

struct allegra_view allegra_view_of(const struct allegra_table *table, unsigned seat)
{
    bool is_at_table = seat < table->seats;
    struct allegra_view view;

    /* All of it: equal views have equal bytes, between their members too. */
    memset(&view, 0, sizeof view);
    view.rules = table->rules;
    view.me = is_at_table ? (uint8_t)seat : ALLEGRA_SEAT_NONE;
    view.seats = table->seats;
    view.dealer = table->dealer;
    view.round = table->round;
    view.active = table->active;
    view.turn = table->turn;
    view.is_final = table->trigger != ALLEGRA_SEAT_NONE;
    view.trigger = table->trigger;
    view.final_left = table->final_left;
    view.final_moved = table->final_moved;
    view.question =
        is_at_table && table->asked >> seat & 1 ? table->question : ALLEGRA_QUESTION_NONE;
    view.clear_step = table->clear_step;
    view.clear_start = table->clear_start;
    view.first_completed = table->first_completed;
    memcpy(view.total_halves, table->total_halves, sizeof view.total_halves);
    see_displays(table, &view);
    see_piles(table, &view);
    see_bids(table, &view);
    see_hands(table, &view);
    return view;
}

void allegra_table_unseen(const struct allegra_table *table, unsigned seat,
                          uint8_t unseen[ALLEGRA_CARD_VALUES])
{
    /* Column E is left out: it is column A of the neighbour. */
    uint16_t own = ALLEGRA_CELL_ALL & ~ALLEGRA_CELL_COLUMN_E;

    memset(unseen, 0, ALLEGRA_CARD_VALUES);
    for (unsigned i = 0; i < table->draw_count; i++)
        unseen[table->pile[i] - ALLEGRA_CARD_MIN]++;
    for (unsigned owner = 0; owner < table->seats; owner++) {
        for (uint16_t rest = table->down[owner] & own; rest != 0; rest &= (uint16_t)(rest - 1))
            unseen[table->codes[owner] >> 4 * allegra_cell_lowest(rest) & 15U]++;
    }
    if (table->is_hand_private && table->knocker != seat && table->hand != ALLEGRA_CARD_NONE)
        unseen[table->hand - ALLEGRA_CARD_MIN]++;
}
