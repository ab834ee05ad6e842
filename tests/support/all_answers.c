/* The list follows the comments at enum verb, not the code that reads answers. */

#include "support/all_answers.h"

#include "game/rules.h"

struct filling {
    struct answer *list;
    unsigned count;
};

static void add(struct filling *filling, enum verb verb, unsigned seat, unsigned cells)
{
    filling->list[filling->count++] =
        (struct answer){(uint8_t)verb, (uint8_t)seat, (uint16_t)cells};
}

static void add_cells(struct filling *filling, enum verb verb, unsigned seat)
{
    for (unsigned cell = 0; cell < CELL_COUNT; cell++)
        add(filling, verb, seat, CELL_BIT(cell));
}

static void add_triples(struct filling *filling)
{
    for (unsigned cells = 0; cells <= CELL_ALL; cells++) {
        if (__builtin_popcount(cells) == 3)
            add(filling, VERB_CLEAR, 0, cells);
    }
}

void all_answers(struct answer list[ALL_ANSWERS])
{
    static const enum verb with_cell[] = {VERB_TURN,  VERB_KEEP, VERB_DROP,
                                          VERB_PLACE, VERB_PUT,  VERB_KNOCK};
    static const enum verb alone[] = {VERB_PILE,    VERB_DISCARD, VERB_PASS, VERB_KNOCK,
                                      VERB_DECLINE, VERB_AGAIN,   VERB_TOSS, VERB_NONE};
    struct filling filling = {list, 0};

    for (unsigned i = 0; i < ARRAY_LEN(with_cell); i++)
        add_cells(&filling, with_cell[i], 0);
    for (unsigned i = 0; i < ARRAY_LEN(alone); i++)
        add(&filling, alone[i], 0, 0);
    for (unsigned seat = 0; seat < RULES_SEATS_MAX; seat++) {
        add(&filling, VERB_ACCEPT, seat, 0);
        add_cells(&filling, VERB_TAKE, seat);
    }
    add_triples(&filling);
}
