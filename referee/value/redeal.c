/* Hidden cards are counted by value, and dealt again from the counts: where a card really lies
 * cannot leave a trace in the result. */

#include "value/redeal.h"

static void set_card(struct allegra_table *table, unsigned seat, unsigned cell, int card)
{
    uint64_t code = (uint64_t)(card - ALLEGRA_CARD_MIN);

    for (unsigned side = 0; side < 2; side++) {
        table->codes[seat] = (table->codes[seat] & ~(UINT64_C(15) << 4 * cell)) | code << 4 * cell;
        allegra_table_twin(table, &seat, &cell);
    }
}

/* The down cells that a seat stands for, so that a shared one is counted once: all but column E. */
static uint16_t down_of(const struct allegra_table *table, unsigned seat)
{
    return table->down[seat] & (uint16_t)~ALLEGRA_CELL_COLUMN_E;
}

static bool is_hand_hidden(const struct allegra_table *table, unsigned seat)
{
    return table->is_hand_private && table->hand != ALLEGRA_CARD_NONE &&
           seat != ALLEGRA_SEAT_NONE && seat != table->knocker;
}

/* Compilers cannot know that what lies on a table is a card. */
static void count_card(struct redeal *redeal, enum redeal_pool pool, int card)
{
    unsigned value = (unsigned)(card - ALLEGRA_CARD_MIN);

    if (value >= ALLEGRA_CARD_VALUES)
        return;
    redeal->counts[pool][value]++;
    redeal->total[pool]++;
}

/* Makes one pool of both. */
static void merge(struct redeal *redeal)
{
    for (unsigned card = 0; card < ALLEGRA_CARD_VALUES; card++) {
        redeal->counts[REDEAL_DOWN][card] += redeal->counts[REDEAL_DRAW][card];
        redeal->counts[REDEAL_DRAW][card] = redeal->counts[REDEAL_DOWN][card];
    }
    redeal->total[REDEAL_DOWN] += redeal->total[REDEAL_DRAW];
    redeal->total[REDEAL_DRAW] = redeal->total[REDEAL_DOWN];
}

void redeal_count(struct redeal *redeal, const struct allegra_table *table, unsigned seat)
{
    *redeal = (struct redeal){.is_one_pool = table->reshuffles == 0};
    for (unsigned i = 0; i < table->draw_count; i++)
        count_card(redeal, REDEAL_DRAW, table->pile[i]);
    for (unsigned owner = 0; owner < table->seats; owner++) {
        for (uint16_t rest = down_of(table, owner); rest != 0; rest &= (uint16_t)(rest - 1))
            count_card(redeal, REDEAL_DOWN,
                       allegra_table_card(table, owner, allegra_cell_lowest(rest)));
    }
    if (is_hand_hidden(table, seat))
        count_card(redeal, REDEAL_DOWN, table->hand);
    if (redeal->is_one_pool)
        merge(redeal);
}

/* Takes a random card out of a pool. */
static int take(struct redeal *redeal, enum redeal_pool pool, struct allegra_dice *dice)
{
    enum redeal_pool from = redeal->is_one_pool ? REDEAL_DOWN : pool;
    uint32_t skip = allegra_dice_below(dice, redeal->total[from]);
    unsigned card = 0;

    while (skip >= redeal->counts[from][card])
        skip -= redeal->counts[from][card++];
    redeal->counts[from][card]--;
    redeal->total[from]--;
    return (int)card + ALLEGRA_CARD_MIN;
}

void redeal_hidden(struct allegra_table *table, unsigned seat, struct allegra_dice *dice)
{
    struct redeal redeal;

    redeal_count(&redeal, table, seat);
    for (unsigned owner = 0; owner < table->seats; owner++) {
        for (uint16_t rest = down_of(table, owner); rest != 0; rest &= (uint16_t)(rest - 1))
            set_card(table, owner, allegra_cell_lowest(rest), take(&redeal, REDEAL_DOWN, dice));
    }
    if (is_hand_hidden(table, seat))
        table->hand = (int8_t)take(&redeal, REDEAL_DOWN, dice);
    for (unsigned i = 0; i < table->draw_count; i++)
        table->pile[i] = (int8_t)take(&redeal, REDEAL_DRAW, dice);
}

/* Replaces one card `card` of the draw pile by `by`. Returns whether there is one. */
static bool replace_in_pile(struct allegra_table *table, int card, int by)
{
    for (unsigned i = 0; i < table->draw_count; i++) {
        if (table->pile[i] == card) {
            table->pile[i] = (int8_t)by;
            return true;
        }
    }
    return false;
}

static bool replace_in_cells(struct allegra_table *table, int card, int by)
{
    for (unsigned owner = 0; owner < table->seats; owner++) {
        for (uint16_t rest = down_of(table, owner); rest != 0; rest &= (uint16_t)(rest - 1)) {
            unsigned cell = allegra_cell_lowest(rest);

            if (allegra_table_card(table, owner, cell) == card) {
                set_card(table, owner, cell, by);
                return true;
            }
        }
    }
    return false;
}

void redeal_place(struct allegra_table *table, unsigned seat, unsigned cell, int card)
{
    bool is_pile = seat == ALLEGRA_SEAT_NONE;
    bool is_one_pool = table->reshuffles == 0;
    int old = is_pile ? table->pile[table->draw_count - 1] : allegra_table_card(table, seat, cell);

    if (old == card)
        return;
    if (!((is_one_pool || is_pile) && replace_in_pile(table, card, old)) &&
        (is_one_pool || !is_pile))
        replace_in_cells(table, card, old);
    if (is_pile)
        table->pile[table->draw_count - 1] = (int8_t)card;
    else
        set_card(table, seat, cell, card);
}
