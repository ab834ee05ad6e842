#ifndef REFEREE_GAME_VIEW_H
#define REFEREE_GAME_VIEW_H

/* The table as one seat sees it. A type of its own, without room for what that seat may not know:
 * a cell is either a card or a sign that it is down; piles are sizes; a hand card that is not his
 * to see is ALLEGRA_VIEW_UNKNOWN; bids are there only once they are announced. */

#include "game/table.h"

/* What a face can be besides a card. */
#define ALLEGRA_VIEW_DOWN 101
#define ALLEGRA_VIEW_GAP 102
#define ALLEGRA_VIEW_HOLE 103

/* A card that is there but not to be seen; ALLEGRA_CARD_NONE says that there is none. */
#define ALLEGRA_VIEW_UNKNOWN 104

struct allegra_view {
    struct allegra_rules rules;
    int32_t total_halves[ALLEGRA_SEATS_MAX];
    int8_t face[ALLEGRA_SEATS_MAX][ALLEGRA_CELL_COUNT]; /* by seat, in that seat's own view */
    int8_t discard_top;                                 /* or ALLEGRA_CARD_NONE */
    uint8_t draw_count;
    uint8_t discard_count;

    uint8_t me;
    uint8_t seats;
    uint8_t dealer;
    uint8_t round;
    uint8_t active;
    uint16_t turn;
    bool is_final; /* the final round has begun */
    uint8_t trigger;
    uint8_t final_left;
    uint8_t final_moved;

    uint8_t question; /* what is asked of me; ALLEGRA_QUESTION_NONE if nothing is */
    int8_t drawn;
    bool is_from_discard;
    uint8_t bid_round;
    uint8_t bidders; /* all three: of the latest announced bidding round, else 0 */
    uint8_t knockers;
    uint16_t offer[ALLEGRA_SEATS_MAX];
    uint8_t knocker;
    uint16_t placed;
    int8_t hand;
    int8_t taken;
    int8_t aside;
    uint8_t clear_step;
    uint16_t clear_start;
    uint8_t first_completed;
};

/* The table as `seat` sees it. */
struct allegra_view allegra_view_of(const struct allegra_table *table, unsigned seat);

#endif
