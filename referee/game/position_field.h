#ifndef REFEREE_GAME_POSITION_FIELD_H
#define REFEREE_GAME_POSITION_FIELD_H

/* The fields of a position that are simply members of struct allegra_table. Internal to the room:
 * shared by the writer and the reader of positions. */

#include "game/allegra.h"

#include <stddef.h>

enum field_kind {
    FIELD_NUMBER,
    FIELD_WIDE, /* a number of 16 bits */
    FIELD_SEAT,
    FIELD_SEATS, /* a mask */
    FIELD_CARD,
    FIELD_CELL,
    FIELD_CELLS, /* a mask of 16 bits */
    FIELD_NAME,  /* one of `names`, by number */
    FIELD_ASK,   /* the name of a question */
};

struct field {
    const char *name;
    enum field_kind kind;
    uint16_t offset;
    uint16_t most; /* of numbers */
    const char *names[8];
};

size_t position_field_count(void);
const struct field *position_field_at(size_t index);

unsigned position_field_get(const struct allegra_table *table, const struct field *field);
void position_field_set(struct allegra_table *table, const struct field *field, unsigned value);

/* A table in which every field has the value that need not be written. */
void position_set_defaults(struct allegra_table *table);

#endif
