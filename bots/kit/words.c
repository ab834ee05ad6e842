/* Readers of single fields. None of them fails: a field that is not understood changes nothing. */

#include "kit/words.h"

#include "game/allegra.h"

bool words_next_pair(struct span *rest, struct words_pair *pair)
{
    pair->value = span_cut_word(rest);
    if (pair->value.length == 0)
        return false;
    pair->name = span_cut(&pair->value, '=');
    if (pair->value.start == NULL)
        pair->value = (struct span){"", 0};
    return true;
}

long words_number(struct span word, long least, long most, long otherwise)
{
    long number = otherwise;

    span_read_number(word, least, most, &number);
    return number;
}

void words_small(struct span word, uint8_t *number)
{
    *number = (uint8_t)words_number(word, 0, UINT8_MAX, *number);
}

void words_seat(struct span word, uint8_t *seat)
{
    *seat = (uint8_t)words_number(word, 0, ALLEGRA_SEATS_MAX - 1, *seat);
}

void words_card(struct span word, int8_t *card)
{
    if (span_is(word, "?"))
        *card = ALLEGRA_VIEW_UNKNOWN;
    else
        card_read(word, card);
}

int words_place(struct span word, uint8_t *seat, unsigned *cell)
{
    struct span owner = span_cut(&word, ':');

    if (word.start == NULL || cell_read(word, cell) != 0)
        return -1;
    words_seat(owner, seat);
    return 0;
}

long words_halves(struct span word)
{
    struct span whole = span_cut(&word, '.');
    long halves = 2 * words_number(whole, -100000, 100000, 0);

    if (word.start == NULL)
        return halves;
    return whole.length > 0 && whole.start[0] == '-' ? halves - 1 : halves + 1;
}

uint64_t words_hex(struct span word)
{
    uint64_t number = 0;

    for (size_t i = 0; i < word.length; i++) {
        char digit = word.start[i];

        if (digit >= '0' && digit <= '9')
            number = number << 4 | (uint64_t)(digit - '0');
        else if (digit >= 'a' && digit <= 'f')
            number = number << 4 | (uint64_t)(digit - 'a' + 10);
    }
    return number;
}
