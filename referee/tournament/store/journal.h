#ifndef REFEREE_TOURNAMENT_STORE_JOURNAL_H
#define REFEREE_TOURNAMENT_STORE_JOURNAL_H

/* A file that only grows: one JSON map per line, each with a checksum over itself and all lines
 * before it. A line counts when it is on disk. */

#include "base/text.h"
#include "wire/json_read.h"

#include <stdbool.h>
#include <stddef.h>

struct journal;

/* Called for each record that is read. Returns 0, or -1 with one sentence in `problem`. */
typedef int journal_take_fn(void *context, const struct json_node *record, struct text *problem);

/* Opens the file, or makes it unless `is_read_only`, and reads its records. A last line that was
 * cut off while it was written is dropped (journal_dropped() returns its size); damage before it is
 * an error. Returns NULL with one sentence in `problem`. */
struct journal *journal_open(const char *path, bool is_read_only, journal_take_fn *read_record,
                             void *context, struct text *problem);

/* Closes it; what was added and not written is lost. NULL is fine. */
void journal_free(struct journal *journal);

/* Adds a record: a JSON map that is not empty. It does not count before journal_write(). */
void journal_add(struct journal *journal, const char *record, size_t length);

/* How much waits to be written; and going back to that mark, if nothing was written since. */
size_t journal_mark(const struct journal *journal);
void journal_return(struct journal *journal, size_t mark);

/* Drops all records, also those in the file: the next one that is added is the first. The file
 * changes with the next journal_write(). */
void journal_start_over(struct journal *journal);

/* Whether there is something to write. */
bool journal_is_waiting(const struct journal *journal);

/* Writes and syncs what was added. Returns 0; or -1 with errno: then none of it counts, the file is
 * as it was, and everything is still there to be tried again. */
int journal_write(struct journal *journal);

size_t journal_dropped(const struct journal *journal);

#endif
