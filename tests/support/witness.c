/* The witness: one function for each kind of event, in one table.
 *
 * A new round is the only moment at which he looks at the table again, because nobody tells him the
 * cards that are dealt face down. */

#include "support/witness.h"

#include <string.h>

typedef const char *hear_fn(struct witness *witness, const struct event *event);

static struct spot *spot_of(struct witness *witness, unsigned seat, unsigned cell)
{
    if (cell % CELL_COLUMNS < 4)
        return &witness->spots[seat][cell];
    return &witness->spots[seat == 0 ? witness->seats - 1 : seat - 1][cell - 4];
}

static struct spot spot_at(const struct witness *witness, unsigned seat, unsigned cell)
{
    return *spot_of((struct witness *)witness, seat, cell);
}

uint16_t witness_cells(const struct witness *witness, unsigned seat, enum spot_state state)
{
    uint16_t cells = 0;

    for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
        if (spot_at(witness, seat, cell).state == state)
            cells |= CELL_BIT(cell);
    }
    return cells;
}

uint16_t witness_present(const struct witness *witness, unsigned seat)
{
    return CELL_ALL & (uint16_t)~witness_cells(witness, seat, SPOT_GAP);
}

bool witness_is_complete(const struct witness *witness, unsigned seat)
{
    return witness_cells(witness, seat, SPOT_DOWN) == 0;
}

static unsigned left_of(const struct witness *witness, unsigned seat)
{
    return (seat + 1) % witness->seats;
}

/* Triples. */

/* Whether the cells of `mask`, in one line, are up and equal. */
static bool is_equal_up(const struct witness *witness, unsigned seat, uint16_t mask)
{
    int8_t card = spot_at(witness, seat, cell_of(mask)).card;

    for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
        struct spot spot = spot_at(witness, seat, cell);

        if (mask >> cell & 1 && (spot.state != SPOT_UP || spot.card != card))
            return false;
    }
    return true;
}

/* Whether only gaps lie between the outer cells of a row's mask and are not part of it. */
static bool is_side_by_side(const struct witness *witness, unsigned seat, uint16_t mask)
{
    unsigned first = cell_of(mask);
    unsigned last = 31U - (unsigned)__builtin_clz(mask);

    for (unsigned cell = first; cell < last; cell++) {
        if (!(mask >> cell & 1) && spot_at(witness, seat, cell).state != SPOT_GAP)
            return false;
    }
    return true;
}

void witness_triples(const struct witness *witness, unsigned seat, struct triples *triples)
{
    static const uint16_t threes[] = {7, 11, 19, 13, 21, 25, 14, 22, 26, 28};

    triples->count = 0;
    for (unsigned column = 0; column < CELL_COLUMNS; column++) {
        uint16_t mask = (uint16_t)(CELL_COLUMN_A << column);

        if (is_equal_up(witness, seat, mask))
            triples->list[triples->count++] = mask;
    }
    for (unsigned i = 0; i < CELL_ROWS * ARRAY_LEN(threes); i++) {
        uint16_t mask =
            (uint16_t)(threes[i % ARRAY_LEN(threes)] << i / ARRAY_LEN(threes) * CELL_COLUMNS);

        if (is_equal_up(witness, seat, mask) && (witness->rules.row_match == ROW_MATCH_ANYWHERE ||
                                                 is_side_by_side(witness, seat, mask)))
            triples->list[triples->count++] = mask;
    }
}

static bool has_triple(const struct triples *triples, uint16_t mask)
{
    for (unsigned i = 0; i < triples->count; i++) {
        if (triples->list[i] == mask)
            return true;
    }
    return false;
}

/* Cards. */

static void discard(struct witness *witness, int8_t card)
{
    witness->discard[witness->discard_count++] = card;
}

/* Lays `card` into a cell, which must be able to take it, and tells what was there. */
static const char *lay(struct witness *witness, const struct event *event, int8_t old)
{
    struct spot *spot = spot_of(witness, event->seat, event->cell);

    if (spot->state == SPOT_GAP || spot->state == SPOT_HOLE)
        return "a card was put into a gap or a hole";
    if (spot->card != old)
        return "the card that was replaced is not the one that lay there";
    *spot = (struct spot){SPOT_UP, event->card};
    return NULL;
}

/* Takes a card out of a hand. */
static const char *spend(int8_t *hand, int8_t card)
{
    if (*hand != card)
        return "a card was played that was not in the hand";
    *hand = CARD_NONE;
    return NULL;
}

/* Of those who are complete: the active player, else the knocker, else the next clockwise. */
static unsigned choose_trigger(const struct witness *witness)
{
    unsigned seat = witness->active;

    if (witness->knocker != SEAT_NONE && !witness_is_complete(witness, seat) &&
        witness_is_complete(witness, witness->knocker))
        return witness->knocker;
    for (unsigned i = 0; i < witness->seats; i++, seat = left_of(witness, seat)) {
        if (witness_is_complete(witness, seat))
            return seat;
    }
    return SEAT_NONE;
}

static void note_complete(struct witness *witness)
{
    if (witness->trigger != SEAT_NONE || witness->turn == 0)
        return;
    if (witness->rules.trigger == TRIGGER_ACTIVE || witness->first == SEAT_NONE)
        witness->first = choose_trigger(witness);
}

/* Events. */

static const char *hear_nothing(struct witness *witness, const struct event *event)
{
    (void)witness;
    (void)event;
    return NULL;
}

/* Whether the last round was played and all have their points of it. */
static bool is_match_over(const struct witness *witness)
{
    const struct rules *rules = &witness->rules;
    bool is_reached = witness->round >= 100;

    for (unsigned seat = 0; seat < witness->seats; seat++)
        is_reached |= witness->total_halves[seat] >= 2 * rules->score_limit;
    if (rules->score_limit == 0)
        is_reached = witness->round >= rules->rounds;
    return is_reached && witness->scored == witness->seats;
}

static const char *hear_round(struct witness *witness, const struct event *event)
{
    if (witness->scored != witness->seats)
        return "a round begins before all have their points";
    if (event->number != (int32_t)witness->round + 1 ||
        event->seat != left_of(witness, witness->dealer))
        return "the wrong round or the wrong dealer";
    witness->is_dealt = true;
    return is_match_over(witness) ? "the match should be over" : NULL;
}

static const char *hear_turned(struct witness *witness, const struct event *event)
{
    struct spot *spot = spot_of(witness, event->seat, event->cell);

    if (spot->state != SPOT_DOWN || spot->card != event->card)
        return "that cell was not down, or has another card";
    if (event->seat != witness->active && witness->turn > 0)
        return "somebody else turned up a card";
    spot->state = SPOT_UP;
    note_complete(witness);
    return NULL;
}

/* Who moves next, or SEAT_NONE if the round is over. */
static unsigned next_seat(struct witness *witness)
{
    unsigned seat = left_of(witness, witness->active);

    if (witness->turn == 0)
        return witness->rules.starter == STARTER_DEALER ? witness->dealer
                                                        : left_of(witness, witness->dealer);
    if (witness->trigger == SEAT_NONE &&
        (witness->first != SEAT_NONE ||
         witness->turn >= witness->seats * witness->rules.turn_limit))
        return SEAT_NONE;
    if (witness->trigger == SEAT_NONE)
        return seat;
    for (; witness->final_left > 0; seat = left_of(witness, seat)) {
        witness->final_left--;
        if (!witness_is_complete(witness, seat))
            return seat;
    }
    return SEAT_NONE;
}

/* When all must be cleared, nothing is left after an ordinary turn. */
static bool has_forgotten_triple(const struct witness *witness)
{
    const struct rules *rules = &witness->rules;
    struct triples triples = {0};

    if (rules->clear_row == FORCE_MUST && rules->clear_column == FORCE_MUST &&
        rules->clear_chain == FORCE_MUST && witness->turn > 0 && !witness->has_knock)
        witness_triples(witness, witness->active, &triples);
    return triples.count > 0;
}

static const char *hear_turn(struct witness *witness, const struct event *event)
{
    if (has_forgotten_triple(witness))
        return "a triple was not cleared in the turn before";
    if (event->seat != next_seat(witness))
        return "it is somebody else's turn";
    if (event->number != (int32_t)++witness->turn)
        return "turns are counted wrong";
    if (witness_is_complete(witness, event->seat))
        return "the active player has no down cell";
    witness->active = event->seat;
    witness->moved |= witness->trigger == SEAT_NONE ? 0 : 1U << event->seat;
    witness->knocker = SEAT_NONE;
    witness->has_knock = false;
    witness->has_discarded = false;
    return NULL;
}

static const char *hear_reshuffled(struct witness *witness, const struct event *event)
{
    if (witness->draw_count != 0 || witness->discard_count < 2 ||
        event->number != (int32_t)witness->discard_count - 1 ||
        witness->rules.reshuffle != RESHUFFLE_KEEP_TOP)
        return "this is no reason to make a new draw pile";
    witness->draw_count = witness->discard_count - 1;
    witness->discard[0] = witness->discard[witness->discard_count - 1];
    witness->discard_count = 1;
    return NULL;
}

static const char *hear_drew_pile(struct witness *witness, const struct event *event)
{
    if (witness->draw_count == 0 || event->seat != witness->active)
        return "nothing could be drawn";
    witness->draw_count--;
    witness->drawn = event->card;
    return NULL;
}

static const char *hear_drew_discard(struct witness *witness, const struct event *event)
{
    if (witness->discard_count == 0 || event->seat != witness->active ||
        witness->discard[witness->discard_count - 1] != event->card)
        return "that was not the top of the discard pile";
    witness->discard_count--;
    witness->drawn = event->card;
    return NULL;
}

static const char *hear_knocked(struct witness *witness, const struct event *event)
{
    if (event->seat == witness->active || (event->cells & ~witness_present(witness, event->seat)))
        return "the active player knocked, or a gap was offered";
    if (cell_count(witness_present(witness, event->seat)) < 4)
        return "somebody knocked with fewer than four cards";
    if (witness->moved >> event->seat & 1)
        return "somebody knocked after his last move";
    if (!witness->rules.knock_complete && witness_is_complete(witness, event->seat))
        return "a complete player knocked";
    return NULL;
}

static const char *hear_accepted(struct witness *witness, const struct event *event)
{
    witness->knocker = event->other;
    witness->has_knock = true;
    return event->seat == witness->active ? NULL : "somebody else accepted the knock";
}

static const char *hear_kept(struct witness *witness, const struct event *event)
{
    const char *problem = lay(witness, event, event->old);

    if (problem == NULL)
        problem = spend(&witness->drawn, event->card);
    witness->aside = event->old;
    note_complete(witness);
    return problem;
}

static const char *hear_dropped(struct witness *witness, const struct event *event)
{
    discard(witness, event->card);
    return spend(&witness->drawn, event->card);
}

static const char *hear_placed(struct witness *witness, const struct event *event)
{
    bool was_down = spot_at(witness, event->seat, event->cell).state == SPOT_DOWN;
    bool is_secret = was_down && witness->rules.knock_hand == KNOCK_HAND_PRIVATE;
    const char *problem = lay(witness, event, event->old);

    if (problem == NULL)
        problem = spend(&witness->drawn, event->card);
    if (event->seat != witness->knocker)
        return "somebody else placed the card";
    if (event->seen_by != (is_secret ? 1U << event->seat : UINT8_MAX))
        return "the wrong seats see the hand of the knocker";
    witness->hand = event->old;
    note_complete(witness);
    return problem;
}

static const char *hear_took(struct witness *witness, const struct event *event)
{
    struct spot *spot = spot_of(witness, event->other, event->cell);

    if (event->other != witness->knocker || event->seat != witness->active)
        return "the wrong seat took a card, or from the wrong seat";
    if ((spot->state != SPOT_UP && spot->state != SPOT_DOWN) || spot->card != event->card)
        return "that card was not there to be taken";
    *spot = (struct spot){SPOT_HOLE, CARD_NONE};
    witness->taken = event->card;
    note_complete(witness);
    return NULL;
}

static const char *hear_put(struct witness *witness, const struct event *event)
{
    const char *problem = lay(witness, event, event->old);

    if (problem == NULL)
        problem = spend(&witness->taken, event->card);
    if (event->seat != witness->active)
        return "somebody else put the taken card";
    witness->aside = event->old;
    note_complete(witness);
    return problem;
}

static const char *hear_tossed(struct witness *witness, const struct event *event)
{
    discard(witness, event->card);
    if (witness->rules.knock_active_swap == FORCE_MUST)
        return "the taken card must not be tossed";
    return spend(&witness->taken, event->card);
}

static const char *hear_returned(struct witness *witness, const struct event *event)
{
    struct spot *spot = spot_of(witness, event->seat, event->cell);

    if (spot->state != SPOT_HOLE || event->seat != witness->knocker)
        return "the hand card did not go into the hole";
    *spot = (struct spot){SPOT_UP, event->card};
    return spend(&witness->hand, event->card);
}

static bool is_private_column(uint16_t mask)
{
    return mask == CELL_COLUMN_A << 1 || mask == CELL_COLUMN_A << 2 || mask == CELL_COLUMN_A << 3;
}

/* Whether a seat has a triple now that it did not have before. */
static bool has_new_triple(const struct witness *witness, unsigned seat,
                           const struct triples *before)
{
    struct triples now;

    witness_triples(witness, seat, &now);
    for (unsigned i = 0; i < now.count; i++) {
        if (!has_triple(before, now.list[i]))
            return true;
    }
    return false;
}

static const char *clear_cells(struct witness *witness, const struct event *event)
{
    for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
        struct spot *spot = spot_of(witness, event->seat, cell);

        if (!(event->cells >> cell & 1))
            continue;
        if (spot->card != event->card)
            return "another card than was said was cleared";
        discard(witness, spot->card);
        *spot = (struct spot){SPOT_GAP, CARD_NONE};
    }
    return NULL;
}

static const char *hear_cleared(struct witness *witness, const struct event *event)
{
    struct triples before[RULES_SEATS_MAX];
    const char *problem;

    for (unsigned seat = 0; seat < witness->seats; seat++)
        witness_triples(witness, seat, &before[seat]);
    if (!has_triple(&before[event->seat], event->cells))
        return "what was cleared is no triple";
    if (event->seat != witness->active && event->seat != witness->knocker)
        return "neither the active player nor the knocker cleared";
    if (witness->has_discarded && !witness->has_knock)
        return "something was cleared after the card that was set aside had been discarded";
    problem = clear_cells(witness, event);
    witness->has_chained = false;
    for (unsigned seat = 0; seat < witness->seats; seat++) {
        if (!has_new_triple(witness, seat, &before[seat]))
            continue;
        witness->has_chained = true;
        if (seat != event->seat || !is_private_column(event->cells))
            return "a triple arose from clearing something else than column B, C or D";
    }
    return problem;
}

static const char *hear_discarded(struct witness *witness, const struct event *event)
{
    discard(witness, event->card);
    witness->has_discarded = true;
    if (event->seat == witness->active)
        return spend(&witness->aside, event->card);
    return spend(&witness->hand, event->card);
}

static const char *hear_final(struct witness *witness, const struct event *event)
{
    if (witness->trigger != SEAT_NONE || witness->first != event->seat)
        return "somebody else should be the trigger";
    witness->trigger = event->seat;
    witness->first = SEAT_NONE;
    witness->final_left = witness->seats;
    return NULL;
}

static const char *hear_limit(struct witness *witness, const struct event *event)
{
    witness->is_ended = true;
    if (witness->trigger != SEAT_NONE || witness->first != SEAT_NONE)
        return "the turn limit must not end a final round";
    if (event->number != (int32_t)witness->turn ||
        witness->turn < witness->seats * witness->rules.turn_limit)
        return "the turn limit is not reached";
    return NULL;
}

static const char *hear_exhausted(struct witness *witness, const struct event *event)
{
    witness->is_ended = true;
    if (witness->draw_count > 0 || event->seat != witness->active ||
        witness->rules.reshuffle != RESHUFFLE_END_ROUND)
        return "the draw pile does not end the round";
    return NULL;
}

/* Whether the round may end here. */
static bool is_round_over(struct witness *witness)
{
    if (!witness->is_ended)
        witness->is_ended = witness->trigger != SEAT_NONE && next_seat(witness) == SEAT_NONE;
    return witness->is_ended;
}

static const char *hear_shown(struct witness *witness, const struct event *event)
{
    struct spot *spot = spot_of(witness, event->seat, event->cell);

    if (!is_round_over(witness))
        return "cards are shown before the round is over";
    if (spot->state != SPOT_DOWN || spot->card != event->card)
        return "that cell was not down, or has another card";
    spot->state = SPOT_UP;
    return NULL;
}

static int raw_score(const struct witness *witness, unsigned seat)
{
    int sum = 0;

    for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
        struct spot spot = spot_at(witness, seat, cell);

        sum += spot.state == SPOT_GAP ? 0 : spot.card;
    }
    return witness_present(witness, seat) == 0 ? -10 : sum;
}

/* The points of a seat in halves, as the page of rules tells it. */
static int score_of(const struct witness *witness, unsigned seat)
{
    int raw = raw_score(witness, seat);
    bool is_lowest = true;

    for (unsigned other = 0; other < witness->seats; other++)
        is_lowest &= other == seat || raw_score(witness, other) > raw;
    if (seat != witness->trigger || is_lowest)
        return raw * 2;
    if (raw < 0)
        return witness->rules.failed_negative == FAILED_NEGATIVE_HALVE ? raw : raw * 2;
    return raw * 4;
}

static const char *hear_scored(struct witness *witness, const struct event *event)
{
    unsigned seat = witness->scored;

    if (!is_round_over(witness) || event->seat != seat ||
        !witness_is_complete(witness, event->seat))
        return "points are given too early or to the wrong seat";
    if (event->number != raw_score(witness, seat) || event->score_halves != score_of(witness, seat))
        return "the points are wrong";
    witness->total_halves[seat] += event->score_halves;
    witness->scored++;
    return event->total_halves == witness->total_halves[seat] ? NULL : "the total is wrong";
}

static const char *hear_over(struct witness *witness, const struct event *event)
{
    (void)event;
    witness->is_over = true;
    return is_match_over(witness) ? NULL : "the match ends too early";
}

static hear_fn *const hears[EVENT_COUNT] = {
    [EVENT_ROUND] = hear_round,         [EVENT_TURNED] = hear_turned,
    [EVENT_TURN] = hear_turn,           [EVENT_RESHUFFLED] = hear_reshuffled,
    [EVENT_DREW_PILE] = hear_drew_pile, [EVENT_DREW_DISCARD] = hear_drew_discard,
    [EVENT_PASSED] = hear_nothing,      [EVENT_KNOCKED] = hear_knocked,
    [EVENT_AGAIN] = hear_nothing,       [EVENT_DECLINED] = hear_nothing,
    [EVENT_ACCEPTED] = hear_accepted,   [EVENT_KEPT] = hear_kept,
    [EVENT_DROPPED] = hear_dropped,     [EVENT_PLACED] = hear_placed,
    [EVENT_TOOK] = hear_took,           [EVENT_PUT] = hear_put,
    [EVENT_TOSSED] = hear_tossed,       [EVENT_RETURNED] = hear_returned,
    [EVENT_CLEARED] = hear_cleared,     [EVENT_DISCARDED] = hear_discarded,
    [EVENT_FINAL] = hear_final,         [EVENT_LIMIT] = hear_limit,
    [EVENT_EXHAUSTED] = hear_exhausted, [EVENT_SHOWN] = hear_shown,
    [EVENT_SCORED] = hear_scored,       [EVENT_OVER] = hear_over,
};

const char *witness_hear(struct witness *witness, const struct event *event)
{
    if (event->kind >= EVENT_COUNT || event->seat >= witness->seats ||
        event->other >= witness->seats || event->cell >= CELL_COUNT)
        return "an event of no known kind, seat or cell";
    if (witness->is_over || witness->is_dealt)
        return "something happens after a deal or after the end";
    return hears[event->kind](witness, event);
}

/* Looking. */

static struct spot look(const struct table *table, unsigned seat, unsigned cell)
{
    struct spot spot = {SPOT_GAP, CARD_NONE};

    if (!(table->present[seat] >> cell & 1))
        return spot;
    spot.card = table_card(table, seat, cell);
    spot.state = table->down[seat] >> cell & 1 ? SPOT_DOWN
                 : spot.card == CARD_NONE      ? SPOT_HOLE
                                               : SPOT_UP;
    return spot;
}

static void look_at_piles(struct witness *witness, const struct table *table)
{
    witness->draw_count = table->draw_count;
    witness->discard_count = table->discard_count;
    for (unsigned i = 0; i < table->discard_count; i++)
        witness->discard[i] = table_discarded(table, i);
}

void witness_start(struct witness *witness, const struct table *table)
{
    *witness = (struct witness){
        .rules = table->rules,
        .seats = table->seats,
        .round = table->round,
        .dealer = table->dealer,
        .turn = table->turn,
        .active = table->active,
        .trigger = table->trigger,
        .first = table->first_completed,
        .final_left = table->final_left,
        .moved = table->final_moved,
        .knocker = table->knocker,
        .drawn = table->drawn,
        .hand = table->hand,
        .taken = table->taken,
        .aside = table->aside,
        .has_knock = table->knocker != SEAT_NONE,
        .is_over = table_is_over(table),
    };
    memcpy(witness->total_halves, table->total_halves, sizeof witness->total_halves);
    look_at_piles(witness, table);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (unsigned cell = 0; cell < CELL_COUNT; cell++)
            *spot_of(witness, seat, cell) = look(table, seat, cell);
    }
}

static const char *compare_cells(const struct witness *witness, const struct table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
            struct spot seen = look(table, seat, cell);
            struct spot known = spot_at(witness, seat, cell);

            if (seen.state != known.state || seen.card != known.card)
                return "a cell changed that no event has named, or not in both displays";
        }
    }
    return NULL;
}

static const char *compare_piles(const struct witness *witness, const struct table *table)
{
    if (witness->draw_count != table->draw_count || witness->discard_count != table->discard_count)
        return "a pile has grown or shrunk without an event";
    for (unsigned i = 0; i < table->discard_count; i++) {
        if (witness->discard[i] != table_discarded(table, i))
            return "the discard pile is not in the order of the events";
    }
    return NULL;
}

static const char *compare_rest(const struct witness *witness, const struct table *table)
{
    if (witness->drawn != table->drawn || witness->hand != table->hand ||
        witness->taken != table->taken || witness->aside != table->aside)
        return "a hand holds something else than the events say";
    if (witness->turn != table->turn || (table->turn > 0 && witness->active != table->active))
        return "another turn than the events say";
    if (witness->trigger != table->trigger || witness->final_left != table->final_left ||
        (!witness->is_over && witness->first != table->first_completed))
        return "the final round is not where the events say";
    if (memcmp(witness->total_halves, table->total_halves, sizeof table->total_halves) != 0)
        return "a total changed without an event";
    if (witness->is_over != table_is_over(table) || witness->round != table->round)
        return "the round or the end of the match came without an event";
    return NULL;
}

/* All that is known about a table that was just dealt. */
static const char *check_deal(const struct table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (table->present[seat] != CELL_ALL || table->down[seat] != CELL_ALL)
            return "not everything is down after the deal";
    }
    if (table->discard_count != 1 || table->turn != 0 || table->trigger != SEAT_NONE ||
        table->reshuffles != 0 || table->reveals_left != 2 * table->seats)
        return "something is left from the round before";
    return NULL;
}

const char *witness_compare(struct witness *witness, const struct table *table)
{
    const char *problem;

    if (witness->is_dealt) {
        int32_t totals[RULES_SEATS_MAX];

        memcpy(totals, witness->total_halves, sizeof totals);
        witness_start(witness, table);
        memcpy(witness->total_halves, totals, sizeof totals);
        problem = check_deal(table);
    } else {
        problem = compare_cells(witness, table);
    }
    if (problem == NULL)
        problem = compare_piles(witness, table);
    return problem != NULL ? problem : compare_rest(witness, table);
}
