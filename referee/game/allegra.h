#ifndef ALLEGRA_H
#define ALLEGRA_H

/* liballegra: the rules of the card game ALLEGRA, for bots in C and C++.
 *
 * A match is one plain struct, the table. allegra_table_start() deals, allegra_legal_list() says
 * what a seat that is asked can answer, allegra_table_apply() takes an answer and goes on to the
 * next question, until allegra_table_is_over().
 *
 * Everything is a plain value: copy it with `=`, there is nothing to free. No function allocates,
 * does input or output, or keeps state between calls, so threads need no locks.
 *
 * A function that returns int returns 0, or -1 if it refuses; then it changes nothing unless it
 * says otherwise. Pointers must not be NULL unless a function says so. Functions check the
 * seats, cells, cards and enumerators they are given; the `static inline` ones do not, because a
 * search calls them all the time: give them a seat below `table->seats` and a cell below
 * ALLEGRA_CELL_COUNT. A table must come from allegra_table_start(), from
 * allegra_position_read(), or from a copy of one. A program that fills in a table by hand has to
 * keep what struct allegra_table says about it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Cards and cells ---
 *
 * A card is its value, -1 to 11. A cell is a place in a display of three rows and five columns,
 * numbered row by row: A1 is 0, E1 is 4, A2 is 5, E3 is 14. A set of cells is a mask of 15 bits. */

#define ALLEGRA_CARD_MIN (-1)
#define ALLEGRA_CARD_MAX 11
#define ALLEGRA_CARD_VALUES 13

/* No card: in a hole, or in an empty hand. */
#define ALLEGRA_CARD_NONE 100

#define ALLEGRA_CELL_ROWS 3
#define ALLEGRA_CELL_COLUMNS 5
#define ALLEGRA_CELL_COUNT 15
#define ALLEGRA_CELL_NONE 255

/* Masks: one cell, all cells, column A, column E, row 1. */
#define ALLEGRA_CELL_BIT(cell) ((uint16_t)(1U << (cell)))
#define ALLEGRA_CELL_ALL 0x7fff
#define ALLEGRA_CELL_COLUMN_A 0x0421
#define ALLEGRA_CELL_COLUMN_E 0x4210
#define ALLEGRA_CELL_ROW_1 0x001f

/* The lowest cell of a mask that is not empty. */
static inline unsigned allegra_cell_lowest(uint16_t mask)
{
    return (unsigned)__builtin_ctz(mask);
}

/* The number of cells. Written out, because without a popcount instruction in the target the
 * compiler calls a library for it. */
static inline unsigned allegra_cell_count(uint16_t mask)
{
    unsigned sum = mask - (mask >> 1 & 0x5555U);

    sum = (sum & 0x3333U) + (sum >> 2 & 0x3333U);
    sum = (sum + (sum >> 4)) & 0x0f0fU;
    return (sum + (sum >> 8)) & 0x1fU;
}

static inline bool allegra_cell_is_single(uint16_t mask)
{
    return mask != 0 && (mask & (mask - 1)) == 0;
}

/* Whether there are at least three. */
static inline bool allegra_cell_has_three(unsigned mask)
{
    mask &= mask - 1;
    return (mask & (mask - 1)) != 0;
}

/* Writes "A1" to "E3" as snprintf() does: at most `size` bytes with the final NUL. Returns the full
 * length: 2, or 0 if there is no such cell. */
size_t allegra_cell_write(unsigned cell, char *buffer, size_t size);
int allegra_cell_read(const char *text, unsigned *cell);

/* --- Rules ---
 *
 * An edition is a named set of values for all rule keys; `referee rules` prints them and says what
 * each key means. */

#define ALLEGRA_SEATS_MIN 2
#define ALLEGRA_SEATS_MAX 6
#define ALLEGRA_SEAT_NONE 255

/* The most cards that a deck may have. */
#define ALLEGRA_DECK_MAX 200

enum allegra_edition {
    ALLEGRA_EDITION_DE2026,
    ALLEGRA_EDITION_EN2020,
    ALLEGRA_EDITION_NL2023,
    ALLEGRA_EDITION_FR2020,
    ALLEGRA_EDITION_ES2020,
    ALLEGRA_EDITION_COUNT,
};

/* The values of the keys whose value is a name. */
enum { ALLEGRA_STARTER_DEALER, ALLEGRA_STARTER_LEFT };
enum { ALLEGRA_DEAL_SHARED_A, ALLEGRA_DEAL_SHARED_E };
enum { ALLEGRA_ROW_MATCH_ADJACENT, ALLEGRA_ROW_MATCH_ANYWHERE };
enum { ALLEGRA_FORCE_MUST, ALLEGRA_FORCE_MAY };
enum { ALLEGRA_STANDING_CLEAR_STEP, ALLEGRA_STANDING_TURN_START };
enum { ALLEGRA_RESHUFFLE_KEEP_TOP, ALLEGRA_RESHUFFLE_END_ROUND };
enum { ALLEGRA_KNOCK_OFFERS_TALK, ALLEGRA_KNOCK_OFFERS_BINDING };
enum { ALLEGRA_KNOCK_HAND_OPEN, ALLEGRA_KNOCK_HAND_PRIVATE };
enum { ALLEGRA_KNOCK_CLEAR_SCOPE_ANY, ALLEGRA_KNOCK_CLEAR_SCOPE_CAUSED };
enum {
    ALLEGRA_KNOCK_ACTIVE_CLEAR_SWAP,
    ALLEGRA_KNOCK_ACTIVE_CLEAR_END,
    ALLEGRA_KNOCK_ACTIVE_CLEAR_BOTH,
};
enum { ALLEGRA_KNOCK_TOSS_AFTER_CLEAR, ALLEGRA_KNOCK_TOSS_AT_SWAP };
enum { ALLEGRA_TRIGGER_ACTIVE, ALLEGRA_TRIGGER_FIRST };
enum { ALLEGRA_FAILED_NEGATIVE_KEEP, ALLEGRA_FAILED_NEGATIVE_HALVE };

/* A complete set of rules, one member per key; yes/no and on/off keys are 1 and 0. */
struct allegra_rules {
    uint8_t edition;                   /* the one it was made from; keys may have been set since */
    uint8_t deck[ALLEGRA_CARD_VALUES]; /* how many cards of each value, the lowest first */
    uint8_t starter, deal_shared, row_match;
    uint8_t clear_row, clear_column, clear_chain; /* ALLEGRA_FORCE_… */
    uint8_t standing, discard_return, reshuffle;
    uint8_t knock, knock_rounds, knock_offers, knock_hand;
    uint8_t knock_clear1; /* ALLEGRA_FORCE_… */
    uint8_t knock_clear_scope, knock_complete;
    uint8_t knock_active_swap; /* ALLEGRA_FORCE_… */
    uint8_t knock_active_clear, knock_toss, knock_clear2;
    uint8_t trigger, failed_negative, rounds, talk;
    uint16_t turn_limit, score_limit;
};

/* The rules of an edition. For a number that is no edition: rules without cards, which
 * allegra_rules_check() and allegra_table_start() refuse. */
struct allegra_rules allegra_rules_of_edition(enum allegra_edition edition);

/* "de2026" and so on; "unknown" for a number that is no edition. */
const char *allegra_edition_name(enum allegra_edition edition);

/* The next three write one sentence to `problem` when they refuse, with the final NUL at most
 * `size` bytes, of which 0 are allowed; 200 are enough. */

/* Sets all keys to those of the edition with that name, or of the bundled variant ("de2026-66"). */
int allegra_rules_read_edition(struct allegra_rules *rules, const char *name, char *problem,
                               size_t size);

/* Sets one key: "knock_rounds" to "2". */
int allegra_rules_set(struct allegra_rules *rules, const char *key, const char *value,
                      char *problem, size_t size);

/* Checks that every key has a value it can have, and that the deck is large enough for the
 * seats. */
int allegra_rules_check(const struct allegra_rules *rules, unsigned seats, char *problem,
                        size_t size);

/* How many cards of the value `card` that many seats play with. */
unsigned allegra_rules_cards_of(const struct allegra_rules *rules, unsigned seats, int card);

/* --- Questions and answers --- */

enum allegra_question {
    ALLEGRA_QUESTION_NONE,   /* the match is over */
    ALLEGRA_QUESTION_REVEAL, /* before the first turn, twice: which down cell is turned up? */
    ALLEGRA_QUESTION_DRAW,   /* from which pile? */
    ALLEGRA_QUESTION_KNOCK,  /* asked of all eligible opponents at once: pass or knock? */
    ALLEGRA_QUESTION_ANSWER, /* to the knocks: accept one, decline, or hold another bidding round */
    ALLEGRA_QUESTION_MOVE,   /* keep the drawn card or drop it? */
    ALLEGRA_QUESTION_PLACE,  /* the accepted knocker: where does the card go? */
    ALLEGRA_QUESTION_TAKE,   /* the active player: which card of the knocker? */
    ALLEGRA_QUESTION_PUT,    /* the active player: where does that card go? */
    ALLEGRA_QUESTION_CLEAR,  /* which triple, or none where that is allowed? */
    ALLEGRA_QUESTION_COUNT,
};

/* The first word of an answer. Each verb answers one question only. */
enum allegra_verb {
    ALLEGRA_VERB_TURN,    /* reveal: turn CELL */
    ALLEGRA_VERB_PILE,    /* draw: pile */
    ALLEGRA_VERB_DISCARD, /* draw: discard */
    ALLEGRA_VERB_PASS,    /* knock: pass */
    ALLEGRA_VERB_KNOCK,   /* knock: knock [CELL], the cell that the knocker offers to place it at */
    ALLEGRA_VERB_ACCEPT,  /* answer: accept SEAT */
    ALLEGRA_VERB_DECLINE, /* answer: decline */
    ALLEGRA_VERB_AGAIN,   /* answer: again */
    ALLEGRA_VERB_KEEP,    /* move: keep CELL */
    ALLEGRA_VERB_DROP,    /* move: drop CELL, the down cell that is turned up for it */
    ALLEGRA_VERB_PLACE,   /* place: place CELL */
    ALLEGRA_VERB_TAKE,    /* take: take SEAT:CELL, a cell of the knocker as the knocker names it */
    ALLEGRA_VERB_PUT,     /* put: put CELL */
    ALLEGRA_VERB_TOSS,    /* put: toss */
    ALLEGRA_VERB_CLEAR,   /* clear: clear CELL CELL CELL, in the order A1 to E3 */
    ALLEGRA_VERB_NONE,    /* clear: none */
    ALLEGRA_VERB_COUNT,
};

/* An answer. `seat` is 0 and `cells` is empty where the verb has none. */
struct allegra_answer {
    uint8_t verb;
    uint8_t seat;
    uint16_t cells; /* a mask */
};

/* Why an answer is refused. */
enum allegra_refusal {
    ALLEGRA_REFUSAL_NONE,          /* it is accepted */
    ALLEGRA_REFUSAL_NOT_ASKED,     /* nothing is asked of this seat now */
    ALLEGRA_REFUSAL_OTHER_ANSWER,  /* the verb answers another question */
    ALLEGRA_REFUSAL_MALFORMED,     /* not what the verb needs: one cell, a triple, a seat */
    ALLEGRA_REFUSAL_GAP,           /* the cell is a gap */
    ALLEGRA_REFUSAL_HOLE,          /* the cell is the hole that the taken card left */
    ALLEGRA_REFUSAL_NOT_DOWN,      /* the cell is not down */
    ALLEGRA_REFUSAL_PILE_EMPTY,    /* the draw pile is empty and cannot be reshuffled */
    ALLEGRA_REFUSAL_NO_RETURN,     /* a card from the discard pile may not be dropped again */
    ALLEGRA_REFUSAL_NO_KNOCK,      /* that seat did not knock in this bidding round */
    ALLEGRA_REFUSAL_NO_AGAIN,      /* no further bidding round is allowed */
    ALLEGRA_REFUSAL_OTHER_DISPLAY, /* the card must come from the knocker's display */
    ALLEGRA_REFUSAL_NO_OTHER_CELL, /* nowhere to put that card once it is taken */
    ALLEGRA_REFUSAL_NO_TOSS,       /* the taken card must be put into the display */
    ALLEGRA_REFUSAL_NO_TRIPLE,     /* those three cells are not a triple that may be cleared now */
    ALLEGRA_REFUSAL_MUST_CLEAR,    /* there is a triple that must be cleared */
    ALLEGRA_REFUSAL_COUNT,
};

/* The keyword of a question: "reveal", "draw" and so on; "unknown" for any other number. */
const char *allegra_question_name(enum allegra_question question);
int allegra_question_read(const char *name, enum allegra_question *question);

/* The reason as the end of a sentence for the author of a bot; "unknown" for any other number. */
const char *allegra_refusal_text(enum allegra_refusal refusal);

/* Room for any answer as text. */
#define ALLEGRA_ANSWER_MAX 16

/* Writes an answer as the protocol has it, "keep B3", "take 2:A1", "clear A1 C1 E1", in the manner
 * of snprintf(). Returns the full length; 0 if the verb is unknown. */
size_t allegra_answer_write(struct allegra_answer answer, char *buffer, size_t size);

/* Reads an answer, its words separated by one space each. It may still be illegal. */
int allegra_answer_read(const char *text, struct allegra_answer *answer);

/* --- Events: what happens at the table, in that order --- */

enum allegra_event_kind {
    ALLEGRA_EVENT_ROUND,        /* `number` begins; `seat` deals; `card` starts the discard pile */
    ALLEGRA_EVENT_TURNED,       /* `seat` turned up `cell`: `card` */
    ALLEGRA_EVENT_TURN,         /* `seat` begins turn `number` of the round */
    ALLEGRA_EVENT_RESHUFFLED,   /* a new draw pile of `number` cards */
    ALLEGRA_EVENT_DREW_PILE,    /* `seat` drew `card` from the draw pile */
    ALLEGRA_EVENT_DREW_DISCARD, /* `seat` drew `card` from the discard pile */
    ALLEGRA_EVENT_PASSED,       /* `seat` did not knock */
    ALLEGRA_EVENT_KNOCKED,      /* `seat` knocked; `cells` has the offered cell, or nothing */
    ALLEGRA_EVENT_AGAIN,        /* `seat` calls bidding round `number` */
    ALLEGRA_EVENT_DECLINED,     /* `seat` declined all knocks */
    ALLEGRA_EVENT_ACCEPTED,     /* `seat` accepted the knock of `other` */
    ALLEGRA_EVENT_KEPT,         /* `seat` put `card` into `cell`; `old` is set aside */
    ALLEGRA_EVENT_DROPPED,      /* `seat` put the drawn `card` on the discard pile */
    ALLEGRA_EVENT_PLACED,       /* the knocker `seat` put `card` into `cell` and holds `old` */
    ALLEGRA_EVENT_TOOK,         /* `seat` took `card` from `cell` of `other` */
    ALLEGRA_EVENT_PUT,          /* `seat` put the taken `card` into `cell`; `old` is set aside */
    ALLEGRA_EVENT_TOSSED,       /* `seat` put the taken `card` on the discard pile */
    ALLEGRA_EVENT_RETURNED,     /* the knocker `seat` put the hand `card` into the hole at `cell` */
    ALLEGRA_EVENT_CLEARED,      /* `seat` cleared `cells`, three times `card` */
    ALLEGRA_EVENT_DISCARDED,    /* `seat` put `card`, set aside or in hand, on the discard pile */
    ALLEGRA_EVENT_FINAL,        /* the final round begins; `seat` is the trigger */
    ALLEGRA_EVENT_LIMIT,        /* the turn limit ends the round after turn `number` */
    ALLEGRA_EVENT_EXHAUSTED,    /* `seat` chose the empty draw pile, which ends the round */
    ALLEGRA_EVENT_SHOWN,        /* at the end of the round `cell` of `seat` is turned up: `card` */
    ALLEGRA_EVENT_SCORED,       /* `seat` has `number` points; see the two members in half points */
    ALLEGRA_EVENT_OVER,         /* the match is over */
    ALLEGRA_EVENT_COUNT,
};

/* One event. Members that the kind does not mention are 0. */
struct allegra_event {
    uint8_t kind;
    uint8_t seat;
    uint8_t other;
    uint8_t cell; /* as `seat` names it; in ALLEGRA_EVENT_TOOK as `other` does */
    int8_t card;
    int8_t old;
    uint8_t seen_by; /* in ALLEGRA_EVENT_PLACED: the seats that know `old`, as a mask */
    uint16_t cells;
    int32_t number;
    int32_t score_halves; /* what the round counts, in half points */
    int32_t total_halves; /* and the total so far */
};

/* More than one answer can cause: 72 cells shown, six scores, the longest chain of clears. */
#define ALLEGRA_EVENTS_MAX 128

struct allegra_events {
    unsigned count;
    struct allegra_event list[ALLEGRA_EVENTS_MAX];
};

/* The keyword of an event in the protocol: "kept", "drew pile"; "unknown" for any other number. */
const char *allegra_event_name(enum allegra_event_kind kind);

/* The event as `seat` may know it. Everything is public but the card that a knocker takes up, which
 * becomes ALLEGRA_CARD_NONE for those that may not see it. */
struct allegra_event allegra_event_hide(struct allegra_event event, unsigned seat);

/* --- The table: the whole state of a match, hidden cards included --- */

/* Which clear step is going on, and so what comes after it. */
enum allegra_clear_step {
    ALLEGRA_CLEAR_NOTHING,
    ALLEGRA_CLEAR_START,  /* before drawing, with standing=turn_start */
    ALLEGRA_CLEAR_MOVE,   /* after keep or drop */
    ALLEGRA_CLEAR_KNOCK1, /* the knocker, after placing the card */
    ALLEGRA_CLEAR_SWAP,   /* the active player, after put or toss */
    ALLEGRA_CLEAR_KNOCK2, /* the knocker, after the hand card went into the hole */
    ALLEGRA_CLEAR_END,    /* the active player, at the end of a knock */
};

/* What is in a cell, in four bits: a card + 1, or one of these. */
#define ALLEGRA_TABLE_CODE_HOLE 14U
#define ALLEGRA_TABLE_CODE_GAP 15U

/* A cell is down, up, a gap or a hole. `present` has the cells that are not gaps, `down` those of
 * them whose card nobody knows; a hole is present and not down. A shared cell is in two displays,
 * always the same in both. `codes` has all cells of a display in one word, A1 in the lowest four
 * bits, so that a search for equal cards looks at all of them at once. */
struct allegra_table {
    struct allegra_rules rules;
    uint64_t codes[ALLEGRA_SEATS_MAX];
    int32_t total_halves[ALLEGRA_SEATS_MAX];
    uint16_t present[ALLEGRA_SEATS_MAX];
    uint16_t down[ALLEGRA_SEATS_MAX];

    /* The draw pile grows from the front, its top last; the discard pile from the back. */
    int8_t pile[ALLEGRA_DECK_MAX];
    uint8_t draw_count, discard_count;

    uint8_t seats, dealer;
    uint8_t round;        /* from 1 */
    uint8_t reveals_left; /* before the first turn; then 0 */
    uint16_t turn;        /* of this round, from 1; 0 before the first */
    uint16_t reshuffles;  /* in this round */
    uint8_t trigger;      /* or ALLEGRA_SEAT_NONE: the final round has not begun */
    uint8_t final_left;   /* places in the final round that are still to come */
    uint8_t final_moved;  /* mask: seats that have made their move of the final round */

    uint8_t active;
    uint8_t question;        /* enum allegra_question */
    uint8_t asked;           /* mask: seats that have to answer it */
    uint8_t completed;       /* mask: seats without a down cell */
    uint8_t first_completed; /* the trigger to be, until the turn ends; else ALLEGRA_SEAT_NONE */

    int8_t drawn; /* in the hand of the active player, or ALLEGRA_CARD_NONE */
    bool is_from_discard;
    uint8_t bid_round;                 /* from 1; 0 if there is no bidding in this turn */
    uint8_t bidders;                   /* mask: seats asked in this bidding round */
    uint8_t knockers;                  /* mask: seats that knocked in it */
    uint16_t offer[ALLEGRA_SEATS_MAX]; /* the cell each knocker offered, as a mask, or 0 */
    uint8_t knocker;                   /* the accepted one, or ALLEGRA_SEAT_NONE */
    uint8_t hole;                      /* as the knocker names it, or ALLEGRA_CELL_NONE */
    uint16_t placed;                   /* the cell where the knocker placed, as a mask, or 0 */
    int8_t hand;                       /* the card that the knocker holds, or ALLEGRA_CARD_NONE */
    bool is_hand_private;              /* only the knocker knows it */
    int8_t taken;         /* by the active player from the knocker, or ALLEGRA_CARD_NONE */
    int8_t aside;         /* waits to be discarded, or ALLEGRA_CARD_NONE */
    uint8_t clear_step;   /* enum allegra_clear_step */
    uint16_t clear_start; /* the clearer's `present` when the step began */
};

/* Puts `count` cards into random order, and does nothing else to them. `round` counts from 1;
 * `reshuffle` is 0 for the deal of that round and then counts the reshuffles from 1. */
typedef void allegra_shuffle_fn(void *context, unsigned round, unsigned reshuffle, int8_t *cards,
                                unsigned count);

struct allegra_shuffler {
    allegra_shuffle_fn *shuffle;
    void *context;
};

/* Starts a match and deals the first round. `events`, unless NULL, becomes the list of what
 * happened, whatever was in it. Refuses rules that allegra_rules_check() refuses, and a dealer that
 * is not at the table; the table is then a match that is over. */
int allegra_table_start(struct allegra_table *table, const struct allegra_rules *rules,
                        unsigned seats, unsigned dealer, const struct allegra_shuffler *shuffler,
                        struct allegra_events *events);

/* Takes an answer of `seat` and goes on to the next question. `events`, unless NULL, becomes the
 * list of what this answer caused, whatever was in it. An illegal answer changes nothing. */
enum allegra_refusal allegra_table_apply(struct allegra_table *table, unsigned seat,
                                         struct allegra_answer answer,
                                         const struct allegra_shuffler *shuffler,
                                         struct allegra_events *events);

/* Whether the answer would be accepted. */
enum allegra_refusal allegra_table_judge(const struct allegra_table *table, unsigned seat,
                                         struct allegra_answer answer);

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

/* 35 triples and none, or 15 cells to keep and 15 to drop; the last eight are only scratch
 * space. */
#define ALLEGRA_LEGAL_MAX 44

struct allegra_legal {
    unsigned count;
    struct allegra_answer list[ALLEGRA_LEGAL_MAX];
};

/* Lists the legal answers of `seat` in a fixed order: verbs as in enum allegra_verb, then seats,
 * then cells from A1 to E3; a knock without a cell comes before those with one, and clears come in
 * the order of struct allegra_triples. Empty if nothing is asked of this seat. */
void allegra_legal_list(const struct allegra_table *table, unsigned seat,
                        struct allegra_legal *legal);

/* --- Reading a table --- */

/* The neighbours of a seat. */
static inline unsigned allegra_table_left(const struct allegra_table *table, unsigned seat)
{
    return seat + 1U == table->seats ? 0U : seat + 1U;
}

static inline unsigned allegra_table_right(const struct allegra_table *table, unsigned seat)
{
    return seat == 0 ? table->seats - 1U : seat - 1U;
}

/* Replaces a cell of a shared column by the same cell as the neighbour names it: A1 of a seat is E1
 * of its left neighbour. A private cell stays as it is. */
static inline void allegra_table_twin(const struct allegra_table *table, unsigned *seat,
                                      unsigned *cell)
{
    static const uint8_t side[ALLEGRA_CELL_COUNT] = {1, 0, 0, 0, 2, 1, 0, 0, 0, 2, 1, 0, 0, 0, 2};
    static const uint8_t name[ALLEGRA_CELL_COUNT] = {4, 1, 2,  3,  0,  9,  6, 7,
                                                     8, 5, 14, 11, 12, 13, 10};
    unsigned owners[3];

    owners[0] = *seat;
    owners[1] = allegra_table_left(table, *seat);
    owners[2] = allegra_table_right(table, *seat);
    *seat = owners[side[*cell]];
    *cell = name[*cell];
}

/* The card in a cell, down or not; ALLEGRA_CARD_NONE in a hole or a gap. */
static inline int8_t allegra_table_card(const struct allegra_table *table, unsigned seat,
                                        unsigned cell)
{
    unsigned code = table->codes[seat] >> 4 * cell & 15U;

    return (int8_t)(code >= ALLEGRA_TABLE_CODE_HOLE ? ALLEGRA_CARD_NONE
                                                    : (int)code + ALLEGRA_CARD_MIN);
}

/* The cells of a seat that are up, a hole included. */
static inline uint16_t allegra_table_up(const struct allegra_table *table, unsigned seat)
{
    return (uint16_t)(table->present[seat] & ~table->down[seat]);
}

/* The i-th discarded card, from the bottom; i is below `table->discard_count`. */
static inline int8_t allegra_table_discarded(const struct allegra_table *table, unsigned i)
{
    return table->pile[ALLEGRA_DECK_MAX - 1 - i];
}

/* The hole as a cell of `seat`, as a mask; 0 if it is not in that display. */
uint16_t allegra_table_hole(const struct allegra_table *table, unsigned seat);

/* The score of a display from which everything was cleared. */
#define ALLEGRA_SCORE_EMPTY (-10)

/* The sum of the cards in a display now, down ones included; ALLEGRA_SCORE_EMPTY if it is empty. */
int allegra_table_raw_score(const struct allegra_table *table, unsigned seat);

/* The seats with the lowest total, as a mask. */
unsigned allegra_table_winners(const struct allegra_table *table);

/* All ways to choose three of five cells in three rows, and five columns. */
#define ALLEGRA_TRIPLES_MAX 35

/* Triples of one display as masks: columns from A to E, then rows from 1 to 3, each from the
 * left. */
struct allegra_triples {
    unsigned count;
    uint16_t list[ALLEGRA_TRIPLES_MAX];
};

/* All triples in the display of `seat`. */
void allegra_clear_find(const struct allegra_table *table, unsigned seat,
                        struct allegra_triples *triples);

/* The triples that may be cleared in the clear step that is going on; none if there is no such
 * step. Returns whether one of them must be. */
bool allegra_clear_choices(const struct allegra_table *table, struct allegra_triples *triples);

/* The seats that may knock for a card that the active player drew from the draw pile, as a mask. */
unsigned allegra_knock_eligible(const struct allegra_table *table);

/* The cells of the accepted knocker from which the active player may take a card, as a mask: those
 * that leave another cell to put it into. Empty if no knock is accepted. */
uint16_t allegra_knock_takeable(const struct allegra_table *table);

/* --- The view: the table as one seat sees it ---
 *
 * It has no room for anything that the seat may not know: a cell is a card or a sign that it is
 * down, piles are sizes, and bids are there once they are announced. */

/* A face that is not a card. */
#define ALLEGRA_VIEW_DOWN 101
#define ALLEGRA_VIEW_GAP 102
#define ALLEGRA_VIEW_HOLE 103

/* A card in a hand that the seat may not see; ALLEGRA_CARD_NONE says that there is none. */
#define ALLEGRA_VIEW_UNKNOWN 104

/* Members that struct allegra_table has too mean the same here. */
struct allegra_view {
    struct allegra_rules rules;
    int32_t total_halves[ALLEGRA_SEATS_MAX];
    int8_t face[ALLEGRA_SEATS_MAX][ALLEGRA_CELL_COUNT]; /* by seat, cells as that seat names them */
    int8_t discard_top;                                 /* or ALLEGRA_CARD_NONE */
    uint8_t draw_count, discard_count;
    uint8_t me, seats, dealer, round, active;
    uint16_t turn;
    bool is_final; /* the final round has begun */
    uint8_t trigger, final_left, final_moved;

    uint8_t question; /* what is asked of me; ALLEGRA_QUESTION_NONE if nothing is */
    int8_t drawn;
    bool is_from_discard;
    uint8_t bid_round;
    uint8_t bidders, knockers; /* these and `offer`: of the latest announced round, else 0 */
    uint16_t offer[ALLEGRA_SEATS_MAX];
    uint8_t knocker;
    uint16_t placed;
    int8_t hand, taken, aside;
    uint8_t clear_step;
    uint16_t clear_start;
    uint8_t first_completed;
};

/* The table as `seat` sees it. A seat that is not at the table is a spectator: it sees what
 * everybody sees, and `me` is ALLEGRA_SEAT_NONE. Equal views have equal bytes: `memcmp` compares
 * them. */
struct allegra_view allegra_view_of(const struct allegra_table *table, unsigned seat);

/* --- Positions: tables as text, for tests and bug reports ---
 *
 * Fields `name=value` in any order after `seats`, separated by spaces or line ends:
 *
 *   seats=3 edition=en2020 knock_rounds=2        how many play, and by which rules
 *   display0=4,7,#2,1,#9/3,7,0,#5,#6/#1,9,2,.,#3 rows A B C D E of seat 0: #v down, . gap, _ hole
 *   shared0=#6,4,#11                             column A of seat 0, which is E of seat 1
 *   private1=5,5,9/7,9,9/#7,#1,2                 rows B C D of seat 1
 *   draw=3,5 discard=6                           the piles from bottom to top
 *   active=0 ask=draw                            whose turn it is, and what is asked
 *
 * Only the cells must be given, each at least once, and identically if more than once. Without
 * `ask` the active seat (0) draws, in turn 1 of round 1. */

/* Room for any table as text. */
#define ALLEGRA_POSITION_MAX 4096

/* Writes a table as text in the manner of snprintf() and returns the full length. Reading the text
 * gives the very same table. */
size_t allegra_position_write(const struct allegra_table *table, char *buffer, size_t size);

/* Reads a table from which play can go on. When it refuses, it writes one sentence to `problem`, of
 * `size` bytes as with the rules, and leaves `table` undefined. */
int allegra_position_read(const char *text, struct allegra_table *table, char *problem,
                          size_t size);

/* --- Simulation --- */

/* A fast random generator (splitmix64: any seed is a good one, the period is 2^64). */
struct allegra_dice {
    uint64_t state;
};

static inline struct allegra_dice allegra_dice_from(uint64_t seed)
{
    struct allegra_dice dice;

    dice.state = seed;
    return dice;
}

/* The next 64 bits. */
static inline uint64_t allegra_dice_next(struct allegra_dice *dice)
{
    uint64_t mixed = dice->state += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

/* A number from 0 to bound - 1; the bias is below bound / 2^32. */
static inline uint32_t allegra_dice_below(struct allegra_dice *dice, uint32_t bound)
{
    return (uint32_t)(((allegra_dice_next(dice) >> 32) * bound) >> 32);
}

/* A shuffler that uses `dice`, which is borrowed for as long as the shuffler is used. */
struct allegra_shuffler allegra_simulate_shuffler(struct allegra_dice *dice);

/* One of the legal answers, of which there is at least one, all equally likely. */
static inline struct allegra_answer allegra_simulate_choose(struct allegra_dice *dice,
                                                            const struct allegra_legal *legal)
{
    return legal->list[allegra_dice_below(dice, legal->count)];
}

/* Plays the match to its end with random answers. */
void allegra_simulate_play_out(struct allegra_table *table, struct allegra_dice *dice);

/* --- Policies that are taught ---
 *
 * A policy costs every answer in points and chooses the cheapest; its weights say what counts, and
 * can be learned from nothing: with all weights 0 it only sees the cards that lie up. */

enum allegra_weight {
    ALLEGRA_WEIGHT_DOWN,         /* an unseen card in our display, beyond the mean of all, */
    ALLEGRA_WEIGHT_DOWN_TURNS,   /* and more while turns are left */
    ALLEGRA_WEIGHT_HIGH,         /* a high card, as a share: it will be replaced in time */
    ALLEGRA_WEIGHT_PAIR,         /* the share of a triple that a pair is worth, */
    ALLEGRA_WEIGHT_PAIR_DOWN,    /* how often its third card may come if its place is down, */
    ALLEGRA_WEIGHT_PAIR_UP,      /* or up */
    ALLEGRA_WEIGHT_END_MOVE,     /* what rivals gain in their last move, */
    ALLEGRA_WEIGHT_END_SURE,     /* how sure that is, */
    ALLEGRA_WEIGHT_END_FAIL,     /* what it costs to end a round and not be the lowest, */
    ALLEGRA_WEIGHT_END_WIN,      /* and what it brings to be */
    ALLEGRA_WEIGHT_TEMPO,        /* one down cell less, */
    ALLEGRA_WEIGHT_TEMPO_LEAD,   /* if we are behind; the opposite if we lead */
    ALLEGRA_WEIGHT_LAST_BUT_ONE, /* the same for the last but one, in addition */
    ALLEGRA_WEIGHT_LAST_BUT_ONE_LEAD,
    ALLEGRA_WEIGHT_NEIGHBOUR,   /* the share of a neighbour's gain that is our loss */
    ALLEGRA_WEIGHT_SHARED_TURN, /* to turn up a cell of a shared column */
    ALLEGRA_WEIGHT_LEFT,        /* the share of what the next player gains by our discard, */
    ALLEGRA_WEIGHT_LEFT_USUAL,  /* beyond a gain that is usual anyway */
    ALLEGRA_WEIGHT_LEFT_UNSEEN, /* to discard a card that was down */
    ALLEGRA_WEIGHT_DISCARD,     /* to draw from the discard pile */
    ALLEGRA_WEIGHT_KNOCK,       /* to knock, */
    ALLEGRA_WEIGHT_ACCEPT,      /* and to accept a knock */
    ALLEGRA_WEIGHT_COUNT,
};

struct allegra_policy {
    float weights[ALLEGRA_WEIGHT_COUNT];
};

/* The cards that `seat` cannot see, by value, the lowest first. */
void allegra_table_unseen(const struct allegra_table *table, unsigned seat,
                          uint8_t unseen[ALLEGRA_CARD_VALUES]);

/* The number in `legal` of the answer that the policy gives for view->me. */
unsigned allegra_policy_choose(const struct allegra_policy *policy, const struct allegra_view *view,
                               const uint8_t unseen[ALLEGRA_CARD_VALUES],
                               const struct allegra_legal *legal);

/* --- Batches: many tables at once, for programs that learn ---
 *
 * Every table of a batch waits for one answer of one seat. allegra_batch_look() says of all tables
 * at once what that seat sees and what it may answer; allegra_batch_step() takes one action per
 * table and starts a new match where one is over. The caller lends all memory.
 *
 * An action is the number of an answer, the same at every table: verbs as in enum allegra_verb,
 * each with one number per cell, seat (accept) or triple (clear: five columns, then ten of each
 * row), or one if it has none; a knock without a cell comes before those with one. */

#define ALLEGRA_ACTION_COUNT 154

/* Let the library choose at random. */
#define ALLEGRA_ACTION_RANDOM 255

/* What a seat sees, in numbers: the displays of all seats from its own on, clockwise, with faces as
 * in a view, and gaps where nobody sits; then the top of the discard pile, the drawn card, the
 * taken card, the hand, the sizes of draw and discard pile, question, own seat, active seat,
 * trigger and knocker as seats after the own one or -1, round, turn. Numbers are 127 at most. */
#define ALLEGRA_INPUT_COUNT (ALLEGRA_SEATS_MAX * ALLEGRA_CELL_COUNT + 13)

struct allegra_batch_table {
    struct allegra_table table;
    struct allegra_dice cards;   /* for shuffling */
    struct allegra_dice choices; /* for random answers */
    uint64_t match;              /* its number */
};

struct allegra_batch {
    struct allegra_rules rules;
    struct allegra_batch_table *tables;
    uint64_t seed;
    uint32_t count, seats;
};

/* The result of a step at one table. */
struct allegra_batch_result {
    uint8_t refusal; /* of the action, enum allegra_refusal; then nothing changed there */
    uint8_t is_over; /* a match ended with these totals, and the next one has begun */
    uint8_t winners; /* as a mask */
    int32_t total_halves[ALLEGRA_SEATS_MAX];
};

/* Starts matches 0 to count - 1, one per table; the next is number `count`, and so on as table
 * follows table. The cards of a match follow from `seed` and its number, its dealer from its
 * number. Refuses what allegra_table_start() refuses, and no tables. */
int allegra_batch_start(struct allegra_batch *batch, const struct allegra_rules *rules,
                        unsigned seats, uint64_t seed, struct allegra_batch_table *tables,
                        unsigned count);

/* Fills in, unless NULL, ALLEGRA_INPUT_COUNT inputs, ALLEGRA_ACTION_COUNT flags of legal actions,
 * and the seat that is asked, for each table. */
void allegra_batch_look(const struct allegra_batch *batch, int8_t *inputs, uint8_t *legal,
                        uint8_t *seats);

/* Takes one action per table, of the seat that allegra_batch_look() named. Returns how many matches
 * ended. `results`, unless NULL, has one per table. */
unsigned allegra_batch_step(struct allegra_batch *batch, const uint8_t *actions,
                            struct allegra_batch_result *results);

/* Chooses the action of a policy for each table whose asked seat has one: `policies` has one per
 * seat, or NULL. The other actions stay as they are. */
void allegra_batch_choose(const struct allegra_batch *batch,
                          const struct allegra_policy *const *policies, uint8_t *actions);

/* What a seat got in several matches. */
struct allegra_batch_score {
    double points;    /* all in all */
    double win_share; /* matches won, shared ones in part */
};

/* Plays the matches `first` to first + count - 1 of a seed to their end, one after another.
 * `policies` is by seat, NULL for random answers; `scores` is by seat, too. Returns how many
 * answers were given; 0 if it refuses. */
uint64_t allegra_batch_play(const struct allegra_rules *rules, unsigned seats, uint64_t seed,
                            uint64_t first, uint64_t count,
                            const struct allegra_policy *const *policies,
                            struct allegra_batch_score *scores);

#ifdef __cplusplus
}
#endif

#endif
