#ifndef REFEREE_GAME_TABLE_H
#define REFEREE_GAME_TABLE_H

/* The table: the whole state of a match, hidden cards included, in one plain struct.
 *
 * Copy it with `=`; there is nothing to free. Whoever drives it asks allegra_table_asked() who has to
 * answer, legal_list() what they can say, and allegra_table_apply() to go on. */

#include "game/answer.h"
#include "game/card.h"
#include "game/event.h"
#include "game/rules.h"

#include <stdbool.h>
#include <stdint.h>

#define ALLEGRA_SEAT_NONE 255

/* Puts `count` cards into random order. `round` counts from 1; `reshuffle` is 0 for the deal of that
 * round and counts the new draw piles made in it from 1. */
typedef void allegra_shuffle_fn(void *context, unsigned round, unsigned reshuffle, int8_t *cards,
                                unsigned count);

/* The randomness that the table is lent for one call. */
struct allegra_shuffler {
    allegra_shuffle_fn *shuffle;
    void *context;
};

/* Which clear step is going on, and so what comes after it. */
enum allegra_clear_step {
    ALLEGRA_CLEAR_NOTHING,
    ALLEGRA_CLEAR_START,  /* before drawing, with standing=turn_start */
    ALLEGRA_CLEAR_MOVE,   /* after keep or drop */
    ALLEGRA_CLEAR_KNOCK1, /* the knocker, after he placed the card */
    ALLEGRA_CLEAR_SWAP,   /* the active player, after he put or tossed the taken card */
    ALLEGRA_CLEAR_KNOCK2, /* the knocker, after his hand card went into the hole */
    ALLEGRA_CLEAR_END,    /* the active player, at the end of a knock */
};

/* What lies in a cell, in four bits: a card + 1, or one of these. */
#define ALLEGRA_TABLE_CODE_HOLE 14U
#define ALLEGRA_TABLE_CODE_GAP 15U

/* A cell is down, up, a gap or a hole. `present` has the cells that are no gap, `down` those of them
 * whose card nobody knows; a hole is present and not down. A shared cell stands in both displays,
 * always alike. All cells of a display are packed into one word, A1 in the lowest four bits, so that
 * a search for equal cards looks at all of them at once. */
struct allegra_table {
    struct allegra_rules rules;
    uint64_t codes[ALLEGRA_SEATS_MAX];
    int32_t total_halves[ALLEGRA_SEATS_MAX];
    uint16_t present[ALLEGRA_SEATS_MAX];
    uint16_t down[ALLEGRA_SEATS_MAX];

    /* The draw pile grows from the front, its top last; the discard pile from the back. */
    int8_t pile[ALLEGRA_DECK_MAX];
    uint8_t draw_count;
    uint8_t discard_count;

    uint8_t seats;
    uint8_t dealer;
    uint8_t round;        /* from 1 */
    uint8_t reveals_left; /* before the first turn; then 0 */
    uint16_t turn;        /* of this round, from 1; 0 before the first */
    uint16_t reshuffles;  /* in this round */
    uint8_t trigger;      /* or ALLEGRA_SEAT_NONE: then the final round has not begun */
    uint8_t final_left;   /* places in the final round that are still to come */
    uint8_t final_moved;  /* mask: has made his move of the final round */

    uint8_t active;
    uint8_t question;        /* enum allegra_question */
    uint8_t asked;           /* mask of the seats that have to answer it */
    uint8_t completed;       /* mask: has no down cell left */
    uint8_t first_completed; /* the trigger to be, until the turn ends; else ALLEGRA_SEAT_NONE */

    int8_t drawn; /* in the hand of the active player, or ALLEGRA_CARD_NONE */
    bool is_from_discard;
    uint8_t bid_round;                 /* from 1; 0 if there is no bidding in this turn */
    uint8_t bidders;                   /* mask: were asked in this bidding round */
    uint8_t knockers;                  /* mask: knocked in it */
    uint16_t offer[ALLEGRA_SEATS_MAX]; /* the cell each knocker offered, as a mask, or 0 */
    uint8_t knocker;                   /* the accepted one, or ALLEGRA_SEAT_NONE */
    uint8_t hole;                      /* in the knocker's view, or ALLEGRA_CELL_NONE */
    uint16_t placed;                   /* the cell where he put the drawn card, as a mask, or 0 */
    int8_t hand;                       /* the card that the knocker holds, or ALLEGRA_CARD_NONE */
    bool is_hand_private;              /* only the knocker knows it */
    int8_t taken;         /* by the active player from the knocker, or ALLEGRA_CARD_NONE */
    int8_t aside;         /* what waits to be discarded, or ALLEGRA_CARD_NONE */
    uint8_t clear_step;   /* enum allegra_clear_step */
    uint16_t clear_start; /* the clearer's `present` when the step began */
};

/* Starts a match: checks nothing (see rules_check), deals the first round. */
void allegra_table_start(struct allegra_table *table, const struct allegra_rules *rules,
                         unsigned seats, unsigned dealer, const struct allegra_shuffler *shuffler,
                         struct allegra_events *events);

/* The seats that have to answer now, as a mask; 0 when the match is over. Only a bid is asked of
 * more than one seat, and their answers may come in any order. */
static inline unsigned allegra_table_asked(const struct allegra_table *table)
{
    return table->asked;
}

static inline enum allegra_question allegra_table_question(const struct allegra_table *table)
{
    return (enum allegra_question)table->question;
}

static inline bool allegra_table_is_over(const struct allegra_table *table)
{
    return table->question == ALLEGRA_QUESTION_NONE;
}

/* Takes an answer of `seat` and goes on to the next question. What happened is added to `events`
 * (NULL: nobody wants to know). An answer that is not legal is refused and changes nothing. */
enum allegra_refusal allegra_table_apply(struct allegra_table *table, unsigned seat,
                                         struct allegra_answer answer,
                                         const struct allegra_shuffler *shuffler,
                                         struct allegra_events *events);

/* Whether the answer would be accepted. */
enum allegra_refusal allegra_table_judge(const struct allegra_table *table, unsigned seat,
                                         struct allegra_answer answer);

static inline unsigned allegra_table_left(const struct allegra_table *table, unsigned seat)
{
    return seat + 1U == table->seats ? 0U : seat + 1U;
}

static inline unsigned allegra_table_right(const struct allegra_table *table, unsigned seat)
{
    return seat == 0 ? table->seats - 1U : seat - 1U;
}

/* The other display in which a cell of a shared column stands, and its name there. For a private
 * cell: the same again. */
static inline void allegra_table_twin(const struct allegra_table *table, unsigned *seat,
                                      unsigned *cell)
{
    static const uint8_t side[ALLEGRA_CELL_COUNT] = {1, 0, 0, 0, 2, 1, 0, 0, 0, 2, 1, 0, 0, 0, 2};
    static const uint8_t name[ALLEGRA_CELL_COUNT] = {4, 1, 2,  3,  0,  9,  6, 7,
                                                     8, 5, 14, 11, 12, 13, 10};
    unsigned owners[3] = {*seat, allegra_table_left(table, *seat),
                          allegra_table_right(table, *seat)};

    *seat = owners[side[*cell]];
    *cell = name[*cell];
}

/* The card in a cell, down or not; ALLEGRA_CARD_NONE in a hole or a gap. */
static inline int8_t allegra_table_card(const struct allegra_table *table, unsigned seat,
                                        unsigned cell)
{
    unsigned code = table->codes[seat] >> 4 * cell & 15U;

    return (int8_t)(code >= ALLEGRA_TABLE_CODE_HOLE ? ALLEGRA_CARD_NONE
                                                    : (int)code + ALLEGRA_CARD_LEAST);
}

/* The cells of a seat that are up, a hole included. */
static inline uint16_t allegra_table_up(const struct allegra_table *table, unsigned seat)
{
    return (uint16_t)(table->present[seat] & ~table->down[seat]);
}

/* The i-th discarded card, from the bottom. */
static inline int8_t allegra_table_discarded(const struct allegra_table *table, unsigned i)
{
    return table->pile[ALLEGRA_DECK_MAX - 1 - i];
}

/* The hole as a cell of `seat`, as a mask; 0 if it is not in his display. */
uint16_t allegra_table_hole(const struct allegra_table *table, unsigned seat);

/* What the cards of a display add up to now, down ones included; -10 if it is empty. */
int allegra_table_raw_score(const struct allegra_table *table, unsigned seat);

#endif
