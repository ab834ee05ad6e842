/* Applies the events that move cards. Each function returns NULL, or why the event is impossible.
 * */

#include "support/event_tracker_private.h"

static bool has_triple(const struct allegra_triples *triples, uint16_t mask)
{
    for (unsigned i = 0; i < triples->count; i++) {
        if (triples->list[i] == mask)
            return true;
    }
    return false;
}

static void discard(struct event_tracker *tracker, int8_t card)
{
    tracker->discard[tracker->discard_count++] = card;
}

/* Puts the card of an event into a cell, which must hold `old`. */
static const char *put_card(struct event_tracker *tracker, const struct allegra_event *event,
                            int8_t old)
{
    struct spot *spot = event_tracker_spot(tracker, event->seat, event->cell);

    if (spot->state == SPOT_GAP || spot->state == SPOT_HOLE)
        return "a card is put into a gap or a hole";
    if (spot->card != old)
        return "the replaced card is not the one in the cell";
    *spot = (struct spot){SPOT_UP, event->card};
    return NULL;
}

/* Takes a card out of a hand. */
static const char *take_from_hand(int8_t *hand, int8_t card)
{
    if (*hand != card)
        return "the played card is not in the hand";
    *hand = ALLEGRA_CARD_NONE;
    return NULL;
}

/* Of the complete players: the active one, else the knocker, else the next one clockwise. */
static unsigned choose_trigger(const struct event_tracker *tracker)
{
    unsigned seat = tracker->active;

    if (tracker->knocker != ALLEGRA_SEAT_NONE && !event_tracker_is_complete(tracker, seat) &&
        event_tracker_is_complete(tracker, tracker->knocker))
        return tracker->knocker;
    for (unsigned i = 0; i < tracker->seats; i++, seat = event_tracker_left(tracker, seat)) {
        if (event_tracker_is_complete(tracker, seat))
            return seat;
    }
    return ALLEGRA_SEAT_NONE;
}

static void note_complete(struct event_tracker *tracker)
{
    if (tracker->trigger != ALLEGRA_SEAT_NONE || tracker->turn == 0)
        return;
    if (tracker->rules.trigger == ALLEGRA_TRIGGER_ACTIVE || tracker->first == ALLEGRA_SEAT_NONE)
        tracker->first = choose_trigger(tracker);
}

const char *event_tracker_apply_turned(struct event_tracker *tracker,
                                       const struct allegra_event *event)
{
    struct spot *spot = event_tracker_spot(tracker, event->seat, event->cell);

    if (spot->state != SPOT_DOWN || spot->card != event->card)
        return "the cell is not down, or holds another card";
    if (event->seat != tracker->active && tracker->turn > 0)
        return "a player out of turn turns up a card";
    spot->state = SPOT_UP;
    note_complete(tracker);
    return NULL;
}

const char *event_tracker_apply_reshuffled(struct event_tracker *tracker,
                                           const struct allegra_event *event)
{
    if (tracker->draw_count != 0 || tracker->discard_count < 2 ||
        event->number != (int32_t)tracker->discard_count - 1 ||
        tracker->rules.reshuffle != ALLEGRA_RESHUFFLE_KEEP_TOP)
        return "the piles must not be reshuffled now";
    tracker->draw_count = tracker->discard_count - 1;
    tracker->discard[0] = tracker->discard[tracker->discard_count - 1];
    tracker->discard_count = 1;
    return NULL;
}

const char *event_tracker_apply_drew_pile(struct event_tracker *tracker,
                                          const struct allegra_event *event)
{
    if (tracker->draw_count == 0 || event->seat != tracker->active)
        return "nothing can be drawn";
    tracker->draw_count--;
    tracker->drawn = event->card;
    return NULL;
}

const char *event_tracker_apply_drew_discard(struct event_tracker *tracker,
                                             const struct allegra_event *event)
{
    if (tracker->discard_count == 0 || event->seat != tracker->active ||
        tracker->discard[tracker->discard_count - 1] != event->card)
        return "the card is not the top of the discard pile";
    tracker->discard_count--;
    tracker->drawn = event->card;
    return NULL;
}

const char *event_tracker_apply_knocked(struct event_tracker *tracker,
                                        const struct allegra_event *event)
{
    if (event->seat == tracker->active ||
        (event->cells & ~event_tracker_present(tracker, event->seat)))
        return "the active player knocks, or a gap is offered";
    if (allegra_cell_count(event_tracker_present(tracker, event->seat)) < 4)
        return "a player with fewer than four cards knocks";
    if (tracker->moved >> event->seat & 1)
        return "a player knocks after the last move";
    if (!tracker->rules.knock_complete && event_tracker_is_complete(tracker, event->seat))
        return "a complete player knocks";
    return NULL;
}

const char *event_tracker_apply_accepted(struct event_tracker *tracker,
                                         const struct allegra_event *event)
{
    tracker->knocker = event->other;
    tracker->has_knock = true;
    return event->seat == tracker->active ? NULL : "a player out of turn accepts the knock";
}

const char *event_tracker_apply_kept(struct event_tracker *tracker,
                                     const struct allegra_event *event)
{
    const char *problem = put_card(tracker, event, event->old);

    if (problem == NULL)
        problem = take_from_hand(&tracker->drawn, event->card);
    tracker->aside = event->old;
    note_complete(tracker);
    return problem;
}

const char *event_tracker_apply_dropped(struct event_tracker *tracker,
                                        const struct allegra_event *event)
{
    discard(tracker, event->card);
    return take_from_hand(&tracker->drawn, event->card);
}

const char *event_tracker_apply_placed(struct event_tracker *tracker,
                                       const struct allegra_event *event)
{
    bool was_down = event_tracker_spot_at(tracker, event->seat, event->cell).state == SPOT_DOWN;
    bool is_secret = was_down && tracker->rules.knock_hand == ALLEGRA_KNOCK_HAND_PRIVATE;
    const char *problem = put_card(tracker, event, event->old);

    if (problem == NULL)
        problem = take_from_hand(&tracker->drawn, event->card);
    if (event->seat != tracker->knocker)
        return "another player than the knocker places the card";
    if (event->seen_by != (is_secret ? 1U << event->seat : UINT8_MAX))
        return "the wrong seats see the hand card of the knocker";
    tracker->hand = event->old;
    note_complete(tracker);
    return problem;
}

const char *event_tracker_apply_took(struct event_tracker *tracker,
                                     const struct allegra_event *event)
{
    struct spot *spot = event_tracker_spot(tracker, event->other, event->cell);

    if (event->other != tracker->knocker || event->seat != tracker->active)
        return "the wrong seat takes a card, or from the wrong seat";
    if ((spot->state != SPOT_UP && spot->state != SPOT_DOWN) || spot->card != event->card)
        return "the taken card is not in the cell";
    *spot = (struct spot){SPOT_HOLE, ALLEGRA_CARD_NONE};
    tracker->taken = event->card;
    note_complete(tracker);
    return NULL;
}

const char *event_tracker_apply_put(struct event_tracker *tracker,
                                    const struct allegra_event *event)
{
    const char *problem = put_card(tracker, event, event->old);

    if (problem == NULL)
        problem = take_from_hand(&tracker->taken, event->card);
    if (event->seat != tracker->active)
        return "a player out of turn puts the taken card";
    tracker->aside = event->old;
    note_complete(tracker);
    return problem;
}

const char *event_tracker_apply_tossed(struct event_tracker *tracker,
                                       const struct allegra_event *event)
{
    discard(tracker, event->card);
    if (tracker->rules.knock_active_swap == ALLEGRA_FORCE_MUST)
        return "the taken card must not be tossed";
    return take_from_hand(&tracker->taken, event->card);
}

const char *event_tracker_apply_returned(struct event_tracker *tracker,
                                         const struct allegra_event *event)
{
    struct spot *spot = event_tracker_spot(tracker, event->seat, event->cell);

    if (spot->state != SPOT_HOLE || event->seat != tracker->knocker)
        return "the hand card does not go into the hole";
    *spot = (struct spot){SPOT_UP, event->card};
    return take_from_hand(&tracker->hand, event->card);
}

static bool is_private_column(uint16_t mask)
{
    return mask == ALLEGRA_CELL_COLUMN_A << 1 || mask == ALLEGRA_CELL_COLUMN_A << 2 ||
           mask == ALLEGRA_CELL_COLUMN_A << 3;
}

/* Whether a seat has a triple now that it did not have before. */
static bool has_new_triple(const struct event_tracker *tracker, unsigned seat,
                           const struct allegra_triples *before)
{
    struct allegra_triples now;

    event_tracker_triples(tracker, seat, &now);
    for (unsigned i = 0; i < now.count; i++) {
        if (!has_triple(before, now.list[i]))
            return true;
    }
    return false;
}

static const char *clear_cells(struct event_tracker *tracker, const struct allegra_event *event)
{
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        struct spot *spot = event_tracker_spot(tracker, event->seat, cell);

        if (!(event->cells >> cell & 1))
            continue;
        if (spot->card != event->card)
            return "the cleared card is not the one of the event";
        discard(tracker, spot->card);
        *spot = (struct spot){SPOT_GAP, ALLEGRA_CARD_NONE};
    }
    return NULL;
}

const char *event_tracker_apply_cleared(struct event_tracker *tracker,
                                        const struct allegra_event *event)
{
    struct allegra_triples before[ALLEGRA_SEATS_MAX] = {{0}};
    const char *problem;

    for (unsigned seat = 0; seat < tracker->seats; seat++)
        event_tracker_triples(tracker, seat, &before[seat]);
    if (!has_triple(&before[event->seat], event->cells))
        return "the cleared cells are not a triple";
    if (event->seat != tracker->active && event->seat != tracker->knocker)
        return "neither the active player nor the knocker clears";
    if (tracker->has_discarded && !tracker->has_knock)
        return "a clear comes after the card set aside is discarded";
    problem = clear_cells(tracker, event);
    tracker->has_chained = false;
    for (unsigned seat = 0; seat < tracker->seats; seat++) {
        if (!has_new_triple(tracker, seat, &before[seat]))
            continue;
        tracker->has_chained = true;
        if (seat != event->seat || !is_private_column(event->cells))
            return "a clear of something other than column B, C or D creates a triple";
    }
    return problem;
}

const char *event_tracker_apply_discarded(struct event_tracker *tracker,
                                          const struct allegra_event *event)
{
    discard(tracker, event->card);
    tracker->has_discarded = true;
    if (event->seat == tracker->active)
        return take_from_hand(&tracker->aside, event->card);
    return take_from_hand(&tracker->hand, event->card);
}
