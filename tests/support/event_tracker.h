#ifndef TESTS_SUPPORT_WITNESS_H
#define TESTS_SUPPORT_WITNESS_H

/* Somebody who sits at the table, knows how it was dealt, and from then on only hears the events.
 *
 * He does what each event says with cards of his own, and objects if it is impossible or not what
 * the rules say must happen. At the end of each step his table has to be the real one. He shares no
 * code with the game but its types: a shared cell is one spot here, triples are found by trying all
 * of them, and so on. */

#include "game/allegra.h"

enum spot_state { SPOT_GAP, SPOT_DOWN, SPOT_UP, SPOT_HOLE };

/* A place for a card. */
struct spot {
    uint8_t state;
    int8_t card;
};

struct witness {
    struct allegra_rules rules;
    unsigned seats;
    struct spot spots[ALLEGRA_SEATS_MAX]
                     [ALLEGRA_CELL_COUNT]; /* column E lies with the right neighbour */
    int8_t discard[ALLEGRA_DECK_MAX];
    unsigned discard_count;
    unsigned draw_count;
    int32_t total_halves[ALLEGRA_SEATS_MAX];
    unsigned scored; /* how many seats have their points of this round */
    unsigned round;
    unsigned dealer;
    unsigned turn;
    unsigned active;
    unsigned trigger;    /* or ALLEGRA_SEAT_NONE */
    unsigned first;      /* who would be the trigger if the turn ended now, or ALLEGRA_SEAT_NONE */
    unsigned final_left; /* places in the final round that are still to come */
    unsigned moved;      /* mask: those whose turn in the final round has begun */
    unsigned knocker;    /* or ALLEGRA_SEAT_NONE */
    int8_t drawn;
    int8_t hand;
    int8_t taken;
    int8_t aside;
    bool has_knock; /* a knock was accepted in this turn */
    bool is_ended;  /* something other than the final round ended this round */
    bool is_dealt;  /* a new round was dealt, which he has not looked at yet */
    bool is_over;
    bool has_discarded; /* the card that was set aside in this turn */
    bool has_chained;   /* the last clear brought a new triple about */
};

/* Looks at the table once. */
void witness_start(struct witness *witness, const struct allegra_table *table);

/* Hears one event. Returns NULL, or what is wrong with it. */
const char *witness_hear(struct witness *witness, const struct allegra_event *event);

/* To be called when the events of one answer are heard: compares. Returns NULL, or what differs. */
const char *witness_compare(struct witness *witness, const struct allegra_table *table);

/* The cells of a seat in one of the states, as a mask. */
uint16_t witness_cells(const struct witness *witness, unsigned seat, enum spot_state state);

/* The cells of a seat that are no gap. */
uint16_t witness_present(const struct witness *witness, unsigned seat);

bool witness_is_complete(const struct witness *witness, unsigned seat);

/* All triples of a seat, in the order of allegra_clear_find(). */
void witness_triples(const struct witness *witness, unsigned seat, struct allegra_triples *triples);

#endif
