/* A view has everything of a table except its hidden cards, so a guess is a view turned back into a
 * table. If the deck is not complete (as in a position written by hand), surplus cards are left
 * out; if there are too few cards, some are dealt twice. */

#include "strong/guess.h"

#include <string.h>

static unsigned code_of(int face)
{
    if (face <= ALLEGRA_CARD_MAX)
        return (unsigned)(face - ALLEGRA_CARD_MIN);
    return face == ALLEGRA_VIEW_GAP ? ALLEGRA_TABLE_CODE_GAP : ALLEGRA_TABLE_CODE_HOLE;
}

static void set_display(struct allegra_table *table, const struct allegra_view *view, unsigned seat)
{
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        int face = view->face[seat][cell];

        table->codes[seat] |= (uint64_t)code_of(face) << 4 * cell;
        if (face != ALLEGRA_VIEW_GAP)
            table->present[seat] |= ALLEGRA_CELL_BIT(cell);
        if (face == ALLEGRA_VIEW_DOWN)
            table->down[seat] |= ALLEGRA_CELL_BIT(cell);
        if (face == ALLEGRA_VIEW_HOLE && seat == view->knocker)
            table->hole = (uint8_t)cell;
    }
    table->completed |= (uint8_t)((unsigned)(table->down[seat] == 0) << seat);
}

/* Each up card was turned by a reveal, as long as no turn has begun. */
static uint8_t reveals_left(const struct allegra_table *table)
{
    unsigned left = 2U * table->seats;

    if (table->question != ALLEGRA_QUESTION_REVEAL)
        return 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        left -=
            allegra_cell_count(allegra_table_up(table, seat) & (uint16_t)~ALLEGRA_CELL_COLUMN_E);
    return (uint8_t)left;
}

/* The seat that is complete already in a turn that starts the final round: no line says which seat
 * was the first. */
static uint8_t first_completed(const struct allegra_table *table, const struct allegra_view *view)
{
    unsigned seat = table->active;

    if (table->completed == 0 || view->is_final)
        return ALLEGRA_SEAT_NONE;
    if (view->first_completed != ALLEGRA_SEAT_NONE)
        return view->first_completed;
    if (!(table->completed >> seat & 1) && view->knocker != ALLEGRA_SEAT_NONE &&
        table->completed >> view->knocker & 1)
        return view->knocker;
    while (!(table->completed >> seat & 1))
        seat = allegra_table_left(table, seat);
    return (uint8_t)seat;
}

static void set_round(struct allegra_table *table, const struct allegra_view *view)
{
    table->rules = view->rules;
    table->seats = view->seats;
    table->dealer = view->dealer;
    table->round = view->round;
    table->turn = view->turn;
    table->active = view->active;
    table->trigger = view->trigger;
    table->final_left = view->final_left;
    table->final_moved = view->final_moved;
    table->draw_count = view->draw_count;
    table->hole = ALLEGRA_CELL_NONE;
    memcpy(table->total_halves, view->total_halves, sizeof table->total_halves);
}

static void set_turn(struct allegra_table *table, const struct allegra_view *view)
{
    table->question = view->question;
    table->drawn = view->drawn;
    table->is_from_discard = view->is_from_discard;
    table->bid_round = view->bid_round;
    table->bidders = view->bidders;
    table->knockers = view->knockers;
    memcpy(table->offer, view->offer, sizeof table->offer);
    table->knocker = view->knocker;
    table->placed = view->placed;
    table->hand = view->hand;
    table->is_hand_private = view->hand == ALLEGRA_VIEW_UNKNOWN;
    table->taken = view->taken;
    table->aside = view->aside;
    table->clear_step = view->clear_step;
    table->clear_start = view->clear_start;
}

/* While bids come in nobody knows which seats have answered, so all that may bid are asked. */
static void set_asked(struct allegra_table *table, const struct allegra_view *view)
{
    table->asked = (uint8_t)(1U << view->me);
    if (table->question != ALLEGRA_QUESTION_KNOCK)
        return;
    table->bidders = (uint8_t)(allegra_knock_eligible(table) | table->asked);
    table->asked = table->bidders;
}

/* A pile that was not watched from the beginning shows its top card alone. */
static void set_discards(struct guess *guess, const struct knowledge *knowledge)
{
    const struct allegra_view *view = knowledge->view;
    unsigned known = knowledge->discard_count;
    const int8_t *cards = knowledge->discards;

    if (known != view->discard_count) {
        known = view->discard_count > 0;
        cards = &view->discard_top;
    }
    guess->hidden_discards = view->discard_count - known;
    guess->table.discard_count = view->discard_count;
    for (unsigned i = 0; i < known; i++)
        guess->table.pile[ALLEGRA_DECK_MAX - 1 - (guess->hidden_discards + i)] = cards[i];
}

static void collect_unseen(struct guess *guess, const struct knowledge *knowledge)
{
    bool is_known = knowledge->discard_count == knowledge->view->discard_count;
    struct odds odds =
        odds_of(knowledge->view, knowledge->discards, is_known ? knowledge->discard_count : 0);

    guess->unseen_count = 0;
    for (unsigned card = 0; card < ALLEGRA_CARD_VALUES; card++) {
        for (unsigned i = odds.unseen[card]; i > 0; i--)
            guess->unseen[guess->unseen_count++] = (int8_t)((int)card + ALLEGRA_CARD_MIN);
    }
    if (guess->unseen_count == 0)
        guess->unseen[guess->unseen_count++] = 0;
}

void guess_start(struct guess *guess, const struct knowledge *knowledge)
{
    const struct allegra_view *view = knowledge->view;
    struct allegra_table *table = &guess->table;

    memset(table, 0, sizeof *table);
    set_round(table, view);
    for (unsigned seat = 0; seat < view->seats; seat++)
        set_display(table, view, seat);
    set_turn(table, view);
    table->reveals_left = reveals_left(table);
    table->first_completed = first_completed(table, view);
    set_asked(table, view);
    set_discards(guess, knowledge);
    collect_unseen(guess, knowledge);
    guess->is_hand_hidden = view->hand == ALLEGRA_VIEW_UNKNOWN;
}

/* Cards in random order, made as they are asked for. */
struct hat {
    int8_t cards[ALLEGRA_DECK_MAX];
    unsigned count;
    unsigned left;
    struct allegra_dice *dice;
};

static int8_t hat_draw(struct hat *hat)
{
    unsigned picked;
    int8_t card;

    if (hat->left == 0)
        hat->left = hat->count;
    picked = allegra_dice_below(hat->dice, hat->left--);
    card = hat->cards[picked];
    hat->cards[picked] = hat->cards[hat->left];
    hat->cards[hat->left] = card;
    return card;
}

static void fill_cell(struct allegra_table *table, unsigned seat, unsigned cell, int card)
{
    uint64_t code = (uint64_t)(card - ALLEGRA_CARD_MIN);

    for (unsigned i = 0; i < 2; i++) {
        table->codes[seat] &= ~(UINT64_C(15) << 4 * cell);
        table->codes[seat] |= code << 4 * cell;
        allegra_table_twin(table, &seat, &cell);
    }
}

void guess_deal(const struct guess *guess, struct allegra_dice *dice, struct allegra_table *table)
{
    struct hat hat = {.count = guess->unseen_count, .left = guess->unseen_count, .dice = dice};

    memcpy(hat.cards, guess->unseen, guess->unseen_count);
    *table = guess->table;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        uint16_t down = table->down[seat] & (uint16_t)~ALLEGRA_CELL_COLUMN_E;

        for (; down != 0; down &= (uint16_t)(down - 1))
            fill_cell(table, seat, allegra_cell_lowest(down), hat_draw(&hat));
    }
    if (guess->is_hand_hidden)
        table->hand = hat_draw(&hat);
    for (unsigned i = 0; i < guess->hidden_discards; i++)
        table->pile[ALLEGRA_DECK_MAX - 1 - i] = hat_draw(&hat);
    for (unsigned i = 0; i < table->draw_count; i++)
        table->pile[i] = hat_draw(&hat);
}
