#ifndef TESTS_SUPPORT_CORNER_CASES_H
#define TESTS_SUPPORT_CORNER_CASES_H

/* Counts how often corner cases of the rules occur, so that a test with random matches can report
 * which ones it covered. */

#include "support/event_tracker.h"

enum corner {
    CORNER_LATER_ROUND,       /* a second or later round starts */
    CORNER_RESHUFFLE,         /* a new draw pile */
    CORNER_ONE_DISCARD,       /* an empty draw pile and a single discarded card */
    CORNER_END_ROUND,         /* the empty draw pile ends the round */
    CORNER_END_ROUND_FINAL,   /* … in the final round */
    CORNER_TURN_LIMIT,        /* the turn limit ends the round */
    CORNER_FROM_DISCARD_BACK, /* a card from the discard pile is dropped on it again */
    CORNER_ROW,               /* a row is cleared */
    CORNER_ROW_OVER_GAP,      /* … with a gap in between */
    CORNER_PRIVATE_COLUMN,
    CORNER_SHARED_COLUMN,
    CORNER_THREE_MINUS_ONE,
    CORNER_OVERLAP,       /* a row and a column with a common cell to choose from */
    CORNER_FOUR_IN_A_ROW, /* two windows to choose from */
    CORNER_FIVE_IN_A_ROW, /* three */
    CORNER_CHAIN,         /* a clear creates a new triple */
    CORNER_STANDING,      /* a turn starts with a triple on the table */
    CORNER_START_CLEAR,   /* something is cleared before drawing */
    CORNER_REFUSED_CLEAR,
    CORNER_NO_KNOCK_ASKED, /* no one knocks, but another bidding round is possible */
    CORNER_ACCEPTED,
    CORNER_DECLINED,
    CORNER_AGAIN,
    CORNER_BINDING,         /* an offered cell is filled without asking */
    CORNER_KNOCK_COMPLETE,  /* a complete player knocks */
    CORNER_KNOCK_IN_FINAL,  /* a knock is accepted in the final round */
    CORNER_PRIVATE_HAND,    /* only the knocker knows the hand card */
    CORNER_KNOCKER_EMPTIED, /* the knocker has no cards after the first clear step */
    CORNER_ACTIVE_EMPTIED,  /* … the active player */
    CORNER_BREAK_SAME_CELL, /* a knock breaks off: both have the same single cell */
    CORNER_BREAK_KNOCKER,   /* … the knocker has no cell */
    CORNER_BREAK_ACTIVE,    /* … the active player has none, but the knocker has */
    CORNER_TOOK_DOWN,
    CORNER_TOOK_PLACED,       /* the card that the knocker placed */
    CORNER_KNOCKER_COMPLETED, /* the active player takes the last down card of the knocker */
    CORNER_HOLE_SHARED,       /* the hole is in a shared column */
    CORNER_HOLE_COMMON,       /* … that the knocker and the active player share */
    CORNER_TOSSED,
    CORNER_SWAP_CLEAR,   /* the active player clears after the swap */
    CORNER_SECOND_CLEAR, /* the knocker clears again */
    CORNER_END_CLEAR,    /* the active player clears at the end of a knock */
    CORNER_FINAL,
    CORNER_TRIGGER_NEIGHBOUR, /* the trigger is neither active nor knocker */
    CORNER_BOTH_ACTIVE,       /* several are complete: the active player is the trigger */
    CORNER_BOTH_KNOCKER,      /* … the knocker, and the active player is not complete */
    CORNER_BOTH_NEXT,         /* … the next seat clockwise */
    CORNER_FIRST_IN_TIME,     /* the active player is complete too, but became so later */
    CORNER_FINAL_SKIPPED,     /* a complete player is skipped */
    CORNER_FINAL_LAST,        /* the player who started the final round moves once more */
    CORNER_TRIGGER_WON,
    CORNER_TRIGGER_TIED, /* the trigger fails because another player has as few points */
    CORNER_DOUBLED,
    CORNER_FAILED_ZERO,
    CORNER_NEGATIVE_KEPT,
    CORNER_NEGATIVE_HALVED,
    CORNER_MINUS_TEN,
    CORNER_SCORE_LIMIT, /* ends the match */
    CORNER_TIE,         /* several players win */
    CORNER_COUNT,
};

struct corner_cases {
    unsigned long counts[CORNER_COUNT];

    /* State of the current turn or round. */
    int raw[ALLEGRA_SEATS_MAX];
    unsigned final_left;
    uint16_t down;
    uint8_t last_kind;
    uint8_t placed;
    bool was_complete;
    bool is_from_discard;
    bool has_drawn;
};

const char *corner_cases_name(enum corner corner);

/* To be called for each event, before and after the tracker applies it. */
void corner_cases_before(struct corner_cases *corners, const struct event_tracker *tracker,
                         const struct allegra_event *event);
void corner_cases_after(struct corner_cases *corners, const struct event_tracker *tracker,
                        const struct allegra_event *event);

/* To be called for each answer before it is applied, and for the table after that. */
void corner_cases_answer(struct corner_cases *corners, struct allegra_answer answer);
void corner_cases_question(struct corner_cases *corners, const struct allegra_table *table);

#endif
