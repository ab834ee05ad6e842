#ifndef REFEREE_GAME_EVENT_H
#define REFEREE_GAME_EVENT_H

/* What happens at the table, in the order in which it happens. Events are public, with one
 * exception: the card that a knocker takes into his hand (see allegra_event_hide). */

#include "base/text.h"

#include <stdint.h>

enum allegra_event_kind {
    ALLEGRA_EVENT_ROUND,        /* `number` begins; `seat` deals; `card` starts the discard pile */
    ALLEGRA_EVENT_TURNED,       /* `seat` turned up his `cell`: `card` */
    ALLEGRA_EVENT_TURN,         /* `seat` begins turn `number` of the round */
    ALLEGRA_EVENT_RESHUFFLED,   /* a new draw pile of `number` cards */
    ALLEGRA_EVENT_DREW_PILE,    /* `seat` drew `card` from the draw pile */
    ALLEGRA_EVENT_DREW_DISCARD, /* … from the discard pile */
    ALLEGRA_EVENT_PASSED,       /* `seat` did not knock */
    ALLEGRA_EVENT_KNOCKED,      /* `seat` knocked; `cells` has the offered cell, or nothing */
    ALLEGRA_EVENT_AGAIN,        /* `seat` calls bidding round `number` */
    ALLEGRA_EVENT_DECLINED,     /* `seat` declined all knocks */
    ALLEGRA_EVENT_ACCEPTED,     /* `seat` accepted the knock of `other` */
    ALLEGRA_EVENT_KEPT,         /* `seat` put `card` into his `cell`; `old` is set aside */
    ALLEGRA_EVENT_DROPPED,      /* `seat` put the drawn `card` on the discard pile */
    ALLEGRA_EVENT_PLACED,       /* the knocker `seat` put `card` into his `cell` and holds `old` */
    ALLEGRA_EVENT_TOOK,         /* `seat` took `card` from `cell` of `other` */
    ALLEGRA_EVENT_PUT,      /* `seat` put the taken `card` into his `cell`; `old` is set aside */
    ALLEGRA_EVENT_TOSSED,   /* `seat` put the taken `card` on the discard pile */
    ALLEGRA_EVENT_RETURNED, /* the knocker `seat` put his hand `card` into the hole at his `cell` */
    ALLEGRA_EVENT_CLEARED,  /* `seat` cleared `cells`, three times `card` */
    ALLEGRA_EVENT_DISCARDED, /* `card` went from the hand of `seat` on the discard pile */
    ALLEGRA_EVENT_FINAL,     /* the final round begins; `seat` is the trigger */
    ALLEGRA_EVENT_LIMIT,     /* the turn limit ends the round after turn `number` */
    ALLEGRA_EVENT_EXHAUSTED, /* `seat` chose the empty draw pile, which ends the round */
    ALLEGRA_EVENT_SHOWN,     /* at the end of the round `cell` of `seat` is turned up: `card` */
    ALLEGRA_EVENT_SCORED, /* `seat` has `number` points, `score_halves` counted, `total_halves` in all */
    ALLEGRA_EVENT_OVER, /* the match is over */
    ALLEGRA_EVENT_COUNT,
};

/* One event. Members that the kind does not mention are 0. */
struct allegra_event {
    uint8_t kind;
    uint8_t seat;
    uint8_t other;
    uint8_t cell; /* in the view of `seat`; for ALLEGRA_EVENT_TOOK of `other` */
    int8_t card;
    int8_t old;
    uint8_t seen_by; /* for ALLEGRA_EVENT_PLACED: the seats that know `old`, as a mask */
    uint16_t cells;
    int32_t number;
    int32_t score_halves;
    int32_t total_halves;
};

/* More than one answer can ever cause: 72 cells shown, six scores, the longest chain of clears. */
#define ALLEGRA_EVENTS_MAX 128

struct allegra_events {
    unsigned count;
    struct allegra_event list[ALLEGRA_EVENTS_MAX];
};

/* The word of a kind, as the protocol writes it: "kept", "drew pile", … */
const char *allegra_event_name(enum allegra_event_kind kind);

/* The event as `seat` may know it: a hand card that is not his to see becomes CARD_NONE. */
struct allegra_event allegra_event_hide(struct allegra_event event, unsigned seat);

#endif
