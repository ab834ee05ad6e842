#ifndef REFEREE_TOURNAMENT_STATS_BIT_MATRIX_H
#define REFEREE_TOURNAMENT_STATS_BIT_MATRIX_H

/* A relation among numbered things: a square matrix of bits. */

#include <stdbool.h>
#include <stdint.h>

struct bit_matrix {
    unsigned count; /* of things, numbered from 0 */
    unsigned words; /* in a row */
    uint64_t *rows; /* bit `to` of row `from`: is `from` related to `to`? */
};

/* An empty relation. Free it with bit_matrix_free(), which also takes NULL. */
struct bit_matrix *bit_matrix_new(unsigned count);
struct bit_matrix *bit_matrix_copy(const struct bit_matrix *matrix);
void bit_matrix_free(struct bit_matrix *matrix);

void bit_matrix_add(struct bit_matrix *matrix, unsigned from, unsigned to);
bool bit_matrix_has(const struct bit_matrix *matrix, unsigned from, unsigned to);
uint64_t *bit_matrix_row(const struct bit_matrix *matrix, unsigned from);

/* Relates each thing to itself and to everything that it reaches in any number of steps. */
void bit_matrix_close(struct bit_matrix *matrix);

/* The first thing in a row of bits that is not before `from`; `count` if there is none. */
unsigned bit_matrix_next(const struct bit_matrix *matrix, const uint64_t *row, unsigned from);

#endif
