/* The names of events, and the one secret that an event can hold. */

#include "game/allegra.h"

static const char *const names[ALLEGRA_EVENT_COUNT] = {
    [ALLEGRA_EVENT_ROUND] = "round",         [ALLEGRA_EVENT_TURNED] = "turned",
    [ALLEGRA_EVENT_TURN] = "turn",           [ALLEGRA_EVENT_RESHUFFLED] = "reshuffled",
    [ALLEGRA_EVENT_DREW_PILE] = "drew pile", [ALLEGRA_EVENT_DREW_DISCARD] = "drew discard",
    [ALLEGRA_EVENT_PASSED] = "passed",       [ALLEGRA_EVENT_KNOCKED] = "knocked",
    [ALLEGRA_EVENT_AGAIN] = "again",         [ALLEGRA_EVENT_DECLINED] = "declined",
    [ALLEGRA_EVENT_ACCEPTED] = "accepted",   [ALLEGRA_EVENT_KEPT] = "kept",
    [ALLEGRA_EVENT_DROPPED] = "dropped",     [ALLEGRA_EVENT_PLACED] = "placed",
    [ALLEGRA_EVENT_TOOK] = "took",           [ALLEGRA_EVENT_PUT] = "put",
    [ALLEGRA_EVENT_TOSSED] = "tossed",       [ALLEGRA_EVENT_RETURNED] = "returned",
    [ALLEGRA_EVENT_CLEARED] = "cleared",     [ALLEGRA_EVENT_DISCARDED] = "discarded",
    [ALLEGRA_EVENT_FINAL] = "final",         [ALLEGRA_EVENT_LIMIT] = "limit",
    [ALLEGRA_EVENT_EXHAUSTED] = "exhausted", [ALLEGRA_EVENT_SHOWN] = "shown",
    [ALLEGRA_EVENT_SCORED] = "scored",       [ALLEGRA_EVENT_OVER] = "over",
};

const char *allegra_event_name(enum allegra_event_kind kind)
{
    return (unsigned)kind < ALLEGRA_EVENT_COUNT ? names[kind] : "unknown";
}

struct allegra_event allegra_event_hide(struct allegra_event event, unsigned seat)
{
    if (event.kind == ALLEGRA_EVENT_PLACED &&
        (seat >= ALLEGRA_SEATS_MAX || !(event.seen_by >> seat & 1)))
        event.old = ALLEGRA_CARD_NONE;
    return event;
}
