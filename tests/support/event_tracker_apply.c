/* Applies the events of the course of a round and of the match, and dispatches all events. */

#include "support/event_tracker_private.h"

static const char *apply_nothing(struct event_tracker *tracker, const struct allegra_event *event)
{
    (void)tracker;
    (void)event;
    return NULL;
}

/* Whether the last round is over and all seats have their scores. */
static bool is_match_over(const struct event_tracker *tracker)
{
    const struct allegra_rules *rules = &tracker->rules;
    bool is_reached = tracker->round >= 100;

    for (unsigned seat = 0; seat < tracker->seats; seat++)
        is_reached |= tracker->total_halves[seat] >= 2 * rules->score_limit;
    if (rules->score_limit == 0)
        is_reached = tracker->round >= rules->rounds;
    return is_reached && tracker->scored == tracker->seats;
}

static const char *apply_round(struct event_tracker *tracker, const struct allegra_event *event)
{
    if (tracker->scored != tracker->seats)
        return "a round starts before all seats have their scores";
    if (event->number != (int32_t)tracker->round + 1 ||
        event->seat != event_tracker_left(tracker, tracker->dealer))
        return "the wrong round or the wrong dealer";
    tracker->is_dealt = true;
    return is_match_over(tracker) ? "the match should be over" : NULL;
}

/* The seat that moves next, or ALLEGRA_SEAT_NONE if the round is over. */
static unsigned next_seat(struct event_tracker *tracker)
{
    unsigned seat = event_tracker_left(tracker, tracker->active);

    if (tracker->turn == 0)
        return tracker->rules.starter == ALLEGRA_STARTER_DEALER
                   ? tracker->dealer
                   : event_tracker_left(tracker, tracker->dealer);
    if (tracker->trigger == ALLEGRA_SEAT_NONE &&
        (tracker->first != ALLEGRA_SEAT_NONE ||
         tracker->turn >= tracker->seats * tracker->rules.turn_limit))
        return ALLEGRA_SEAT_NONE;
    if (tracker->trigger == ALLEGRA_SEAT_NONE)
        return seat;
    for (; tracker->final_left > 0; seat = event_tracker_left(tracker, seat)) {
        tracker->final_left--;
        if (!event_tracker_is_complete(tracker, seat))
            return seat;
    }
    return ALLEGRA_SEAT_NONE;
}

/* Whether a turn without a knock left a triple although the rules require clearing all. */
static bool has_forgotten_triple(const struct event_tracker *tracker)
{
    const struct allegra_rules *rules = &tracker->rules;
    struct allegra_triples triples = {0};

    if (rules->clear_row == ALLEGRA_FORCE_MUST && rules->clear_column == ALLEGRA_FORCE_MUST &&
        rules->clear_chain == ALLEGRA_FORCE_MUST && tracker->turn > 0 && !tracker->has_knock)
        event_tracker_triples(tracker, tracker->active, &triples);
    return triples.count > 0;
}

static const char *apply_turn(struct event_tracker *tracker, const struct allegra_event *event)
{
    if (has_forgotten_triple(tracker))
        return "a triple is left from the previous turn";
    if (event->seat != next_seat(tracker))
        return "the wrong seat has the turn";
    if (event->number != (int32_t)++tracker->turn)
        return "turns are counted wrong";
    if (event_tracker_is_complete(tracker, event->seat))
        return "the active player has no down cell";
    tracker->active = event->seat;
    tracker->moved |= tracker->trigger == ALLEGRA_SEAT_NONE ? 0 : 1U << event->seat;
    tracker->knocker = ALLEGRA_SEAT_NONE;
    tracker->has_knock = false;
    tracker->has_discarded = false;
    return NULL;
}

static const char *apply_final(struct event_tracker *tracker, const struct allegra_event *event)
{
    if (tracker->trigger != ALLEGRA_SEAT_NONE || tracker->first != event->seat)
        return "the wrong seat is the trigger";
    tracker->trigger = event->seat;
    tracker->first = ALLEGRA_SEAT_NONE;
    tracker->final_left = tracker->seats;
    return NULL;
}

static const char *apply_limit(struct event_tracker *tracker, const struct allegra_event *event)
{
    tracker->is_ended = true;
    if (tracker->trigger != ALLEGRA_SEAT_NONE || tracker->first != ALLEGRA_SEAT_NONE)
        return "the turn limit must not end a final round";
    if (event->number != (int32_t)tracker->turn ||
        tracker->turn < tracker->seats * tracker->rules.turn_limit)
        return "the turn limit is not reached";
    return NULL;
}

static const char *apply_exhausted(struct event_tracker *tracker, const struct allegra_event *event)
{
    tracker->is_ended = true;
    if (tracker->draw_count > 0 || event->seat != tracker->active ||
        tracker->rules.reshuffle != ALLEGRA_RESHUFFLE_END_ROUND)
        return "the draw pile does not end the round";
    return NULL;
}

/* Whether the round may end here. */
static bool is_round_over(struct event_tracker *tracker)
{
    if (!tracker->is_ended)
        tracker->is_ended =
            tracker->trigger != ALLEGRA_SEAT_NONE && next_seat(tracker) == ALLEGRA_SEAT_NONE;
    return tracker->is_ended;
}

static const char *apply_shown(struct event_tracker *tracker, const struct allegra_event *event)
{
    struct spot *spot = event_tracker_spot(tracker, event->seat, event->cell);

    if (!is_round_over(tracker))
        return "cards are shown before the end of the round";
    if (spot->state != SPOT_DOWN || spot->card != event->card)
        return "the cell is not down, or holds another card";
    spot->state = SPOT_UP;
    return NULL;
}

static int raw_score(const struct event_tracker *tracker, unsigned seat)
{
    int sum = 0;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        struct spot spot = event_tracker_spot_at(tracker, seat, cell);

        sum += spot.state == SPOT_GAP ? 0 : spot.card;
    }
    return event_tracker_present(tracker, seat) == 0 ? -10 : sum;
}

/* The score of a seat in halves, as the written rules define it. */
static int score_of(const struct event_tracker *tracker, unsigned seat)
{
    int raw = raw_score(tracker, seat);
    bool is_lowest = true;

    for (unsigned other = 0; other < tracker->seats; other++)
        is_lowest &= other == seat || raw_score(tracker, other) > raw;
    if (seat != tracker->trigger || is_lowest)
        return raw * 2;
    if (raw < 0)
        return tracker->rules.failed_negative == ALLEGRA_FAILED_NEGATIVE_HALVE ? raw : raw * 2;
    return raw * 4;
}

static const char *apply_scored(struct event_tracker *tracker, const struct allegra_event *event)
{
    unsigned seat = tracker->scored;

    if (!is_round_over(tracker) || event->seat != seat ||
        !event_tracker_is_complete(tracker, event->seat))
        return "a score comes too early or for the wrong seat";
    if (event->number != raw_score(tracker, seat) || event->score_halves != score_of(tracker, seat))
        return "the score is wrong";
    tracker->total_halves[seat] += event->score_halves;
    tracker->scored++;
    return event->total_halves == tracker->total_halves[seat] ? NULL : "the total is wrong";
}

static const char *apply_over(struct event_tracker *tracker, const struct allegra_event *event)
{
    (void)event;
    tracker->is_over = true;
    return is_match_over(tracker) ? NULL : "the match ends too early";
}

static event_tracker_apply_fn *const appliers[ALLEGRA_EVENT_COUNT] = {
    [ALLEGRA_EVENT_ROUND] = apply_round,
    [ALLEGRA_EVENT_TURNED] = event_tracker_apply_turned,
    [ALLEGRA_EVENT_TURN] = apply_turn,
    [ALLEGRA_EVENT_RESHUFFLED] = event_tracker_apply_reshuffled,
    [ALLEGRA_EVENT_DREW_PILE] = event_tracker_apply_drew_pile,
    [ALLEGRA_EVENT_DREW_DISCARD] = event_tracker_apply_drew_discard,
    [ALLEGRA_EVENT_PASSED] = apply_nothing,
    [ALLEGRA_EVENT_KNOCKED] = event_tracker_apply_knocked,
    [ALLEGRA_EVENT_AGAIN] = apply_nothing,
    [ALLEGRA_EVENT_DECLINED] = apply_nothing,
    [ALLEGRA_EVENT_ACCEPTED] = event_tracker_apply_accepted,
    [ALLEGRA_EVENT_KEPT] = event_tracker_apply_kept,
    [ALLEGRA_EVENT_DROPPED] = event_tracker_apply_dropped,
    [ALLEGRA_EVENT_PLACED] = event_tracker_apply_placed,
    [ALLEGRA_EVENT_TOOK] = event_tracker_apply_took,
    [ALLEGRA_EVENT_PUT] = event_tracker_apply_put,
    [ALLEGRA_EVENT_TOSSED] = event_tracker_apply_tossed,
    [ALLEGRA_EVENT_RETURNED] = event_tracker_apply_returned,
    [ALLEGRA_EVENT_CLEARED] = event_tracker_apply_cleared,
    [ALLEGRA_EVENT_DISCARDED] = event_tracker_apply_discarded,
    [ALLEGRA_EVENT_FINAL] = apply_final,
    [ALLEGRA_EVENT_LIMIT] = apply_limit,
    [ALLEGRA_EVENT_EXHAUSTED] = apply_exhausted,
    [ALLEGRA_EVENT_SHOWN] = apply_shown,
    [ALLEGRA_EVENT_SCORED] = apply_scored,
    [ALLEGRA_EVENT_OVER] = apply_over,
};

const char *event_tracker_apply(struct event_tracker *tracker, const struct allegra_event *event)
{
    if (event->kind >= ALLEGRA_EVENT_COUNT || event->seat >= tracker->seats ||
        event->other >= tracker->seats || event->cell >= ALLEGRA_CELL_COUNT)
        return "an event of unknown kind, seat or cell";
    if (tracker->is_over || tracker->is_dealt)
        return "an event after a deal or after the end";
    return appliers[event->kind](tracker, event);
}
