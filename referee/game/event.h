#ifndef REFEREE_GAME_EVENT_H
#define REFEREE_GAME_EVENT_H

/* What happens at the table, in the order in which it happens. Events are public, with one
 * exception: the card that a knocker takes into his hand (see event_hide). */

#include "base/text.h"

#include <stdint.h>

enum event_kind {
    EVENT_ROUND,        /* `number` begins; `seat` deals; `card` starts the discard pile */
    EVENT_TURNED,       /* `seat` turned up his `cell`: `card` */
    EVENT_TURN,         /* `seat` begins turn `number` of the round */
    EVENT_RESHUFFLED,   /* a new draw pile of `number` cards */
    EVENT_DREW_PILE,    /* `seat` drew `card` from the draw pile */
    EVENT_DREW_DISCARD, /* … from the discard pile */
    EVENT_PASSED,       /* `seat` did not knock */
    EVENT_KNOCKED,      /* `seat` knocked; `cells` has the offered cell, or nothing */
    EVENT_AGAIN,        /* `seat` calls bidding round `number` */
    EVENT_DECLINED,     /* `seat` declined all knocks */
    EVENT_ACCEPTED,     /* `seat` accepted the knock of `other` */
    EVENT_KEPT,         /* `seat` put `card` into his `cell`; `old` is set aside */
    EVENT_DROPPED,      /* `seat` put the drawn `card` on the discard pile */
    EVENT_PLACED,       /* the knocker `seat` put `card` into his `cell` and holds `old` */
    EVENT_TOOK,         /* `seat` took `card` from `cell` of `other` */
    EVENT_PUT,          /* `seat` put the taken `card` into his `cell`; `old` is set aside */
    EVENT_TOSSED,       /* `seat` put the taken `card` on the discard pile */
    EVENT_RETURNED,     /* the knocker `seat` put his hand `card` into the hole at his `cell` */
    EVENT_CLEARED,      /* `seat` cleared `cells`, three times `card` */
    EVENT_DISCARDED,    /* `card` went from the hand of `seat` on the discard pile */
    EVENT_FINAL,        /* the final round begins; `seat` is the trigger */
    EVENT_LIMIT,        /* the turn limit ends the round after turn `number` */
    EVENT_EXHAUSTED,    /* `seat` chose the empty draw pile, which ends the round */
    EVENT_SHOWN,        /* at the end of the round `cell` of `seat` is turned up: `card` */
    EVENT_SCORED, /* `seat` has `number` points, `score_halves` counted, `total_halves` in all */
    EVENT_OVER,   /* the match is over */
    EVENT_COUNT,
};

/* One event. Members that the kind does not mention are 0. */
struct event {
    uint8_t kind;
    uint8_t seat;
    uint8_t other;
    uint8_t cell; /* in the view of `seat`; for EVENT_TOOK of `other` */
    int8_t card;
    int8_t old;
    uint8_t seen_by; /* for EVENT_PLACED: the seats that know `old`, as a mask */
    uint16_t cells;
    int32_t number;
    int32_t score_halves;
    int32_t total_halves;
};

/* More than one answer can ever cause: 72 cells shown, six scores, the longest chain of clears. */
#define EVENTS_MAX 128

struct events {
    unsigned count;
    struct event list[EVENTS_MAX];
};

/* The word of a kind, as the protocol writes it: "kept", "drew pile", … */
const char *event_name(enum event_kind kind);

/* The event as `seat` may know it: a hand card that is not his to see becomes CARD_NONE. */
struct event event_hide(struct event event, unsigned seat);

#endif
