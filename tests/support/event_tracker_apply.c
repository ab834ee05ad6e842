/* The course of a round and of the match, as the witness expects it; and the table that says which
 * function hears which event. */

#include "support/witness_private.h"

static const char *hear_nothing(struct witness *witness, const struct allegra_event *event)
{
    (void)witness;
    (void)event;
    return NULL;
}

/* Whether the last round was played and all have their points of it. */
static bool is_match_over(const struct witness *witness)
{
    const struct allegra_rules *rules = &witness->rules;
    bool is_reached = witness->round >= 100;

    for (unsigned seat = 0; seat < witness->seats; seat++)
        is_reached |= witness->total_halves[seat] >= 2 * rules->score_limit;
    if (rules->score_limit == 0)
        is_reached = witness->round >= rules->rounds;
    return is_reached && witness->scored == witness->seats;
}

static const char *hear_round(struct witness *witness, const struct allegra_event *event)
{
    if (witness->scored != witness->seats)
        return "a round begins before all have their points";
    if (event->number != (int32_t)witness->round + 1 ||
        event->seat != witness_left(witness, witness->dealer))
        return "the wrong round or the wrong dealer";
    witness->is_dealt = true;
    return is_match_over(witness) ? "the match should be over" : NULL;
}

/* Who moves next, or ALLEGRA_SEAT_NONE if the round is over. */
static unsigned next_seat(struct witness *witness)
{
    unsigned seat = witness_left(witness, witness->active);

    if (witness->turn == 0)
        return witness->rules.starter == ALLEGRA_STARTER_DEALER
                   ? witness->dealer
                   : witness_left(witness, witness->dealer);
    if (witness->trigger == ALLEGRA_SEAT_NONE &&
        (witness->first != ALLEGRA_SEAT_NONE ||
         witness->turn >= witness->seats * witness->rules.turn_limit))
        return ALLEGRA_SEAT_NONE;
    if (witness->trigger == ALLEGRA_SEAT_NONE)
        return seat;
    for (; witness->final_left > 0; seat = witness_left(witness, seat)) {
        witness->final_left--;
        if (!witness_is_complete(witness, seat))
            return seat;
    }
    return ALLEGRA_SEAT_NONE;
}

/* When all must be cleared, nothing is left after an ordinary turn. */
static bool has_forgotten_triple(const struct witness *witness)
{
    const struct allegra_rules *rules = &witness->rules;
    struct allegra_triples triples = {0};

    if (rules->clear_row == ALLEGRA_FORCE_MUST && rules->clear_column == ALLEGRA_FORCE_MUST &&
        rules->clear_chain == ALLEGRA_FORCE_MUST && witness->turn > 0 && !witness->has_knock)
        witness_triples(witness, witness->active, &triples);
    return triples.count > 0;
}

static const char *hear_turn(struct witness *witness, const struct allegra_event *event)
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
    witness->moved |= witness->trigger == ALLEGRA_SEAT_NONE ? 0 : 1U << event->seat;
    witness->knocker = ALLEGRA_SEAT_NONE;
    witness->has_knock = false;
    witness->has_discarded = false;
    return NULL;
}

static const char *hear_final(struct witness *witness, const struct allegra_event *event)
{
    if (witness->trigger != ALLEGRA_SEAT_NONE || witness->first != event->seat)
        return "somebody else should be the trigger";
    witness->trigger = event->seat;
    witness->first = ALLEGRA_SEAT_NONE;
    witness->final_left = witness->seats;
    return NULL;
}

static const char *hear_limit(struct witness *witness, const struct allegra_event *event)
{
    witness->is_ended = true;
    if (witness->trigger != ALLEGRA_SEAT_NONE || witness->first != ALLEGRA_SEAT_NONE)
        return "the turn limit must not end a final round";
    if (event->number != (int32_t)witness->turn ||
        witness->turn < witness->seats * witness->rules.turn_limit)
        return "the turn limit is not reached";
    return NULL;
}

static const char *hear_exhausted(struct witness *witness, const struct allegra_event *event)
{
    witness->is_ended = true;
    if (witness->draw_count > 0 || event->seat != witness->active ||
        witness->rules.reshuffle != ALLEGRA_RESHUFFLE_END_ROUND)
        return "the draw pile does not end the round";
    return NULL;
}

/* Whether the round may end here. */
static bool is_round_over(struct witness *witness)
{
    if (!witness->is_ended)
        witness->is_ended =
            witness->trigger != ALLEGRA_SEAT_NONE && next_seat(witness) == ALLEGRA_SEAT_NONE;
    return witness->is_ended;
}

static const char *hear_shown(struct witness *witness, const struct allegra_event *event)
{
    struct spot *spot = witness_spot(witness, event->seat, event->cell);

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

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        struct spot spot = witness_spot_at(witness, seat, cell);

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
        return witness->rules.failed_negative == ALLEGRA_FAILED_NEGATIVE_HALVE ? raw : raw * 2;
    return raw * 4;
}

static const char *hear_scored(struct witness *witness, const struct allegra_event *event)
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

static const char *hear_over(struct witness *witness, const struct allegra_event *event)
{
    (void)event;
    witness->is_over = true;
    return is_match_over(witness) ? NULL : "the match ends too early";
}

static witness_hear_fn *const hears[ALLEGRA_EVENT_COUNT] = {
    [ALLEGRA_EVENT_ROUND] = hear_round,
    [ALLEGRA_EVENT_TURNED] = witness_hear_turned,
    [ALLEGRA_EVENT_TURN] = hear_turn,
    [ALLEGRA_EVENT_RESHUFFLED] = witness_hear_reshuffled,
    [ALLEGRA_EVENT_DREW_PILE] = witness_hear_drew_pile,
    [ALLEGRA_EVENT_DREW_DISCARD] = witness_hear_drew_discard,
    [ALLEGRA_EVENT_PASSED] = hear_nothing,
    [ALLEGRA_EVENT_KNOCKED] = witness_hear_knocked,
    [ALLEGRA_EVENT_AGAIN] = hear_nothing,
    [ALLEGRA_EVENT_DECLINED] = hear_nothing,
    [ALLEGRA_EVENT_ACCEPTED] = witness_hear_accepted,
    [ALLEGRA_EVENT_KEPT] = witness_hear_kept,
    [ALLEGRA_EVENT_DROPPED] = witness_hear_dropped,
    [ALLEGRA_EVENT_PLACED] = witness_hear_placed,
    [ALLEGRA_EVENT_TOOK] = witness_hear_took,
    [ALLEGRA_EVENT_PUT] = witness_hear_put,
    [ALLEGRA_EVENT_TOSSED] = witness_hear_tossed,
    [ALLEGRA_EVENT_RETURNED] = witness_hear_returned,
    [ALLEGRA_EVENT_CLEARED] = witness_hear_cleared,
    [ALLEGRA_EVENT_DISCARDED] = witness_hear_discarded,
    [ALLEGRA_EVENT_FINAL] = hear_final,
    [ALLEGRA_EVENT_LIMIT] = hear_limit,
    [ALLEGRA_EVENT_EXHAUSTED] = hear_exhausted,
    [ALLEGRA_EVENT_SHOWN] = hear_shown,
    [ALLEGRA_EVENT_SCORED] = hear_scored,
    [ALLEGRA_EVENT_OVER] = hear_over,
};

const char *witness_hear(struct witness *witness, const struct allegra_event *event)
{
    if (event->kind >= ALLEGRA_EVENT_COUNT || event->seat >= witness->seats ||
        event->other >= witness->seats || event->cell >= ALLEGRA_CELL_COUNT)
        return "an event of no known kind, seat or cell";
    if (witness->is_over || witness->is_dealt)
        return "something happens after a deal or after the end";
    return hears[event->kind](witness, event);
}
