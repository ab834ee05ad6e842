#ifndef REFEREE_TOURNAMENT_RELATION_H
#define REFEREE_TOURNAMENT_RELATION_H

/* Which of some things are related to which: a square of bits. */

#include <stdbool.h>
#include <stdint.h>

struct relation {
    unsigned count; /* of things, numbered from 0 */
    unsigned words; /* in a row */
    uint64_t *rows; /* bit `to` of row `from`: is `from` related to `to`? */
};

/* Nothing is related to anything yet. Give it back with relation_free(), which takes NULL too. */
struct relation *relation_new(unsigned count);
struct relation *relation_copy(const struct relation *relation);
void relation_free(struct relation *relation);

void relation_add(struct relation *relation, unsigned from, unsigned to);
bool relation_has(const struct relation *relation, unsigned from, unsigned to);
uint64_t *relation_row(const struct relation *relation, unsigned from);

/* Relates each thing to itself and to all that it reaches in any number of steps. */
void relation_close(struct relation *relation);

/* The first thing from number `from` on in a row of bits; `count` if there is none. */
unsigned relation_next(const struct relation *relation, const uint64_t *row, unsigned from);

#endif
