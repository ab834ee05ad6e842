/* Readers of single fields. None of them fails: a field that is not understood changes nothing. */

#include "kit/fields.h"

#include <allegra.h>
#include <stdlib.h>
#include <string.h>

char *fields_cut(char **rest, char separator)
{
    char *field = *rest;
    char *end = strchr(field, separator);

    *rest = end != NULL ? end + 1 : NULL;
    if (end != NULL)
        *end = '\0';
    return field;
}

char *fields_next(char **rest)
{
    char *field = *rest + strspn(*rest, " \t\r\n");
    char *end = field + strcspn(field, " \t\r\n");

    *rest = *end == '\0' ? end : end + 1;
    *end = '\0';
    return field;
}

bool fields_next_pair(char **rest, const char **name, const char **value)
{
    char *field = fields_next(rest);
    char *equals = strchr(field, '=');

    *name = field;
    *value = equals != NULL ? equals + 1 : "";
    if (equals != NULL)
        *equals = '\0';
    return equals != NULL || *field != '\0';
}

long fields_number(const char *field, long least, long most, long otherwise)
{
    char *end;
    long number = strtol(field, &end, 10);

    return end == field || *end != '\0' || number < least || number > most ? otherwise : number;
}

void fields_small(const char *field, uint8_t *number)
{
    *number = (uint8_t)fields_number(field, 0, UINT8_MAX, *number);
}

void fields_seat(const char *field, uint8_t *seat)
{
    *seat = (uint8_t)fields_number(field, 0, ALLEGRA_SEATS_MAX - 1, *seat);
}

void fields_card(const char *field, int8_t *card)
{
    if (strcmp(field, "?") == 0)
        *card = ALLEGRA_VIEW_UNKNOWN;
    else
        *card = (int8_t)fields_number(field, ALLEGRA_CARD_MIN, ALLEGRA_CARD_MAX, *card);
}

bool fields_seat_cell(char *field, uint8_t *seat, uint16_t *mask)
{
    char *rest = field;
    char *owner = fields_cut(&rest, ':');
    unsigned cell;

    if (rest == NULL || allegra_cell_read(rest, &cell) != 0)
        return false;
    fields_seat(owner, seat);
    *mask = ALLEGRA_CELL_BIT(cell);
    return true;
}

long fields_halves(const char *field)
{
    char *end;
    long halves = 2 * strtol(field, &end, 10);

    if (*end != '.')
        return halves;
    return field[0] == '-' ? halves - 1 : halves + 1;
}
