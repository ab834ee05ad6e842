/* The list follows the comments at enum allegra_verb, not the code that reads answers. */

#include "support/all_answers.h"

#include "game/rules.h"

struct filling {
    struct allegra_answer *list;
    unsigned count;
};

static void add(struct filling *filling, enum allegra_verb verb, unsigned seat, unsigned cells)
{
    filling->list[filling->count++] =
        (struct allegra_answer){(uint8_t)verb, (uint8_t)seat, (uint16_t)cells};
}

static void add_cells(struct filling *filling, enum allegra_verb verb, unsigned seat)
{
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++)
        add(filling, verb, seat, ALLEGRA_CELL_BIT(cell));
}

static void add_triples(struct filling *filling)
{
    for (unsigned cells = 0; cells <= ALLEGRA_CELL_ALL; cells++) {
        if (__builtin_popcount(cells) == 3)
            add(filling, ALLEGRA_VERB_CLEAR, 0, cells);
    }
}

void all_answers(struct allegra_answer list[ALL_ANSWERS])
{
    static const enum allegra_verb with_cell[] = {ALLEGRA_VERB_TURN, ALLEGRA_VERB_KEEP,
                                                  ALLEGRA_VERB_DROP, ALLEGRA_VERB_PLACE,
                                                  ALLEGRA_VERB_PUT,  ALLEGRA_VERB_KNOCK};
    static const enum allegra_verb alone[] = {
        ALLEGRA_VERB_PILE,    ALLEGRA_VERB_DISCARD, ALLEGRA_VERB_PASS, ALLEGRA_VERB_KNOCK,
        ALLEGRA_VERB_DECLINE, ALLEGRA_VERB_AGAIN,   ALLEGRA_VERB_TOSS, ALLEGRA_VERB_NONE};
    struct filling filling = {list, 0};

    for (unsigned i = 0; i < ARRAY_LEN(with_cell); i++)
        add_cells(&filling, with_cell[i], 0);
    for (unsigned i = 0; i < ARRAY_LEN(alone); i++)
        add(&filling, alone[i], 0, 0);
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        add(&filling, ALLEGRA_VERB_ACCEPT, seat, 0);
        add_cells(&filling, ALLEGRA_VERB_TAKE, seat);
    }
    add_triples(&filling);
}
