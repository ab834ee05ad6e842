/* The list follows the comments at enum allegra_verb,
 * not the code that reads answers. */

#include "support/all_answers.h"

#include "base/text.h"
#include "game/allegra.h"

struct answer_list {
    struct allegra_answer *list;
    unsigned count;
};

static void add(struct answer_list *answers, enum allegra_verb verb, unsigned seat, unsigned cells)
{
    answers->list[answers->count++] =
        (struct allegra_answer){(uint8_t)verb, (uint8_t)seat, (uint16_t)cells};
}

static void add_cells(struct answer_list *answers, enum allegra_verb verb, unsigned seat)
{
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++)
        add(answers, verb, seat, ALLEGRA_CELL_BIT(cell));
}

static void add_triples(struct answer_list *answers)
{
    for (unsigned cells = 0; cells <= ALLEGRA_CELL_ALL; cells++) {
        if (__builtin_popcount(cells) == 3)
            add(answers, ALLEGRA_VERB_CLEAR, 0, cells);
    }
}

void all_answers(struct allegra_answer list[ALL_ANSWERS])
{
    static const enum allegra_verb verbs_with_cell[] = {ALLEGRA_VERB_TURN, ALLEGRA_VERB_KEEP,
                                                        ALLEGRA_VERB_DROP, ALLEGRA_VERB_PLACE,
                                                        ALLEGRA_VERB_PUT,  ALLEGRA_VERB_KNOCK};
    static const enum allegra_verb plain_verbs[] = {
        ALLEGRA_VERB_PILE,    ALLEGRA_VERB_DISCARD, ALLEGRA_VERB_PASS, ALLEGRA_VERB_KNOCK,
        ALLEGRA_VERB_DECLINE, ALLEGRA_VERB_AGAIN,   ALLEGRA_VERB_TOSS, ALLEGRA_VERB_NONE};
    struct answer_list answers = {list, 0};

    for (unsigned i = 0; i < ARRAY_LEN(verbs_with_cell); i++)
        add_cells(&answers, verbs_with_cell[i], 0);
    for (unsigned i = 0; i < ARRAY_LEN(plain_verbs); i++)
        add(&answers, plain_verbs[i], 0, 0);
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        add(&answers, ALLEGRA_VERB_ACCEPT, seat, 0);
        add_cells(&answers, ALLEGRA_VERB_TAKE, seat);
    }
    add_triples(&answers);
}
