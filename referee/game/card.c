/* The names of cards and cells. Everything that a person or a bot reads or writes about them goes
 * through these four functions, so there is one spelling of each. */

#include "game/game_text.h"

void card_write(struct text *text, int card)
{
    text_add_number(text, card);
}

int card_read(struct span span, int8_t *card)
{
    long number;

    if (span_read_number(span, ALLEGRA_CARD_MIN, ALLEGRA_CARD_MAX, &number) != 0)
        return -1;
    *card = (int8_t)number;
    return 0;
}

void cell_write(struct text *text, unsigned cell)
{
    if (cell >= ALLEGRA_CELL_COUNT)
        return;
    text_add_char(text, (char)('A' + cell % ALLEGRA_CELL_COLUMNS));
    text_add_char(text, (char)('1' + cell / ALLEGRA_CELL_COLUMNS));
}

int cell_read(struct span span, unsigned *cell)
{
    if (span.length != 2)
        return -1;
    if (span.start[0] < 'A' || span.start[0] > 'E' || span.start[1] < '1' || span.start[1] > '3')
        return -1;
    *cell =
        (unsigned)(span.start[1] - '1') * ALLEGRA_CELL_COLUMNS + (unsigned)(span.start[0] - 'A');
    return 0;
}
