#ifndef BOTS_KIT_WORDS_H
#define BOTS_KIT_WORDS_H

/* The fields of the referee's lines. A reader that does not understand its field leaves its target
 * unchanged, or returns a given default. */

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct words_pair {
    struct span name;
    struct span value;
};

/* Cuts the next key=value off `rest`; a field without `=` has an empty value. Returns whether there
 * was one. */
bool words_next_pair(struct span *rest, struct words_pair *pair);

/* A number from `least` to `most`, or `otherwise`. */
long words_number(struct span word, long least, long most, long otherwise);
void words_small(struct span word, uint8_t *number);
void words_seat(struct span word, uint8_t *seat);

/* A card, or `?` for one that is not shown: VIEW_UNKNOWN. */
void words_card(struct span word, int8_t *card);

/* "2:A1". Returns 0, or -1. */
int words_place(struct span word, uint8_t *seat, unsigned *cell);

/* "12" or "-1.5", in half points. */
long words_halves(struct span word);

/* "00c0ffee00c0ffee" */
uint64_t words_hex(struct span word);

#endif
