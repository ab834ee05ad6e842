#ifndef REFEREE_TOURNAMENT_STORE_JOURNAL_H
#define REFEREE_TOURNAMENT_STORE_JOURNAL_H

/* A file that only grows: one JSON document a line, each with a checksum over itself and all lines
 * before it. A line counts when it is on the disk. */

#include "base/text.h"
#include "wire/json_read.h"

#include <stdbool.h>
#include <stddef.h>

struct journal;

/* Gets each record that is there. Returns 0, or -1 with one sentence in `problem`. */
typedef int journal_take_fn(void *context, const struct json_node *record, struct text *problem);

/* Opens the file, or makes it unless it is only to be read, and hands over what is in it. A last line
 * that was cut off in the middle of writing is dropped (journal_dropped() says how many bytes that
 * were); damage before it is not mended. Returns NULL with one sentence in `problem`. */
struct journal *journal_open(const char *path, bool is_read_only, journal_take_fn *take,
                             void *context, struct text *problem);

/* Closes it; what was added and not written is lost. NULL is fine. */
void journal_free(struct journal *journal);

/* Adds a record: a JSON map with something in it. It does not count before journal_write(). */
void journal_add(struct journal *journal, const char *record, size_t length);

/* How much waits to be written; and forgetting what was added since then, if none of it was written. */
size_t journal_mark(const struct journal *journal);
void journal_return(struct journal *journal, size_t mark);

/* Forgets all records, those in the file too: what is added now is the first. The file follows with the
 * next journal_write(). */
void journal_start_over(struct journal *journal);

/* Whether there is something to write. */
bool journal_is_waiting(const struct journal *journal);

/* Writes what was added, and through to the disk. Returns 0; or -1 with errno: then nothing of it
 * counts, the file is as it was, and all of it is still there to be tried again. */
int journal_write(struct journal *journal);

size_t journal_dropped(const struct journal *journal);

#endif
