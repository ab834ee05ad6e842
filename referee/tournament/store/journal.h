#ifndef REFEREE_TOURNAMENT_STORE_JOURNAL_H
#define REFEREE_TOURNAMENT_STORE_JOURNAL_H

/* A file that only grows: one JSON map per line, each with a checksum over itself and all lines
 * before it. A line counts when it is on disk. */

#include "base/text.h"
#include "wire/json_read.h"

#include <stdbool.h>
#include <stddef.h>

struct journal;

enum journal_mode {
    JOURNAL_WRITE,   /* to add records; the file is made if it is not there */
    JOURNAL_READ,    /* changes nothing; another process may be writing */
    JOURNAL_SALVAGE, /* JOURNAL_WRITE, but of a damaged file everything up to the damage is used */
};

/* What was in the file and is not used. */
struct journal_loss {
    unsigned long line; /* the first that is not used */
    size_t bytes;       /* 0: nothing is lost */
    char *saved;        /* the file that has these bytes now (journal_salvage()), or NULL. Lent */
};

/* Called for each record that is read. `bytes` is the same record as journal_add() got it, without
 * its last brace: a reader that compares it with what it would write itself takes nothing that no
 * referee has written. Returns 0; or -1 with one sentence in `problem`, and has changed nothing. */
typedef int journal_take_fn(void *context, const struct json_node *record, struct span bytes,
                            struct text *problem);

/* Whether a record, as for journal_add(), has the bytes that a journal_take_fn got. */
bool journal_has_bytes(const char *record, size_t length, struct span bytes);

/* What can be done if the line after that many good ones is damaged, as a part of a sentence. */
typedef const char *journal_way_out_fn(void *context, unsigned long good_lines);

/* Who takes the records. */
struct journal_reader {
    journal_take_fn *take;
    journal_way_out_fn *way_out;
    void *context;
};

/* Opens the file and reads its records. With a new file, its name is on disk as well. Lines at the
 * end that were not on disk completely, as after a power failure, never counted and are dropped
 * (journal_loss()); they stay in the file until the first journal_write(). Anything else that is
 * wrong is damage: an error that names the line and the way out; or, with JOURNAL_SALVAGE and at
 * least one good line, the end of what is used. The file is not changed before journal_salvage().
 * Except for reading, the file is locked until it is closed: only one process can have it open.
 * Returns NULL with one sentence in `problem`. */
struct journal *journal_open(const char *path, enum journal_mode mode,
                             const struct journal_reader *reader, struct text *problem);

/* To be called if what JOURNAL_SALVAGE has read can be used: moves everything from the first wrong
 * line on to a file next to this one, PATH.damaged-1 or the next number that is free. Before the
 * first journal_write() at the latest. Returns 0, or -1 with errno. */
int journal_salvage(struct journal *journal);

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
 * as it was, and everything is still there to be tried again. ESTALE says that somebody else has
 * removed, replaced or changed the file: it is left alone. */
int journal_write(struct journal *journal);

/* What to say of such an errno. */
const char *journal_error(int error);

/* What was dropped or moved away when it was opened. */
const struct journal_loss *journal_loss(const struct journal *journal);

/* Whether lines were dropped without being kept anywhere. Then `text` has how many, as a sentence
 * that can be continued. */
bool journal_write_dropped(struct text *text, const struct journal_loss *loss);

/* How many records are in the file, and the checksum of the last one, which stands for all of them;
 * "" if there is none. */
unsigned long journal_count(const struct journal *journal);
const char *journal_sum(const struct journal *journal);

#endif
