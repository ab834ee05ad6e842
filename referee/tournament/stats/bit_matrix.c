/* Rows of bits, so that whole rows can be joined and cut 64 things at a time. */

#include "tournament/relation.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct relation *relation_new(unsigned count)
{
    struct relation *relation = xcalloc(1, sizeof *relation);

    relation->count = count;
    relation->words = (count + 63) / 64;
    relation->rows = xcalloc((size_t)count * relation->words + 1, sizeof *relation->rows);
    return relation;
}

struct relation *relation_copy(const struct relation *relation)
{
    struct relation *copy = relation_new(relation->count);

    memcpy(copy->rows, relation->rows,
           (size_t)relation->count * relation->words * sizeof *relation->rows);
    return copy;
}

void relation_free(struct relation *relation)
{
    if (relation == NULL)
        return;
    free(relation->rows);
    free(relation);
}

uint64_t *relation_row(const struct relation *relation, unsigned from)
{
    return relation->rows + (size_t)from * relation->words;
}

void relation_add(struct relation *relation, unsigned from, unsigned to)
{
    relation_row(relation, from)[to / 64] |= UINT64_C(1) << (to % 64);
}

bool relation_has(const struct relation *relation, unsigned from, unsigned to)
{
    return (relation_row(relation, from)[to / 64] >> (to % 64) & 1) != 0;
}

/* Warshall: after step `over`, every way that goes through things up to `over` only is there. */
void relation_close(struct relation *relation)
{
    for (unsigned over = 0; over < relation->count; over++) {
        const uint64_t *further = relation_row(relation, over);

        relation_add(relation, over, over);
        for (unsigned from = 0; from < relation->count; from++) {
            uint64_t *row = relation_row(relation, from);

            if (relation_has(relation, from, over))
                for (unsigned word = 0; word < relation->words; word++)
                    row[word] |= further[word];
        }
    }
}

unsigned relation_next(const struct relation *relation, const uint64_t *row, unsigned from)
{
    while (from < relation->count) {
        uint64_t rest = row[from / 64] >> (from % 64);

        if (rest != 0)
            return from + (unsigned)__builtin_ctzll(rest);
        from = (from / 64 + 1) * 64;
    }
    return relation->count;
}
