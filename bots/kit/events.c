/* Lines about what happens at the table. They fill in what the description of a question leaves
 * out: the cards in hand, the bids, the discard pile, the course of the final round. */

#include "kit/fields.h"
#include "kit/line.h"

#include <stdlib.h>
#include <string.h>

static void forget_turn(struct allegra_view *view)
{
    view->drawn = ALLEGRA_CARD_NONE;
    view->hand = ALLEGRA_CARD_NONE;
    view->taken = ALLEGRA_CARD_NONE;
    view->aside = ALLEGRA_CARD_NONE;
    view->is_from_discard = false;
    view->knocker = ALLEGRA_SEAT_NONE;
    view->placed = 0;
    view->bid_round = 0;
    view->bidders = 0;
    view->knockers = 0;
    memset(view->offer, 0, sizeof view->offer);
}

static void forget_round(struct allegra_view *view)
{
    forget_turn(view);
    view->is_final = false;
    view->trigger = ALLEGRA_SEAT_NONE;
    view->first_completed = ALLEGRA_SEAT_NONE;
    view->final_left = 0;
    view->final_moved = 0;
    view->turn = 0;
}

void line_match(struct kit *kit, char *rest)
{
    struct allegra_view *view = &kit->view;
    const char *name;
    const char *value;

    memset(view, 0, sizeof *view);
    memset(view->face, ALLEGRA_VIEW_DOWN, sizeof view->face);
    view->rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    view->seats = ALLEGRA_SEATS_MIN;
    view->discard_top = ALLEGRA_CARD_NONE;
    memset(kit->said, 0, sizeof kit->said);
    forget_round(view);
    while (fields_next_pair(&rest, &name, &value)) {
        if (strcmp(name, "seats") == 0)
            view->seats = (uint8_t)fields_number(value, ALLEGRA_SEATS_MIN, ALLEGRA_SEATS_MAX, 2);
        else if (strcmp(name, "seat") == 0)
            fields_seat(value, &view->me);
        else if (strcmp(name, "edition") == 0)
            allegra_rules_read_edition(&view->rules, value, NULL, 0);
        else if (strcmp(name, "move_ms") == 0)
            kit->move_ms = fields_number(value, 0, 1000000000, 0);
        else if (strcmp(name, "clock") == 0)
            kit->is_clock_fair = strcmp(value, "fair") == 0;
        else if (strcmp(name, "rng") == 0)
            kit->dice = allegra_dice_from(strtoull(value, NULL, 16));
    }
}

void line_rules(struct kit *kit, char *rest)
{
    const char *name;
    const char *value;

    while (fields_next_pair(&rest, &name, &value))
        allegra_rules_set(&kit->view.rules, name, value, NULL, 0);
}

static void discard(struct kit *kit, const char *field)
{
    int8_t card = ALLEGRA_CARD_NONE;

    fields_card(field, &card);
    if (kit->discard_count < ALLEGRA_DECK_MAX && card <= ALLEGRA_CARD_MAX)
        kit->discards[kit->discard_count++] = card;
}

/* round NUMBER DEALER CARD */
void line_round(struct kit *kit, char *rest)
{
    forget_round(&kit->view);
    fields_next(&rest);
    fields_next(&rest);
    kit->discard_count = 0;
    discard(kit, fields_next(&rest));
}

void line_reshuffled(struct kit *kit, char *rest)
{
    (void)rest;
    if (kit->discard_count == 0)
        return;
    kit->discards[0] = kit->discards[kit->discard_count - 1];
    kit->discard_count = 1;
}

/* turn NUMBER SEAT */
void line_turn(struct kit *kit, char *rest)
{
    struct allegra_view *view = &kit->view;
    uint8_t before = view->active;

    forget_turn(view);
    memset(kit->said, 0, sizeof kit->said);
    fields_next(&rest);
    fields_seat(fields_next(&rest), &view->active);
    if (!view->is_final)
        return;
    if (view->final_left < view->seats)
        view->final_moved |= (uint8_t)(1U << before);
    do {
        before = (uint8_t)((before + 1) % view->seats);
        view->final_left--;
    } while (before != view->active && view->final_left > 0);
}

/* final TRIGGER */
void line_final(struct kit *kit, char *rest)
{
    fields_seat(fields_next(&rest), &kit->view.trigger);
    kit->view.is_final = true;
    kit->view.final_left = kit->view.seats;
}

/* drew pile|discard SEAT CARD */
void line_drew(struct kit *kit, char *rest)
{
    kit->view.is_from_discard = strcmp(fields_next(&rest), "discard") == 0;
    if (kit->view.is_from_discard && kit->discard_count > 0)
        kit->discard_count--;
    fields_next(&rest);
    fields_card(fields_next(&rest), &kit->view.drawn);
}

/* kept SEAT:CELL CARD OLD */
void line_kept(struct kit *kit, char *rest)
{
    fields_next(&rest);
    fields_next(&rest);
    fields_card(fields_next(&rest), &kit->view.aside);
    kit->view.drawn = ALLEGRA_CARD_NONE;
}

/* dropped SEAT CARD */
void line_dropped(struct kit *kit, char *rest)
{
    fields_next(&rest);
    discard(kit, fields_next(&rest));
    kit->view.drawn = ALLEGRA_CARD_NONE;
}

/* placed SEAT:CELL CARD OLD */
void line_placed(struct kit *kit, char *rest)
{
    struct allegra_view *view = &kit->view;

    fields_seat_cell(fields_next(&rest), &view->knocker, &view->placed);
    fields_next(&rest);
    fields_card(fields_next(&rest), &view->hand);
    view->drawn = ALLEGRA_CARD_NONE;
}

/* took SEAT OTHER:CELL CARD */
void line_took(struct kit *kit, char *rest)
{
    fields_next(&rest);
    fields_next(&rest);
    fields_card(fields_next(&rest), &kit->view.taken);
}

/* put SEAT:CELL CARD OLD */
void line_put(struct kit *kit, char *rest)
{
    line_kept(kit, rest);
    kit->view.taken = ALLEGRA_CARD_NONE;
}

/* tossed SEAT CARD */
void line_tossed(struct kit *kit, char *rest)
{
    fields_next(&rest);
    discard(kit, fields_next(&rest));
    kit->view.taken = ALLEGRA_CARD_NONE;
}

void line_returned(struct kit *kit, char *rest)
{
    (void)rest;
    kit->view.hand = ALLEGRA_CARD_NONE;
}

/* discarded SEAT CARD: what a player had set aside, or what a knocker held */
void line_discarded(struct kit *kit, char *rest)
{
    fields_next(&rest);
    discard(kit, fields_next(&rest));
    kit->view.aside = ALLEGRA_CARD_NONE;
}

/* cleared SEAT:CELL SEAT:CELL SEAT:CELL CARD */
void line_cleared(struct kit *kit, char *rest)
{
    uint8_t seat = ALLEGRA_SEAT_NONE;
    uint16_t cells = 0;
    uint16_t cell;
    const char *card;

    for (unsigned i = 0; i < 3; i++) {
        if (fields_seat_cell(fields_next(&rest), &seat, &cell))
            cells |= cell;
    }
    card = fields_next(&rest);
    for (unsigned i = 0; i < 3; i++)
        discard(kit, card);
    kit->cleared = seat == kit->clearer ? kit->cleared | cells : cells;
    kit->clearer = seat;
}

static void note_bid(struct kit *kit, char *rest, bool has_knocked)
{
    struct allegra_view *view = &kit->view;
    uint8_t seat = view->me;
    uint16_t cell;

    fields_seat(fields_next(&rest), &seat);
    if (view->bid_round == 0)
        view->bid_round = 1;
    view->bidders |= (uint8_t)(1U << seat);
    if (has_knocked)
        view->knockers |= (uint8_t)(1U << seat);
    if (fields_seat_cell(fields_next(&rest), &seat, &cell))
        view->offer[seat] = cell;
}

/* passed SEAT */
void line_passed(struct kit *kit, char *rest)
{
    note_bid(kit, rest, false);
}

/* knocked SEAT [SEAT:CELL] */
void line_knocked(struct kit *kit, char *rest)
{
    note_bid(kit, rest, true);
}

/* again SEAT NUMBER */
void line_again(struct kit *kit, char *rest)
{
    struct allegra_view *view = &kit->view;

    fields_next(&rest);
    fields_small(fields_next(&rest), &view->bid_round);
    view->bidders = 0;
    view->knockers = 0;
    memset(view->offer, 0, sizeof view->offer);
}

/* accepted SEAT KNOCKER */
void line_accepted(struct kit *kit, char *rest)
{
    fields_next(&rest);
    fields_seat(fields_next(&rest), &kit->view.knocker);
}

/* said SEAT TEXT */
void line_said(struct kit *kit, char *rest)
{
    uint8_t seat = kit->view.me;
    size_t length;

    fields_seat(fields_cut(&rest, ' '), &seat);
    if (rest == NULL)
        return;
    length = strnlen(rest, KIT_SAYING_MAX);
    memcpy(kit->said[seat], rest, length);
    kit->said[seat][length] = '\0';
}
