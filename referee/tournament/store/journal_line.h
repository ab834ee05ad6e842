#ifndef REFEREE_TOURNAMENT_STORE_JOURNAL_LINE_H
#define REFEREE_TOURNAMENT_STORE_JOURNAL_LINE_H

/* The lines of a journal: their checksums, and what they say about how much was synced. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define JOURNAL_SUM_BYTES 16 /* the minimum of the hash function */
#define JOURNAL_SUM_HEX (2 * JOURNAL_SUM_BYTES + 1)

/* The end of a line, from a record without its last brace: adds to `text` and changes `sum`, the
 * sum of the line before, into that of this one. `synced` is the length of the file when it was
 * last synced. */
#define JOURNAL_LINE_END_MAX 100
void journal_line_end(struct span record, size_t synced, char sum[JOURNAL_SUM_HEX],
                      struct text *text);

/* The sum at the end of a line that was added: the bytes end in its newline. */
void journal_line_last_sum(struct span bytes, char sum[JOURNAL_SUM_HEX]);

/* The first line of `rest`, without its newline. */
struct span journal_line_first(struct span rest);

/* Whether a line has the right sum after a line with the sum `sum`, which then becomes its own. */
bool journal_line_check(struct span line, char sum[JOURNAL_SUM_HEX]);

/* Takes a line apart: its record without the last brace, and how much was synced when it was
 * written. Returns whether its end is written as journal_line_end() writes it. */
bool journal_line_split(struct span line, struct span *record, size_t *synced);

/* Whether the rest of a file from `offset`, which begins with a wrong line, had been synced. */
bool journal_line_was_synced(struct span rest, size_t offset);

#endif
