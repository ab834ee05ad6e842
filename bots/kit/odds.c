/* Counting starts from the whole deck and subtracts the open cards. A shared cell is in two
 * displays, so column E is left to the neighbour, who has it as column A. */

#include "kit/odds.h"

static void take(struct odds *odds, int card)
{
    if (card < ALLEGRA_CARD_MIN || card > ALLEGRA_CARD_MAX ||
        odds->unseen[card - ALLEGRA_CARD_MIN] == 0)
        return;
    odds->unseen[card - ALLEGRA_CARD_MIN]--;
    odds->count--;
}

struct odds odds_of(const struct allegra_view *view, const int8_t *discards, unsigned discard_count)
{
    const int8_t hands[] = {view->drawn, view->hand, view->taken, view->aside};
    struct odds odds = {.count = 0};

    for (int card = ALLEGRA_CARD_MIN; card <= ALLEGRA_CARD_MAX; card++) {
        unsigned cards = allegra_rules_cards_of(&view->rules, view->seats, card);

        odds.unseen[card - ALLEGRA_CARD_MIN] = (uint8_t)cards;
        odds.count += cards;
    }
    for (unsigned seat = 0; seat < view->seats; seat++) {
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
            if (!(ALLEGRA_CELL_COLUMN_E >> cell & 1))
                take(&odds, view->face[seat][cell]);
        }
    }
    for (unsigned i = 0; i < sizeof hands; i++)
        take(&odds, hands[i]);
    for (unsigned i = 0; i < discard_count; i++)
        take(&odds, discards[i]);
    if (discard_count == 0)
        take(&odds, view->discard_top);
    return odds;
}
