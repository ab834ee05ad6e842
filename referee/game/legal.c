/* Legal answers as a list to choose from. The judgement with a reason is in table.c, written
 * independently of this; the tests compare the two over every answer that can be written down. */

#include "game/game_private.h"

#include <string.h>

/* The single cells of each mask of one row, in order, as masks; and how many they are. */
static const uint32_t row_cells[32][8] = {
    {0},        {1},           {2},           {1, 2},
    {4},        {1, 4},        {2, 4},        {1, 2, 4},
    {8},        {1, 8},        {2, 8},        {1, 2, 8},
    {4, 8},     {1, 4, 8},     {2, 4, 8},     {1, 2, 4, 8},
    {16},       {1, 16},       {2, 16},       {1, 2, 16},
    {4, 16},    {1, 4, 16},    {2, 4, 16},    {1, 2, 4, 16},
    {8, 16},    {1, 8, 16},    {2, 8, 16},    {1, 2, 8, 16},
    {4, 8, 16}, {1, 4, 8, 16}, {2, 4, 8, 16}, {1, 2, 4, 8, 16},
};
static const uint8_t row_count[32] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                      1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5};

static uint32_t as_word(struct allegra_answer answer)
{
    uint32_t word;

    _Static_assert(sizeof word == sizeof answer, "an answer is one word");
    memcpy(&word, &answer, sizeof word);
    return word;
}

static void add(struct allegra_legal *legal, enum allegra_verb verb, unsigned seat, uint16_t cells)
{
    uint32_t word = as_word(
        (struct allegra_answer){.verb = (uint8_t)verb, .seat = (uint8_t)seat, .cells = cells});

    memcpy(&legal->list[legal->count++], &word, sizeof word);
}

/* One answer for each cell of the mask. Eight words per row are always written, of which those
 * count that are there: a mask is not predictable, and a branch guessed wrong costs more than
 * the rest. */
static void add_cells(struct allegra_legal *legal, enum allegra_verb verb, unsigned seat,
                      unsigned mask)
{
    uint32_t base = as_word((struct allegra_answer){.verb = (uint8_t)verb, .seat = (uint8_t)seat});
    uint32_t unit = as_word((struct allegra_answer){.cells = 1});
    unsigned count = legal->count;

    for (unsigned shift = 0; shift < ALLEGRA_CELL_COUNT; shift += ALLEGRA_CELL_COLUMNS) {
        unsigned row = mask >> shift & ALLEGRA_CELL_ROW_1;
        uint32_t words[8];

        for (unsigned i = 0; i < 8; i++)
            words[i] = base + (row_cells[row][i] << shift) * unit;
        memcpy(&legal->list[count], words, sizeof words);
        count += row_count[row];
    }
    legal->count = count;
}

static void add_draws(const struct allegra_table *table, struct allegra_legal *legal)
{
    if (deal_can_draw(table))
        add(legal, ALLEGRA_VERB_PILE, 0, 0);
    add(legal, ALLEGRA_VERB_DISCARD, 0, 0);
}

static void add_answers(const struct allegra_table *table, struct allegra_legal *legal)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (table->knockers >> seat & 1)
            add(legal, ALLEGRA_VERB_ACCEPT, seat, 0);
    }
    add(legal, ALLEGRA_VERB_DECLINE, 0, 0);
    if (table->bid_round < table->rules.knock_rounds)
        add(legal, ALLEGRA_VERB_AGAIN, 0, 0);
}

static void add_moves(const struct allegra_table *table, unsigned seat, struct allegra_legal *legal)
{
    add_cells(legal, ALLEGRA_VERB_KEEP, 0, table->present[seat]);
    if (!table->is_from_discard || table->rules.discard_return)
        add_cells(legal, ALLEGRA_VERB_DROP, 0, table->down[seat]);
}

static void add_puts(const struct allegra_table *table, unsigned seat, struct allegra_legal *legal)
{
    add_cells(legal, ALLEGRA_VERB_PUT, 0,
              table->present[seat] & (uint16_t)~allegra_table_hole(table, seat));
    if (table->rules.knock_active_swap == ALLEGRA_FORCE_MAY)
        add(legal, ALLEGRA_VERB_TOSS, 0, 0);
}

/* Rare, and kept out of the way: inlined it would burden the common questions. */
__attribute__((noinline)) static void add_clears(const struct allegra_table *table,
                                                 struct allegra_legal *legal)
{
    struct allegra_triples triples;
    bool has_must = allegra_clear_choices(table, &triples);

    for (unsigned i = 0; i < triples.count; i++)
        add(legal, ALLEGRA_VERB_CLEAR, 0, triples.list[i]);
    if (!has_must)
        add(legal, ALLEGRA_VERB_NONE, 0, 0);
}

void allegra_legal_list(const struct allegra_table *table, unsigned seat,
                        struct allegra_legal *legal)
{
    legal->count = 0;
    if (seat >= table->seats || !(table->asked >> seat & 1))
        return;
    switch ((enum allegra_question)table->question) {
    case ALLEGRA_QUESTION_REVEAL:
        add_cells(legal, ALLEGRA_VERB_TURN, 0, table->down[seat]);
        break;
    case ALLEGRA_QUESTION_DRAW:
        add_draws(table, legal);
        break;
    case ALLEGRA_QUESTION_KNOCK:
        add(legal, ALLEGRA_VERB_PASS, 0, 0);
        add(legal, ALLEGRA_VERB_KNOCK, 0, 0);
        add_cells(legal, ALLEGRA_VERB_KNOCK, 0, table->present[seat]);
        break;
    case ALLEGRA_QUESTION_ANSWER:
        add_answers(table, legal);
        break;
    case ALLEGRA_QUESTION_MOVE:
        add_moves(table, seat, legal);
        break;
    case ALLEGRA_QUESTION_PLACE:
        add_cells(legal, ALLEGRA_VERB_PLACE, 0, table->present[seat]);
        break;
    case ALLEGRA_QUESTION_TAKE:
        add_cells(legal, ALLEGRA_VERB_TAKE, table->knocker, allegra_knock_takeable(table));
        break;
    case ALLEGRA_QUESTION_PUT:
        add_puts(table, seat, legal);
        break;
    case ALLEGRA_QUESTION_CLEAR:
        add_clears(table, legal);
        break;
    case ALLEGRA_QUESTION_NONE:
    case ALLEGRA_QUESTION_COUNT:
        break;
    }
}
