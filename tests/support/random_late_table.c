/* Creates late tables: an empty table first, then lines of equal cards and single cards, then
 * piles. */

#include "base/text.h"
#include "support/random_play.h"

#include <string.h>

static bool is_lucky(struct allegra_dice *dice, unsigned percent)
{
    return allegra_dice_below(dice, 100) < percent;
}

/* A table under construction. */
struct draft {
    struct allegra_table *table;
    struct allegra_dice *dice;
    unsigned left[ALLEGRA_CARD_VALUES]; /* cards that are not on the table yet */
    int8_t favourite;                   /* a frequent card, */
    unsigned share;                     /* and its share in percent */
};

/* Takes any remaining card. */
static int8_t take_any(struct draft *draft)
{
    unsigned value = allegra_dice_below(draft->dice, ALLEGRA_CARD_VALUES);

    while (draft->left[value] == 0)
        value = (value + 1) % ALLEGRA_CARD_VALUES;
    draft->left[value]--;
    return (int8_t)((int)value + ALLEGRA_CARD_MIN);
}

/* Takes this card if one is left, or else any. */
static int8_t take(struct draft *draft, int8_t card)
{
    unsigned *left = &draft->left[card - ALLEGRA_CARD_MIN];

    if (*left == 0)
        return take_any(draft);
    (*left)--;
    return card;
}

static void set_cell(struct allegra_table *table, unsigned seat, unsigned cell, unsigned code)
{
    uint16_t bit = ALLEGRA_CELL_BIT(cell);

    table->codes[seat] &= ~(UINT64_C(15) << 4 * cell);
    table->codes[seat] |= (uint64_t)code << 4 * cell;
    table->present[seat] &= (uint16_t)~bit;
    table->present[seat] |= code == ALLEGRA_TABLE_CODE_GAP ? 0 : bit;
    table->down[seat] &= table->present[seat];
}

/* Sets the code of a cell in both displays. */
static void set_both(struct allegra_table *table, unsigned seat, unsigned cell, unsigned code)
{
    set_cell(table, seat, cell, code);
    allegra_table_twin(table, &seat, &cell);
    set_cell(table, seat, cell, code);
}

static void set_down(struct allegra_table *table, unsigned seat, unsigned cell, bool is_down)
{
    for (unsigned i = 0; i < 2; i++) {
        uint16_t bit = ALLEGRA_CELL_BIT(cell);

        table->down[seat] &= (uint16_t)~bit;
        table->down[seat] |= is_down ? bit : 0;
        allegra_table_twin(table, &seat, &cell);
    }
}

static void clear_cell(struct draft *draft, unsigned seat, unsigned cell)
{
    int8_t card = allegra_table_card(draft->table, seat, cell);

    if (card != ALLEGRA_CARD_NONE)
        draft->left[card - ALLEGRA_CARD_MIN]++;
    set_both(draft->table, seat, cell, ALLEGRA_TABLE_CODE_GAP);
}

static void set_card(struct draft *draft, unsigned seat, unsigned cell, int8_t card)
{
    clear_cell(draft, seat, cell);
    set_both(draft->table, seat, cell, (unsigned)(take(draft, card) - ALLEGRA_CARD_MIN));
}

static int8_t choose_card(struct draft *draft)
{
    if (is_lucky(draft->dice, draft->share))
        return draft->favourite;
    return (int8_t)((int)allegra_dice_below(draft->dice, ALLEGRA_CARD_VALUES) + ALLEGRA_CARD_MIN);
}

/* Adds three equal cards in a line, of which one may be another card or down. */
static void add_line(struct draft *draft, unsigned seat, unsigned first, unsigned step)
{
    int8_t card = choose_card(draft);
    unsigned odd = allegra_dice_below(draft->dice, 5);

    for (unsigned i = 0; i < 3; i++) {
        unsigned cell = first + i * step;

        set_card(draft, seat, cell,
                 i == odd && is_lucky(draft->dice, 50) ? choose_card(draft) : card);
        if (i == odd)
            set_down(draft->table, seat, cell, is_lucky(draft->dice, 70));
    }
}

static void add_lines(struct draft *draft, unsigned seat)
{
    static const uint8_t starts[] = {0, 1, 2, 5, 6, 7, 10, 11, 12};
    struct allegra_dice *dice = draft->dice;

    for (unsigned i = allegra_dice_below(dice, 3); i > 0; i--) {
        if (is_lucky(dice, 40))
            add_line(draft, seat, allegra_dice_below(dice, ALLEGRA_CELL_COLUMNS),
                     ALLEGRA_CELL_COLUMNS);
        else
            add_line(draft, seat, starts[allegra_dice_below(dice, ARRAY_LEN(starts))], 1);
    }
    for (unsigned i = allegra_dice_below(dice, 3); i > 0; i--) {
        unsigned cell = allegra_dice_below(dice, ALLEGRA_CELL_COUNT);

        set_card(draft, seat, cell, choose_card(draft));
        set_down(draft->table, seat, cell, is_lucky(dice, 50));
    }
}

/* Leaves a seat only one cell, which it shares with its left neighbour, and leaves that neighbour
 * one or two lines: after a few moves one of them or both may have no cards. */
static void leave_one_cell(struct draft *draft, unsigned seat)
{
    unsigned left = allegra_table_left(draft->table, seat);

    draft->share = 90;
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        clear_cell(draft, seat, cell);
        clear_cell(draft, left, cell);
    }
    add_line(draft, left, 1 + allegra_dice_below(draft->dice, 2), ALLEGRA_CELL_COLUMNS);
    if (is_lucky(draft->dice, 60))
        add_line(draft, left, 3 + allegra_dice_below(draft->dice, 2), ALLEGRA_CELL_COLUMNS);
    for (unsigned cell = 5; cell < ALLEGRA_CELL_COUNT; cell += ALLEGRA_CELL_COLUMNS)
        clear_cell(draft, seat, cell);
    set_card(draft, seat, 0, choose_card(draft));
    set_down(draft->table, seat, 0, true);
}

static void ensure_down(struct draft *draft, unsigned seat)
{
    static const uint8_t cells[] = {1, 2, 3, 6, 7, 8, 11, 12, 13};
    unsigned cell = cells[allegra_dice_below(draft->dice, ARRAY_LEN(cells))];

    if (draft->table->down[seat] != 0)
        return;
    if (!(draft->table->present[seat] >> cell & 1))
        set_card(draft, seat, cell, choose_card(draft));
    set_down(draft->table, seat, cell, true);
}

/* Starts the final round: a player other than the active one is complete. */
static void make_final(struct draft *draft)
{
    struct allegra_table *table = draft->table;
    unsigned trigger =
        (table->active + 1 + allegra_dice_below(draft->dice, table->seats - 1U)) % table->seats;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++)
        set_down(table, trigger, cell, false);
    ensure_down(draft, table->active);
    table->trigger = (uint8_t)trigger;
    table->final_left = (uint8_t)allegra_dice_below(draft->dice, table->seats);
    for (unsigned seat = 0; seat < table->seats; seat++)
        table->completed |= (uint8_t)((unsigned)(table->down[seat] == 0) << seat);
}

/* Puts frequent cards on top of the draw pile. */
static void fill_piles(struct draft *draft)
{
    struct allegra_table *table = draft->table;
    unsigned cards = 0;
    unsigned discarded;

    for (unsigned value = 0; value < ALLEGRA_CARD_VALUES; value++)
        cards += draft->left[value];
    discarded = is_lucky(draft->dice, 50) ? 1 + allegra_dice_below(draft->dice, cards - 1) : 1;
    table->draw_count = (uint8_t)(cards - discarded);
    table->discard_count = (uint8_t)discarded;
    for (unsigned i = table->draw_count; i > 0; i--)
        table->pile[i - 1] =
            i + 6 > table->draw_count ? take(draft, choose_card(draft)) : take_any(draft);
    for (unsigned i = 0; i < discarded; i++)
        table->pile[ALLEGRA_DECK_MAX - 1 - i] = take_any(draft);
}

static void empty_table(struct draft *draft)
{
    struct allegra_table *table = draft->table;

    memset(draft->left, 0, sizeof draft->left);
    for (int card = ALLEGRA_CARD_MIN; card <= ALLEGRA_CARD_MAX; card++)
        draft->left[card - ALLEGRA_CARD_MIN] =
            allegra_rules_cards_of(&table->rules, table->seats, card);
    memset(table->pile, 0, sizeof table->pile);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        table->present[seat] = 0;
        table->down[seat] = 0;
        table->codes[seat] = UINT64_MAX >> 4;
    }
}

/* Starts a turn in the last round of the match. */
static void start_turn(struct allegra_table *table, struct allegra_dice *dice)
{
    table->rules.score_limit = 0;
    table->round = table->rules.rounds;
    table->reveals_left = 0;
    table->turn = (uint16_t)(1 + allegra_dice_below(dice, table->seats * table->rules.turn_limit));
    table->active = (uint8_t)allegra_dice_below(dice, table->seats);
    table->question = ALLEGRA_QUESTION_DRAW;
    table->asked = (uint8_t)(1U << table->active);
}

void random_late_table(struct allegra_table *table, struct allegra_dice *dice)
{
    struct draft draft = {.table = table, .dice = dice, .share = 50};

    random_start(table, dice);
    draft.favourite =
        (int8_t)((int)allegra_dice_below(dice, is_lucky(dice, 50) ? 2 : ALLEGRA_CARD_VALUES) - 1);
    empty_table(&draft);
    start_turn(table, dice);
    for (unsigned seat = 0; seat < table->seats; seat++)
        add_lines(&draft, seat);
    if (table->seats > 2 && is_lucky(dice, 20))
        leave_one_cell(&draft, table->active);
    for (unsigned seat = 0; seat < table->seats; seat++)
        ensure_down(&draft, seat);
    if (is_lucky(dice, 30))
        make_final(&draft);
    fill_piles(&draft);
}
