/* Checks that a view leaks nothing: changes everything that its seat may not know, after which the
 * view must be the same. */

#include "base/text.h"
#include "support/invariants.h"

#include <stddef.h>
#include <string.h>

struct part {
    size_t offset;
    size_t size;
};

/* The members of a view one by one, because the padding between them is undefined. */
#define PART(member)                                                                               \
    {                                                                                              \
        offsetof(struct allegra_view, member), sizeof(((struct allegra_view *)0)->member)          \
    }
static const struct part parts[] = {
    PART(rules),
    PART(total_halves),
    PART(face),
    PART(discard_top),
    PART(draw_count),
    PART(discard_count),
    PART(me),
    PART(seats),
    PART(dealer),
    PART(round),
    PART(active),
    PART(turn),
    PART(is_final),
    PART(trigger),
    PART(final_left),
    PART(final_moved),
    PART(question),
    PART(drawn),
    PART(is_from_discard),
    PART(bid_round),
    PART(bidders),
    PART(knockers),
    PART(offer),
    PART(knocker),
    PART(placed),
    PART(hand),
    PART(taken),
    PART(aside),
    PART(clear_step),
    PART(clear_start),
    PART(first_completed),
};
#undef PART

static bool is_same_view(const struct allegra_view *one, const struct allegra_view *other)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (memcmp((const char *)one + parts[i].offset, (const char *)other + parts[i].offset,
                   parts[i].size) != 0)
            return false;
    }
    return true;
}

static int8_t random_card(struct allegra_dice *dice)
{
    return (int8_t)((int)allegra_dice_below(dice, ALLEGRA_CARD_VALUES) + ALLEGRA_CARD_MIN);
}

static void randomise_cell(struct allegra_table *table, unsigned seat, unsigned cell,
                           struct allegra_dice *dice)
{
    uint64_t code = (uint64_t)(random_card(dice) - ALLEGRA_CARD_MIN);

    if (table->down[seat] >> cell & 1)
        table->codes[seat] = (table->codes[seat] & ~(UINT64_C(15) << 4 * cell)) | code << 4 * cell;
}

/* Randomises everything that `seat` may not know. */
static void randomise(struct allegra_table *table, unsigned seat, struct allegra_dice *dice)
{
    for (unsigned other = 0; other < table->seats; other++) {
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++)
            randomise_cell(table, other, cell, dice);
    }
    for (unsigned i = 0; i < table->draw_count; i++)
        table->pile[i] = random_card(dice);
    for (unsigned i = 0; i + 1U < table->discard_count; i++)
        table->pile[ALLEGRA_DECK_MAX - 1 - i] = random_card(dice);
    if (table->is_hand_private && table->knocker != seat)
        table->hand = random_card(dice);
    if (table->question != ALLEGRA_QUESTION_KNOCK)
        return;
    table->knockers = (uint8_t)allegra_dice_next(dice);
    table->asked ^= (uint8_t)(allegra_dice_next(dice) & ~(1U << seat));
    for (unsigned other = 0; other < ALLEGRA_SEATS_MAX; other++)
        table->offer[other] = (uint16_t)allegra_dice_next(dice);
}

static const char *check_faces(const struct allegra_table *table, const struct allegra_view *view)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
            bool is_down = table->down[seat] >> cell & 1;
            bool is_gap = !(table->present[seat] >> cell & 1);
            int code = (int)(table->codes[seat] >> 4 * cell & 15U);
            int face = is_gap       ? ALLEGRA_VIEW_GAP
                       : is_down    ? ALLEGRA_VIEW_DOWN
                       : code == 14 ? ALLEGRA_VIEW_HOLE
                                    : code - 1;

            if (view->face[seat][cell] != face)
                return "a view shows a wrong cell";
        }
    }
    return NULL;
}

const char *invariants_view_problem(const struct allegra_table *table, unsigned seat,
                                    struct allegra_dice *dice)
{
    struct allegra_table other = *table;
    struct allegra_view view = allegra_view_of(table, seat);
    struct allegra_view again;

    randomise(&other, seat, dice);
    again = allegra_view_of(&other, seat);
    if (!is_same_view(&view, &again))
        return "a view shows something that its seat may not know";
    return check_faces(table, &view);
}
