/* Rows of bits, so that rows can be combined 64 things at a time. */

#include "tournament/stats/bit_matrix.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct bit_matrix *bit_matrix_new(unsigned count)
{
    struct bit_matrix *matrix = xcalloc(1, sizeof *matrix);

    matrix->count = count;
    matrix->words = (count + 63) / 64;
    matrix->rows = xcalloc((size_t)count * matrix->words + 1, sizeof *matrix->rows);
    return matrix;
}

struct bit_matrix *bit_matrix_copy(const struct bit_matrix *matrix)
{
    struct bit_matrix *copy = bit_matrix_new(matrix->count);

    memcpy(copy->rows, matrix->rows, (size_t)matrix->count * matrix->words * sizeof *matrix->rows);
    return copy;
}

void bit_matrix_free(struct bit_matrix *matrix)
{
    if (matrix == NULL)
        return;
    free(matrix->rows);
    free(matrix);
}

uint64_t *bit_matrix_row(const struct bit_matrix *matrix, unsigned from)
{
    return matrix->rows + (size_t)from * matrix->words;
}

void bit_matrix_add(struct bit_matrix *matrix, unsigned from, unsigned to)
{
    bit_matrix_row(matrix, from)[to / 64] |= UINT64_C(1) << (to % 64);
}

bool bit_matrix_has(const struct bit_matrix *matrix, unsigned from, unsigned to)
{
    return (bit_matrix_row(matrix, from)[to / 64] >> (to % 64) & 1) != 0;
}

/* Warshall: after step `over`, every path through things up to `over` is there. */
void bit_matrix_close(struct bit_matrix *matrix)
{
    for (unsigned over = 0; over < matrix->count; over++) {
        const uint64_t *further = bit_matrix_row(matrix, over);

        bit_matrix_add(matrix, over, over);
        for (unsigned from = 0; from < matrix->count; from++) {
            uint64_t *row = bit_matrix_row(matrix, from);

            if (bit_matrix_has(matrix, from, over))
                for (unsigned word = 0; word < matrix->words; word++)
                    row[word] |= further[word];
        }
    }
}

unsigned bit_matrix_next(const struct bit_matrix *matrix, const uint64_t *row, unsigned from)
{
    while (from < matrix->count) {
        uint64_t rest = row[from / 64] >> (from % 64);

        if (rest != 0)
            return from + (unsigned)__builtin_ctzll(rest);
        from = (from / 64 + 1) * 64;
    }
    return matrix->count;
}
