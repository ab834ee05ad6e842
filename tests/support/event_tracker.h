#ifndef TESTS_SUPPORT_EVENT_TRACKER_H
#define TESTS_SUPPORT_EVENT_TRACKER_H

/* A second, independent table that is read from the deal and from then on follows only the events.
 *
 * It applies each event to its own cards, and reports an event that is impossible or against the
 * rules. After each step it must equal the real table. It shares no code with the game except its
 * types: a shared cell is one spot here, triples are found by trying all of them, and so on. */

#include "game/allegra.h"

enum spot_state { SPOT_GAP, SPOT_DOWN, SPOT_UP, SPOT_HOLE };

/* A place for a card. */
struct spot {
    uint8_t state;
    int8_t card;
};

struct event_tracker {
    struct allegra_rules rules;
    unsigned seats;
    struct spot spots[ALLEGRA_SEATS_MAX]
                     [ALLEGRA_CELL_COUNT]; /* column E belongs to the right neighbour */
    int8_t discard[ALLEGRA_DECK_MAX];
    unsigned discard_count;
    unsigned draw_count;
    int32_t total_halves[ALLEGRA_SEATS_MAX];
    unsigned scored; /* how many seats have their score of this round */
    unsigned round;
    unsigned dealer;
    unsigned turn;
    unsigned active;
    unsigned trigger;    /* or ALLEGRA_SEAT_NONE */
    unsigned first;      /* the trigger if the turn ended now, or ALLEGRA_SEAT_NONE */
    unsigned final_left; /* remaining places in the final round */
    unsigned moved;      /* mask of the seats whose turn in the final round has started */
    unsigned knocker;    /* or ALLEGRA_SEAT_NONE */
    int8_t drawn;
    int8_t hand;
    int8_t taken;
    int8_t aside;
    bool has_knock; /* a knock was accepted in this turn */
    bool is_ended;  /* something other than the final round ended this round */
    bool is_dealt;  /* a new round was dealt but not read yet */
    bool is_over;
    bool has_discarded; /* the card set aside in this turn */
    bool has_chained;   /* the last clear created a new triple */
};

/* Reads the table. */
void event_tracker_start(struct event_tracker *tracker, const struct allegra_table *table);

/* Applies one event. Returns NULL, or what is wrong with it. */
const char *event_tracker_apply(struct event_tracker *tracker, const struct allegra_event *event);

/* Compares with the real table after all events of an answer. Returns NULL, or what differs. */
const char *event_tracker_compare(struct event_tracker *tracker, const struct allegra_table *table);

/* The cells of a seat in one of the states, as a mask. */
uint16_t event_tracker_cells(const struct event_tracker *tracker, unsigned seat,
                             enum spot_state state);

/* The cells of a seat that are not gaps, as a mask. */
uint16_t event_tracker_present(const struct event_tracker *tracker, unsigned seat);

bool event_tracker_is_complete(const struct event_tracker *tracker, unsigned seat);

/* All triples of a seat, in the order of allegra_clear_find(). */
void event_tracker_triples(const struct event_tracker *tracker, unsigned seat,
                           struct allegra_triples *triples);

#endif
