/* Checks first the table by itself, then what a step may change, then the events with the tracker.
 *
 * Nothing here calls the functions that it checks, with three exceptions where the result itself is
 * the invariant: allegra_legal_list() is never empty, position_problem() finds no problem,
 * and allegra_clear_find() finds the same triples as the tracker. */

#include "support/invariants.h"
#include "game/position.h"

#include <string.h>

/* Cards. */

static void count_card(uint8_t *cards, int card)
{
    if (card >= ALLEGRA_CARD_MIN && card <= ALLEGRA_CARD_MAX)
        cards[card - ALLEGRA_CARD_MIN]++;
}

/* Counts all cards of a table, each shared cell once, in the display where it is column A. */
static void count_cards(const struct allegra_table *table, uint8_t *cards)
{
    memset(cards, 0, ALLEGRA_CARD_VALUES);
    for (unsigned i = 0; i < table->draw_count; i++)
        count_card(cards, table->pile[i]);
    for (unsigned i = 0; i < table->discard_count; i++)
        count_card(cards, table->pile[ALLEGRA_DECK_MAX - 1 - i]);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
            if (cell % ALLEGRA_CELL_COLUMNS != 4 && table->present[seat] >> cell & 1)
                count_card(cards, (int)(table->codes[seat] >> 4 * cell & 15U) - 1);
        }
    }
    count_card(cards, table->drawn);
    count_card(cards, table->hand);
    count_card(cards, table->taken);
    count_card(cards, table->aside);
}

static void count_deck(const struct allegra_table *table, uint8_t *cards)
{
    for (int card = ALLEGRA_CARD_MIN; card <= ALLEGRA_CARD_MAX; card++)
        cards[card - ALLEGRA_CARD_MIN] =
            (uint8_t)allegra_rules_cards_of(&table->rules, table->seats, card);
}

const char *invariants_deck_problem(const struct allegra_table *table)
{
    uint8_t cards[ALLEGRA_CARD_VALUES];
    uint8_t deck[ALLEGRA_CARD_VALUES];

    count_cards(table, cards);
    count_deck(table, deck);
    return memcmp(cards, deck, sizeof deck) == 0 ? NULL : "the cards are not those of the deck";
}

/* The table by itself. */

static const char *check_unused(const struct allegra_table *table)
{
    for (unsigned seat = table->seats; seat < ALLEGRA_SEATS_MAX; seat++) {
        if (table->codes[seat] != 0 || table->present[seat] != 0 || table->down[seat] != 0 ||
            table->total_halves[seat] != 0 || table->offer[seat] != 0)
            return "an unused seat has something";
    }
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (table->codes[seat] >> 4 * ALLEGRA_CELL_COUNT != 0)
            return "there are too many cells";
    }
    return NULL;
}

static const char *check_cell(const struct allegra_table *table, unsigned seat, unsigned cell)
{
    bool is_present = table->present[seat] >> cell & 1;
    bool is_down = table->down[seat] >> cell & 1;
    unsigned code = table->codes[seat] >> 4 * cell & 15U;

    if (is_present == (code == ALLEGRA_TABLE_CODE_GAP) || code == 13)
        return "a cell does not match its code";
    if (is_down && (!is_present || code == ALLEGRA_TABLE_CODE_HOLE))
        return "a gap or a hole is down";
    if (code == ALLEGRA_TABLE_CODE_HOLE && table->hole == ALLEGRA_CELL_NONE)
        return "an unexpected hole";
    return NULL;
}

/* Column E of a seat is column A of its right neighbour. */
static const char *check_shared(const struct allegra_table *table, unsigned seat)
{
    unsigned right = (seat + table->seats - 1U) % table->seats;

    for (unsigned cell = 4; cell < ALLEGRA_CELL_COUNT; cell += ALLEGRA_CELL_COLUMNS) {
        unsigned twin = cell - 4;

        if ((table->present[seat] >> cell & 1) != (table->present[right] >> twin & 1) ||
            (table->down[seat] >> cell & 1) != (table->down[right] >> twin & 1) ||
            (table->codes[seat] >> 4 * cell & 15U) != (table->codes[right] >> 4 * twin & 15U))
            return "a shared cell is not the same in both displays";
    }
    return NULL;
}

static const char *check_cells(const struct allegra_table *table)
{
    const char *problem = NULL;

    for (unsigned seat = 0; seat < table->seats && problem == NULL; seat++) {
        bool is_complete = table->down[seat] == 0;

        problem = check_shared(table, seat);
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT && problem == NULL; cell++)
            problem = check_cell(table, seat, cell);
        if (problem == NULL && is_complete != (table->completed >> seat & 1))
            problem = "the mask of complete players is wrong";
    }
    return problem;
}

/* Masks of questions. */
#define IN(question) (1U << (question))
#define IN_BIDDING (IN(ALLEGRA_QUESTION_KNOCK) | IN(ALLEGRA_QUESTION_ANSWER))
#define IN_KNOCK (IN(ALLEGRA_QUESTION_PLACE) | IN(ALLEGRA_QUESTION_TAKE) | IN(ALLEGRA_QUESTION_PUT))

static bool is_at(const struct allegra_table *table, unsigned questions)
{
    return questions >> table->question & 1;
}

static const char *check_hands(const struct allegra_table *table)
{
    unsigned step = table->clear_step;
    bool is_knock = is_at(table, IN_KNOCK) || step >= ALLEGRA_CLEAR_KNOCK1;
    bool has_hole = table->question == ALLEGRA_QUESTION_PUT || step == ALLEGRA_CLEAR_SWAP;

    if ((table->drawn != ALLEGRA_CARD_NONE) !=
        is_at(table, IN_BIDDING | IN(ALLEGRA_QUESTION_MOVE) | IN(ALLEGRA_QUESTION_PLACE)))
        return "the drawn card is missing, or still in hand";
    if ((table->knocker != ALLEGRA_SEAT_NONE) != is_knock)
        return "a knocker without a knock, or a knock without a knocker";
    if ((table->placed != 0) != (is_knock && table->question != ALLEGRA_QUESTION_PLACE))
        return "the placed cell is lost, or kept too long";
    if ((table->hand != ALLEGRA_CARD_NONE) !=
        (has_hole || table->question == ALLEGRA_QUESTION_TAKE || step == ALLEGRA_CLEAR_KNOCK1))
        return "the hand card is missing, or still in hand";
    if (table->is_hand_private && table->hand == ALLEGRA_CARD_NONE)
        return "an empty hand is private";
    if ((table->hole != ALLEGRA_CELL_NONE) != has_hole ||
        (table->taken != ALLEGRA_CARD_NONE) != (table->question == ALLEGRA_QUESTION_PUT))
        return "the hole or the taken card exists at the wrong time";
    if (table->aside != ALLEGRA_CARD_NONE && step != ALLEGRA_CLEAR_MOVE &&
        step != ALLEGRA_CLEAR_SWAP && step != ALLEGRA_CLEAR_KNOCK2 && step != ALLEGRA_CLEAR_END)
        return "a card is set aside at the wrong time";
    return NULL;
}

static const char *check_clear_step(const struct allegra_table *table)
{
    bool is_clear = table->question == ALLEGRA_QUESTION_CLEAR;

    if ((table->clear_step != ALLEGRA_CLEAR_NOTHING) != is_clear)
        return "a clear step without a question";
    if (!is_clear && table->clear_start != 0)
        return "the start of a clear step is kept";
    return NULL;
}

/* Before a card is drawn, nothing is left of the previous turn. */
static const char *check_bidding(const struct allegra_table *table)
{
    bool is_before = is_at(table, IN(ALLEGRA_QUESTION_NONE) | IN(ALLEGRA_QUESTION_REVEAL) |
                                      IN(ALLEGRA_QUESTION_DRAW)) ||
                     table->clear_step == ALLEGRA_CLEAR_START;

    if (is_before && (table->is_from_discard || table->bid_round != 0 || table->bidders != 0))
        return "the previous turn left something";
    if ((is_at(table, IN_BIDDING | IN_KNOCK) || table->clear_step >= ALLEGRA_CLEAR_KNOCK1) &&
        (table->bid_round == 0 || table->bid_round > table->rules.knock_rounds))
        return "the number of bidding rounds is wrong";
    if ((table->knockers & ~table->bidders) != 0 || table->bidders >> table->active & 1)
        return "a player knocked without being asked";
    if (table->bidders != 0 && (!table->rules.knock || table->seats < 3))
        return "bidding is not possible here";
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (table->offer[seat] != 0 &&
            (!(table->knockers >> seat & 1) || !allegra_cell_is_single(table->offer[seat])))
            return "an offer without a knock, or of several cells";
    }
    return NULL;
}

static const char *check_round(const struct allegra_table *table)
{
    bool is_reveal = table->question == ALLEGRA_QUESTION_REVEAL;

    if ((table->reveals_left != 0) != is_reveal || (table->turn == 0) != is_reveal)
        return "cards are revealed at the wrong time";
    if (table->trigger == ALLEGRA_SEAT_NONE && (table->final_left != 0 || table->final_moved != 0))
        return "a final round without a trigger";
    if (table->first_completed != ALLEGRA_SEAT_NONE && table->clear_step == ALLEGRA_CLEAR_NOTHING &&
        table->question != ALLEGRA_QUESTION_TAKE && table->question != ALLEGRA_QUESTION_PUT)
        return "the turn continues although a player is complete";
    if (table->question == ALLEGRA_QUESTION_DRAW && table->down[table->active] == 0)
        return "the active player draws without a down cell";
    if (table->question == ALLEGRA_QUESTION_DRAW && table->discard_count == 0)
        return "the discard pile is empty at a draw";
    return NULL;
}

/* The asked seats and their legal answers. */
static const char *check_asked(const struct allegra_table *table)
{
    struct allegra_legal legal;
    unsigned expected = table->active;

    if (table->question == ALLEGRA_QUESTION_PLACE || table->clear_step == ALLEGRA_CLEAR_KNOCK1 ||
        table->clear_step == ALLEGRA_CLEAR_KNOCK2)
        expected = table->knocker;
    if (table->question >= ALLEGRA_QUESTION_COUNT ||
        (table->asked == 0) != allegra_table_is_over(table))
        return "no seat is asked before the end of the match, or one is asked after it";
    if (table->question == ALLEGRA_QUESTION_KNOCK && (table->asked & ~table->bidders))
        return "a seat that is not a bidder is asked";
    if (!is_at(table, IN(ALLEGRA_QUESTION_NONE) | IN(ALLEGRA_QUESTION_KNOCK)) &&
        table->asked != 1U << expected)
        return "the wrong seat is asked";
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        allegra_legal_list(table, seat, &legal);
        if ((legal.count > 0) != (table->asked >> seat & 1))
            return "an asked seat has no legal answer, or another seat has one";
    }
    return NULL;
}

typedef const char *check_fn(const struct allegra_table *table);

static check_fn *const checks[] = {check_unused,  check_cells, check_hands, check_clear_step,
                                   check_bidding, check_round, check_asked, position_problem};

const char *invariants_state_problem(const struct allegra_table *table)
{
    const char *problem = NULL;

    for (size_t i = 0; i < ARRAY_LEN(checks) && problem == NULL; i++)
        problem = checks[i](table);
    return problem;
}

/* One step. */

static bool is_new_round(const struct allegra_table *before, const struct allegra_table *after)
{
    return before->round != after->round;
}

static const char *compare_round(const struct allegra_table *before,
                                 const struct allegra_table *after)
{
    for (unsigned seat = 0; seat < after->seats; seat++) {
        if (after->down[seat] & ~before->down[seat])
            return "a cell became down again";
        if (after->present[seat] & ~before->present[seat])
            return "a gap was filled";
    }
    if (before->completed & ~after->completed)
        return "a player is no longer complete";
    if (before->trigger != ALLEGRA_SEAT_NONE && after->trigger != before->trigger)
        return "the trigger changed";
    if (after->reshuffles < before->reshuffles || after->reshuffles > before->reshuffles + 1)
        return "the number of reshuffles is wrong";
    if (after->reshuffles == before->reshuffles &&
        (after->draw_count > before->draw_count ||
         memcmp(after->pile, before->pile, after->draw_count) != 0))
        return "the draw pile changed without a reshuffle";
    if (after->draw_count < before->draw_count && after->drawn != ALLEGRA_CARD_NONE &&
        after->drawn != before->pile[before->draw_count - 1])
        return "the drawn card was not the top card";
    return NULL;
}

static const char *compare_match(const struct allegra_table *before,
                                 const struct allegra_table *after)
{
    if (memcmp(&before->rules, &after->rules, sizeof after->rules) != 0 ||
        before->seats != after->seats)
        return "the rules or the seats changed";
    if (after->round != before->round && after->round != before->round + 1)
        return "the number of rounds is wrong";
    return is_new_round(before, after) ? NULL : compare_round(before, after);
}

static const char *check_cards(struct invariants *invariants, const struct allegra_table *table)
{
    uint8_t cards[ALLEGRA_CARD_VALUES];

    if (is_new_round(&invariants->before, table)) {
        count_deck(table, invariants->cards);
        invariants->is_standard = true;
    }
    count_cards(table, cards);
    if (memcmp(cards, invariants->cards, sizeof cards) != 0)
        return "a card appeared or disappeared";
    return NULL;
}

static bool is_standard_deck(const struct allegra_rules *rules)
{
    struct allegra_rules edition = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);

    return memcmp(rules->deck, edition.deck, sizeof edition.deck) == 0;
}

static const char *check_scores(const struct invariants *invariants,
                                const struct allegra_event *event)
{
    if (event->kind == ALLEGRA_EVENT_SCORED && event->number < ALLEGRA_SCORE_EMPTY &&
        invariants->is_standard && is_standard_deck(&invariants->before.rules))
        return "a raw score below -10";
    return NULL;
}

static const char *apply_events(struct invariants *invariants, const struct allegra_events *events)
{
    const char *problem = NULL;

    if (events->count > ALLEGRA_EVENTS_MAX)
        return "too many events";
    for (unsigned i = 0; i < events->count && problem == NULL; i++) {
        const struct allegra_event *event = &events->list[i];

        if (invariants->corners != NULL)
            corner_cases_before(invariants->corners, &invariants->tracker, event);
        problem = event_tracker_apply(&invariants->tracker, event);
        if (problem == NULL)
            problem = check_scores(invariants, event);
        if (invariants->corners != NULL && problem == NULL)
            corner_cases_after(invariants->corners, &invariants->tracker, event);
    }
    return problem;
}

/* Checks that the game finds the same triples as the tracker. */
static const char *compare_triples(const struct event_tracker *tracker,
                                   const struct allegra_table *table)
{
    struct allegra_triples found;
    struct allegra_triples known;

    allegra_clear_find(table, table->active, &found);
    event_tracker_triples(tracker, table->active, &known);
    if (found.count != known.count ||
        memcmp(found.list, known.list, found.count * sizeof found.list[0]) != 0)
        return "the game does not find the right triples";
    return NULL;
}

/* Checking views is slow, so it is done for one random seat. */
static const char *check_view(struct invariants *invariants, const struct allegra_table *table)
{
    unsigned seat = allegra_dice_below(&invariants->dice, table->seats);

    return invariants_view_problem(table, seat, &invariants->dice);
}

const char *invariants_start(struct invariants *invariants, const struct allegra_table *table,
                             struct corner_cases *corners)
{
    *invariants = (struct invariants){.before = *table, .corners = corners};
    invariants->dice = allegra_dice_from(table->codes[0]);
    count_cards(table, invariants->cards);
    invariants->is_standard = invariants_deck_problem(table) == NULL;
    event_tracker_start(&invariants->tracker, table);
    return invariants_state_problem(table);
}

const char *invariants_check(struct invariants *invariants, const struct allegra_table *table,
                             const struct allegra_events *events)
{
    const char *problem = apply_events(invariants, events);

    if (problem == NULL)
        problem = event_tracker_compare(&invariants->tracker, table);
    if (problem == NULL)
        problem = compare_match(&invariants->before, table);
    if (problem == NULL)
        problem = check_cards(invariants, table);
    if (problem == NULL)
        problem = invariants_state_problem(table);
    if (problem == NULL)
        problem = compare_triples(&invariants->tracker, table);
    if (problem == NULL)
        problem = check_view(invariants, table);
    if (problem == NULL && invariants->corners != NULL)
        corner_cases_question(invariants->corners, table);
    invariants->before = *table;
    return problem;
}
