#ifndef TESTS_SUPPORT_SAME_TABLE_H
#define TESTS_SUPPORT_SAME_TABLE_H

/* Compares tables byte for byte. Tables are zeroed before they are filled, so padding is equal too.
 * */

#include "game/allegra.h"

#include <string.h>

static inline bool same_bytes(const void *one, const void *other, size_t size)
{
    return memcmp(one, other, size) == 0;
}

/* Clears the unused entries between the two piles. */
static inline struct allegra_table same_table_trim(struct allegra_table table)
{
    memset(table.pile + table.draw_count, 0,
           ALLEGRA_DECK_MAX - (size_t)table.draw_count - table.discard_count);
    return table;
}

/* Whether two tables are the same, except for the unused entries between their piles. */
static inline bool same_table(const struct allegra_table *one, const struct allegra_table *other)
{
    struct allegra_table first = same_table_trim(*one);
    struct allegra_table second = same_table_trim(*other);

    return same_bytes(&first, &second, sizeof first);
}

#endif
