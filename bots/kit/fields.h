#ifndef BOTS_KIT_FIELDS_H
#define BOTS_KIT_FIELDS_H

/* The fields of the referee's lines, which are cut apart in place. A reader that does not
 * understand its field leaves its target unchanged, or returns a given default. */

#include <stdbool.h>
#include <stdint.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

/* Cuts the text up to `separator` off the front of `rest`. Without a separator that is all of it,
 * and `rest` becomes NULL. */
char *fields_cut(char **rest, char separator);

/* Cuts the next field off `rest`, with the spaces around it; "" if there is none left. */
char *fields_next(char **rest);

/* Cuts the next NAME=VALUE off `rest`; a field without `=` has the value "". Returns whether there
 * was one. */
bool fields_next_pair(char **rest, const char **name, const char **value);

/* A number from `least` to `most`, or `otherwise`. */
long fields_number(const char *field, long least, long most, long otherwise);
void fields_small(const char *field, uint8_t *number);
void fields_seat(const char *field, uint8_t *seat);

/* A card, or `?` for one that is not shown: ALLEGRA_VIEW_UNKNOWN. */
void fields_card(const char *field, int8_t *card);

/* "2:A1", as a mask. Returns whether it is one. */
bool fields_seat_cell(char *field, uint8_t *seat, uint16_t *cell);

/* "12" or "-1.5", in half points. */
long fields_halves(const char *field);

#endif
