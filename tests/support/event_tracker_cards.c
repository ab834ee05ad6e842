/* Cards on the move, as the witness does it after what he hears. Each function returns NULL, or why the
 * event cannot be true. */

#include "support/witness_private.h"

static bool has_triple(const struct allegra_triples *triples, uint16_t mask)
{
    for (unsigned i = 0; i < triples->count; i++) {
        if (triples->list[i] == mask)
            return true;
    }
    return false;
}

static void discard(struct witness *witness, int8_t card)
{
    witness->discard[witness->discard_count++] = card;
}

/* Lays `card` into a cell, which must be able to take it, and tells what was there. */
static const char *lay(struct witness *witness, const struct allegra_event *event, int8_t old)
{
    struct spot *spot = witness_spot(witness, event->seat, event->cell);

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
    *hand = ALLEGRA_CARD_NONE;
    return NULL;
}

/* Of those who are complete: the active player, else the knocker, else the next clockwise. */
static unsigned choose_trigger(const struct witness *witness)
{
    unsigned seat = witness->active;

    if (witness->knocker != ALLEGRA_SEAT_NONE && !witness_is_complete(witness, seat) &&
        witness_is_complete(witness, witness->knocker))
        return witness->knocker;
    for (unsigned i = 0; i < witness->seats; i++, seat = witness_left(witness, seat)) {
        if (witness_is_complete(witness, seat))
            return seat;
    }
    return ALLEGRA_SEAT_NONE;
}

static void note_complete(struct witness *witness)
{
    if (witness->trigger != ALLEGRA_SEAT_NONE || witness->turn == 0)
        return;
    if (witness->rules.trigger == ALLEGRA_TRIGGER_ACTIVE || witness->first == ALLEGRA_SEAT_NONE)
        witness->first = choose_trigger(witness);
}

const char *witness_hear_turned(struct witness *witness, const struct allegra_event *event)
{
    struct spot *spot = witness_spot(witness, event->seat, event->cell);

    if (spot->state != SPOT_DOWN || spot->card != event->card)
        return "that cell was not down, or has another card";
    if (event->seat != witness->active && witness->turn > 0)
        return "somebody else turned up a card";
    spot->state = SPOT_UP;
    note_complete(witness);
    return NULL;
}

const char *witness_hear_reshuffled(struct witness *witness, const struct allegra_event *event)
{
    if (witness->draw_count != 0 || witness->discard_count < 2 ||
        event->number != (int32_t)witness->discard_count - 1 ||
        witness->rules.reshuffle != ALLEGRA_RESHUFFLE_KEEP_TOP)
        return "this is no reason to make a new draw pile";
    witness->draw_count = witness->discard_count - 1;
    witness->discard[0] = witness->discard[witness->discard_count - 1];
    witness->discard_count = 1;
    return NULL;
}

const char *witness_hear_drew_pile(struct witness *witness, const struct allegra_event *event)
{
    if (witness->draw_count == 0 || event->seat != witness->active)
        return "nothing could be drawn";
    witness->draw_count--;
    witness->drawn = event->card;
    return NULL;
}

const char *witness_hear_drew_discard(struct witness *witness, const struct allegra_event *event)
{
    if (witness->discard_count == 0 || event->seat != witness->active ||
        witness->discard[witness->discard_count - 1] != event->card)
        return "that was not the top of the discard pile";
    witness->discard_count--;
    witness->drawn = event->card;
    return NULL;
}

const char *witness_hear_knocked(struct witness *witness, const struct allegra_event *event)
{
    if (event->seat == witness->active || (event->cells & ~witness_present(witness, event->seat)))
        return "the active player knocked, or a gap was offered";
    if (allegra_cell_count(witness_present(witness, event->seat)) < 4)
        return "somebody knocked with fewer than four cards";
    if (witness->moved >> event->seat & 1)
        return "somebody knocked after his last move";
    if (!witness->rules.knock_complete && witness_is_complete(witness, event->seat))
        return "a complete player knocked";
    return NULL;
}

const char *witness_hear_accepted(struct witness *witness, const struct allegra_event *event)
{
    witness->knocker = event->other;
    witness->has_knock = true;
    return event->seat == witness->active ? NULL : "somebody else accepted the knock";
}

const char *witness_hear_kept(struct witness *witness, const struct allegra_event *event)
{
    const char *problem = lay(witness, event, event->old);

    if (problem == NULL)
        problem = spend(&witness->drawn, event->card);
    witness->aside = event->old;
    note_complete(witness);
    return problem;
}

const char *witness_hear_dropped(struct witness *witness, const struct allegra_event *event)
{
    discard(witness, event->card);
    return spend(&witness->drawn, event->card);
}

const char *witness_hear_placed(struct witness *witness, const struct allegra_event *event)
{
    bool was_down = witness_spot_at(witness, event->seat, event->cell).state == SPOT_DOWN;
    bool is_secret = was_down && witness->rules.knock_hand == ALLEGRA_KNOCK_HAND_PRIVATE;
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

const char *witness_hear_took(struct witness *witness, const struct allegra_event *event)
{
    struct spot *spot = witness_spot(witness, event->other, event->cell);

    if (event->other != witness->knocker || event->seat != witness->active)
        return "the wrong seat took a card, or from the wrong seat";
    if ((spot->state != SPOT_UP && spot->state != SPOT_DOWN) || spot->card != event->card)
        return "that card was not there to be taken";
    *spot = (struct spot){SPOT_HOLE, ALLEGRA_CARD_NONE};
    witness->taken = event->card;
    note_complete(witness);
    return NULL;
}

const char *witness_hear_put(struct witness *witness, const struct allegra_event *event)
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

const char *witness_hear_tossed(struct witness *witness, const struct allegra_event *event)
{
    discard(witness, event->card);
    if (witness->rules.knock_active_swap == ALLEGRA_FORCE_MUST)
        return "the taken card must not be tossed";
    return spend(&witness->taken, event->card);
}

const char *witness_hear_returned(struct witness *witness, const struct allegra_event *event)
{
    struct spot *spot = witness_spot(witness, event->seat, event->cell);

    if (spot->state != SPOT_HOLE || event->seat != witness->knocker)
        return "the hand card did not go into the hole";
    *spot = (struct spot){SPOT_UP, event->card};
    return spend(&witness->hand, event->card);
}

static bool is_private_column(uint16_t mask)
{
    return mask == ALLEGRA_CELL_COLUMN_A << 1 || mask == ALLEGRA_CELL_COLUMN_A << 2 ||
           mask == ALLEGRA_CELL_COLUMN_A << 3;
}

/* Whether a seat has a triple now that it did not have before. */
static bool has_new_triple(const struct witness *witness, unsigned seat,
                           const struct allegra_triples *before)
{
    struct allegra_triples now;

    witness_triples(witness, seat, &now);
    for (unsigned i = 0; i < now.count; i++) {
        if (!has_triple(before, now.list[i]))
            return true;
    }
    return false;
}

static const char *clear_cells(struct witness *witness, const struct allegra_event *event)
{
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        struct spot *spot = witness_spot(witness, event->seat, cell);

        if (!(event->cells >> cell & 1))
            continue;
        if (spot->card != event->card)
            return "another card than was said was cleared";
        discard(witness, spot->card);
        *spot = (struct spot){SPOT_GAP, ALLEGRA_CARD_NONE};
    }
    return NULL;
}

const char *witness_hear_cleared(struct witness *witness, const struct allegra_event *event)
{
    struct allegra_triples before[ALLEGRA_SEATS_MAX] = {{0}};
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

const char *witness_hear_discarded(struct witness *witness, const struct allegra_event *event)
{
    discard(witness, event->card);
    witness->has_discarded = true;
    if (event->seat == witness->active)
        return spend(&witness->aside, event->card);
    return spend(&witness->hand, event->card);
}
