#ifndef REFEREE_VALUE_NETWORK_H
#define REFEREE_VALUE_NETWORK_H

/* The network behind value_of(): its inputs, its weights, and how they are put together.
 *
 * Each display is encoded by itself, with the same weights for all seats. What a seat expects then
 * follows from its own code, those of both neighbours, the sum of all, and what is common to
 * the table. So one network serves all table sizes. */

#include "game/allegra.h"
#include "value/glance.h"

/* Inputs of a display: the card in each cell, or that it is down; pairs in columns and rows by
 * card; a few numbers; when it is its turn; and whether it will end the round. */
#define NETWORK_FACES (ALLEGRA_CARD_VALUES + 1)
#define NETWORK_COLUMN_PAIRS (ALLEGRA_CELL_COUNT * NETWORK_FACES)
#define NETWORK_ROW_PAIRS (NETWORK_COLUMN_PAIRS + ALLEGRA_CARD_VALUES)
#define NETWORK_NUMBERS (NETWORK_ROW_PAIRS + ALLEGRA_CARD_VALUES)
#define NETWORK_PLACE (NETWORK_NUMBERS + 9)
#define NETWORK_END (NETWORK_PLACE + ALLEGRA_SEATS_MAX + 6)
#define NETWORK_INPUTS (NETWORK_END + 6)

#define NETWORK_COMMON 51   /* inputs about the table as one seat sees it */
#define NETWORK_CODE 80     /* numbers that a display becomes */
#define NETWORK_HIDDEN 64   /* numbers that a seat's prospects become */
#define NETWORK_STANDING 12 /* inputs about the match: who is ahead, rounds to come */
#define NETWORK_WIN 16

/* Weights are whole numbers, in units of 1 / NETWORK_UNIT. */
#define NETWORK_UNIT 2048.0F

struct network {
    float code[NETWORK_INPUTS][NETWORK_CODE];
    float code_bias[NETWORK_CODE];
    float own[NETWORK_CODE][NETWORK_HIDDEN];
    float left[NETWORK_CODE][NETWORK_HIDDEN];
    float right[NETWORK_CODE][NETWORK_HIDDEN];
    float all[NETWORK_CODE][NETWORK_HIDDEN]; /* the sum of all seats, its own included */
    float common[NETWORK_COMMON][NETWORK_HIDDEN];
    float hidden_bias[NETWORK_HIDDEN];
    float points[NETWORK_HIDDEN];
    float win_hidden[NETWORK_HIDDEN][NETWORK_WIN];
    float win_standing[NETWORK_STANDING][NETWORK_WIN];
    float win_bias[NETWORK_WIN];
    float win[NETWORK_WIN];
    float points_bias;
    float win_end_bias;
};

/* One network per edition, by enum allegra_edition; see train.c for how they are made. */
extern const struct network *const network_of_edition[ALLEGRA_EDITION_COUNT];

/* Numbers that are not 0, and where they belong; at most as many as a display has codes. */
#define NETWORK_LIST_MAX NETWORK_CODE
struct network_list {
    unsigned count;
    uint16_t index[NETWORK_LIST_MAX];
    float amount[NETWORK_LIST_MAX];
};

struct network_inputs {
    unsigned seats;
    struct network_list displays[ALLEGRA_SEATS_MAX];
    struct network_list table;                    /* common inputs, the same for all seats, */
    struct network_list views[ALLEGRA_SEATS_MAX]; /* and those that each seat sees otherwise */
    float costs[ALLEGRA_SEATS_MAX];   /* what the quick policy expects of a display, in points */
    double totals[ALLEGRA_SEATS_MAX]; /* in points, before this round */
    unsigned rounds_left;             /* after this one: 0, 1, 2, or 3 for more */
};

/* What everybody sees of a table at the start of a turn or while cells are revealed. `glance` was
 * started with this table or one shortly before. */
void network_look(struct network_inputs *inputs, const struct allegra_table *table,
                  struct glance *glance);

/* What a display means for each seat that looks at it. */
struct network_meaning {
    float own[NETWORK_HIDDEN];
    float left[NETWORK_HIDDEN];
    float right[NETWORK_HIDDEN];
    float all[NETWORK_HIDDEN];
};

/* The displays that were evaluated last, because most stay as they are from one table to the next.
 * It belongs to one network. Start it with network_forget(). */
struct network_memory {
    struct {
        struct network_list display;
        float code[NETWORK_CODE];
        struct network_meaning meaning;
    } seats[ALLEGRA_SEATS_MAX];
};

static inline void network_forget(struct network_memory *memory)
{
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++)
        memory->seats[seat].display.count = 0;
}

/* What a network computes on the way, for training. */
struct network_trace {
    float hidden[ALLEGRA_SEATS_MAX][NETWORK_HIDDEN];
    float standing[ALLEGRA_SEATS_MAX][NETWORK_STANDING];
    float win_hidden[ALLEGRA_SEATS_MAX][NETWORK_WIN];
    float ahead[ALLEGRA_SEATS_MAX]; /* what the win share is in proportion to, before the squash */
    double points[ALLEGRA_SEATS_MAX]; /* of this round */
    double wins[ALLEGRA_SEATS_MAX];
};

void network_run(const struct network *network, const struct network_inputs *inputs,
                 struct network_memory *memory, struct network_trace *trace);

/* The same on machines without wide registers. Both give the same numbers, to the last bit. */
void network_run_narrow(const struct network *network, const struct network_inputs *inputs,
                        struct network_memory *memory, struct network_trace *trace);

/* How many members struct network has, all of them float. */
#define NETWORK_WEIGHTS (sizeof(struct network) / sizeof(float))

#endif
