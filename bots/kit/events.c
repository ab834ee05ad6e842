/* What happens at the table. These lines fill in what the description of a question leaves out: the
 * cards in hand, the bids, the discard pile, the course of the final round. */

#include "kit/hear.h"
#include "kit/words.h"

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

void hear_match(struct kit *kit, struct span rest)
{
    struct allegra_view *view = &kit->view;
    char scratch[200];
    struct text problem;
    struct words_pair pair;

    memset(view, 0, sizeof *view);
    memset(view->face, ALLEGRA_VIEW_DOWN, sizeof view->face);
    view->rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    view->seats = ALLEGRA_SEATS_MIN;
    view->discard_top = ALLEGRA_CARD_NONE;
    memset(kit->said, 0, sizeof kit->said);
    forget_round(view);
    text_start(&problem, scratch, sizeof scratch);
    while (words_next_pair(&rest, &pair)) {
        if (span_is(pair.name, "seats"))
            view->seats =
                (uint8_t)words_number(pair.value, ALLEGRA_SEATS_MIN, ALLEGRA_SEATS_MAX, 2);
        else if (span_is(pair.name, "seat"))
            words_seat(pair.value, &view->me);
        else if (span_is(pair.name, "edition"))
            rules_read_edition(pair.value, &view->rules, &problem);
        else if (span_is(pair.name, "move_ms"))
            kit->move_ms = words_number(pair.value, 0, 1000000000, 0);
        else if (span_is(pair.name, "clock"))
            kit->is_clock_fair = span_is(pair.value, "fair");
        else if (span_is(pair.name, "rng"))
            kit->dice = allegra_dice_from(words_hex(pair.value));
    }
}

void hear_rules(struct kit *kit, struct span rest)
{
    char scratch[200];
    struct text problem;
    struct words_pair pair;

    text_start(&problem, scratch, sizeof scratch);
    while (words_next_pair(&rest, &pair))
        rules_set(&kit->view.rules, pair.name, pair.value, &problem);
}

static void discard(struct kit *kit, struct span word)
{
    if (kit->discard_count < ALLEGRA_DECK_MAX &&
        card_read(word, &kit->discards[kit->discard_count]) == 0)
        kit->discard_count++;
}

/* round NUMBER DEALER CARD */
void hear_round(struct kit *kit, struct span rest)
{
    forget_round(&kit->view);
    span_cut_word(&rest);
    span_cut_word(&rest);
    kit->discard_count = 0;
    discard(kit, span_cut_word(&rest));
}

void hear_reshuffled(struct kit *kit, struct span rest)
{
    (void)rest;
    if (kit->discard_count == 0)
        return;
    kit->discards[0] = kit->discards[kit->discard_count - 1];
    kit->discard_count = 1;
}

/* turn NUMBER SEAT */
void hear_turn(struct kit *kit, struct span rest)
{
    struct allegra_view *view = &kit->view;
    uint8_t before = view->active;

    forget_turn(view);
    memset(kit->said, 0, sizeof kit->said);
    span_cut_word(&rest);
    words_seat(span_cut_word(&rest), &view->active);
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
void hear_final(struct kit *kit, struct span rest)
{
    words_seat(span_cut_word(&rest), &kit->view.trigger);
    kit->view.is_final = true;
    kit->view.final_left = kit->view.seats;
}

/* drew pile|discard SEAT CARD */
void hear_drew(struct kit *kit, struct span rest)
{
    kit->view.is_from_discard = span_is(span_cut_word(&rest), "discard");
    if (kit->view.is_from_discard && kit->discard_count > 0)
        kit->discard_count--;
    span_cut_word(&rest);
    words_card(span_cut_word(&rest), &kit->view.drawn);
}

/* kept SEAT:CELL CARD OLD */
void hear_kept(struct kit *kit, struct span rest)
{
    span_cut_word(&rest);
    span_cut_word(&rest);
    words_card(span_cut_word(&rest), &kit->view.aside);
    kit->view.drawn = ALLEGRA_CARD_NONE;
}

/* dropped SEAT CARD */
void hear_dropped(struct kit *kit, struct span rest)
{
    span_cut_word(&rest);
    discard(kit, span_cut_word(&rest));
    kit->view.drawn = ALLEGRA_CARD_NONE;
}

/* placed SEAT:CELL CARD OLD */
void hear_placed(struct kit *kit, struct span rest)
{
    struct allegra_view *view = &kit->view;
    unsigned cell;

    if (words_place(span_cut_word(&rest), &view->knocker, &cell) == 0)
        view->placed = ALLEGRA_CELL_BIT(cell);
    span_cut_word(&rest);
    words_card(span_cut_word(&rest), &view->hand);
    view->drawn = ALLEGRA_CARD_NONE;
}

/* took SEAT OTHER:CELL CARD */
void hear_took(struct kit *kit, struct span rest)
{
    span_cut_word(&rest);
    span_cut_word(&rest);
    words_card(span_cut_word(&rest), &kit->view.taken);
}

/* put SEAT:CELL CARD OLD */
void hear_put(struct kit *kit, struct span rest)
{
    hear_kept(kit, rest);
    kit->view.taken = ALLEGRA_CARD_NONE;
}

/* tossed SEAT CARD */
void hear_tossed(struct kit *kit, struct span rest)
{
    span_cut_word(&rest);
    discard(kit, span_cut_word(&rest));
    kit->view.taken = ALLEGRA_CARD_NONE;
}

void hear_returned(struct kit *kit, struct span rest)
{
    (void)rest;
    kit->view.hand = ALLEGRA_CARD_NONE;
}

/* discarded SEAT CARD: what a player had set aside, or what a knocker held */
void hear_discarded(struct kit *kit, struct span rest)
{
    span_cut_word(&rest);
    discard(kit, span_cut_word(&rest));
    kit->view.aside = ALLEGRA_CARD_NONE;
}

/* cleared SEAT:CELL SEAT:CELL SEAT:CELL CARD */
void hear_cleared(struct kit *kit, struct span rest)
{
    uint8_t seat = ALLEGRA_SEAT_NONE;
    uint16_t cells = 0;
    unsigned cell;

    for (unsigned i = 0; i < 3; i++) {
        if (words_place(span_cut_word(&rest), &seat, &cell) == 0)
            cells |= ALLEGRA_CELL_BIT(cell);
    }
    for (unsigned i = 0; i < 3; i++) {
        struct span card = rest;

        discard(kit, span_cut_word(&card));
    }
    kit->cleared = seat == kit->clearer ? kit->cleared | cells : cells;
    kit->clearer = seat;
}

static void hear_bid(struct kit *kit, struct span rest, bool has_knocked)
{
    struct allegra_view *view = &kit->view;
    uint8_t seat = view->me;
    unsigned cell;

    words_seat(span_cut_word(&rest), &seat);
    if (view->bid_round == 0)
        view->bid_round = 1;
    view->bidders |= (uint8_t)(1U << seat);
    if (has_knocked)
        view->knockers |= (uint8_t)(1U << seat);
    if (words_place(span_cut_word(&rest), &seat, &cell) == 0)
        view->offer[seat] = ALLEGRA_CELL_BIT(cell);
}

/* passed SEAT */
void hear_passed(struct kit *kit, struct span rest)
{
    hear_bid(kit, rest, false);
}

/* knocked SEAT [SEAT:CELL] */
void hear_knocked(struct kit *kit, struct span rest)
{
    hear_bid(kit, rest, true);
}

/* again SEAT NUMBER */
void hear_again(struct kit *kit, struct span rest)
{
    struct allegra_view *view = &kit->view;

    span_cut_word(&rest);
    words_small(span_cut_word(&rest), &view->bid_round);
    view->bidders = 0;
    view->knockers = 0;
    memset(view->offer, 0, sizeof view->offer);
}

/* accepted SEAT KNOCKER */
void hear_accepted(struct kit *kit, struct span rest)
{
    span_cut_word(&rest);
    words_seat(span_cut_word(&rest), &kit->view.knocker);
}

/* said SEAT TEXT */
void hear_said(struct kit *kit, struct span rest)
{
    uint8_t seat = kit->view.me;
    size_t length;

    words_seat(span_cut(&rest, ' '), &seat);
    if (rest.start == NULL)
        return;
    length = rest.length < KIT_SAYING_MAX ? rest.length : KIT_SAYING_MAX;
    memcpy(kit->said[seat], rest.start, length);
    kit->said[seat][length] = '\0';
}
