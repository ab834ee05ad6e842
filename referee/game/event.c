/* The names of events, and the one secret that an event can hold. */

#include "game/event.h"

#include "game/card.h"

static const char *const names[EVENT_COUNT] = {
    [EVENT_ROUND] = "round",         [EVENT_TURNED] = "turned",
    [EVENT_TURN] = "turn",           [EVENT_RESHUFFLED] = "reshuffled",
    [EVENT_DREW_PILE] = "drew pile", [EVENT_DREW_DISCARD] = "drew discard",
    [EVENT_PASSED] = "passed",       [EVENT_KNOCKED] = "knocked",
    [EVENT_AGAIN] = "again",         [EVENT_DECLINED] = "declined",
    [EVENT_ACCEPTED] = "accepted",   [EVENT_KEPT] = "kept",
    [EVENT_DROPPED] = "dropped",     [EVENT_PLACED] = "placed",
    [EVENT_TOOK] = "took",           [EVENT_PUT] = "put",
    [EVENT_TOSSED] = "tossed",       [EVENT_RETURNED] = "returned",
    [EVENT_CLEARED] = "cleared",     [EVENT_DISCARDED] = "discarded",
    [EVENT_FINAL] = "final",         [EVENT_LIMIT] = "limit",
    [EVENT_EXHAUSTED] = "exhausted", [EVENT_SHOWN] = "shown",
    [EVENT_SCORED] = "scored",       [EVENT_OVER] = "over",
};

const char *event_name(enum event_kind kind)
{
    return names[kind];
}

struct event event_hide(struct event event, unsigned seat)
{
    if (event.kind == EVENT_PLACED && !(event.seen_by >> seat & 1))
        event.old = CARD_NONE;
    return event;
}
