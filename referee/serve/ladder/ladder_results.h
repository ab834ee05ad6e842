#ifndef REFEREE_SERVE_LADDER_LADDER_RESULTS_H
#define REFEREE_SERVE_LADDER_LADDER_RESULTS_H

/* What was played in a ladder: the places of all its matches, and the luck of the choices in them
 * that peek.h needs, in one file that only grows (journal.h). A record has one table, which is one
 * job of the daemon, and is read from the store of that job when it is over. So every table counts
 * once, however often the daemon dies; and the store of a table is not needed any more when its
 * record is on the disk. */

#include "tournament/store/journal.h"
#include "tournament/store/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LADDER_VERSION_MAX 48 /* bytes of "NAME@VERSION", with the NUL */

struct ladder_table {
    unsigned job;
    int64_t ended_s;                      /* when the job ended: a job that is resumed ends again */
    bool is_failed;                       /* the job failed */
    unsigned versions[ALLEGRA_SEATS_MAX]; /* their numbers */
    unsigned version_count;
    size_t first;          /* of its matches in the list of all results */
    size_t count;          /* may be 0 */
    unsigned deals;        /* how many different ones; filled in by ladder_results_add() */
    uint32_t block_offset; /* a block of the list minus that of the job; filled in likewise */
};

struct ladder_results;

/* Opens a file. Returns NULL with a sentence in `problem`. */
struct ladder_results *ladder_results_open(const char *path, enum journal_mode mode,
                                           struct text *problem);
void ladder_results_free(struct ladder_results *results); /* NULL is fine */

/* Versions as "NAME@VERSION", numbered as they came. */
unsigned ladder_results_version_count(const struct ladder_results *results);
const char *ladder_results_version(const struct ladder_results *results, unsigned number);
int ladder_results_find_version(const struct ladder_results *results,
                                const char *version); /* or -1 */

/* All matches of all tables. `bots` are numbers of versions; blocks are those of one deal. Of luck
 * they have only what the seats' own choices drew; rotations are known where luck was measured. */
const struct result *ladder_results_list(const struct ladder_results *results, size_t *count);

/* The tables, and the one of a job, or NULL. */
unsigned ladder_results_table_count(const struct ladder_results *results);
const struct ladder_table *ladder_results_table(const struct ladder_results *results,
                                                unsigned index);
const struct ladder_table *ladder_results_find_table(const struct ladder_results *results,
                                                     unsigned job);

/* Adds a table; it replaces an earlier one of the same job. `versions` are the names of its
 * versions, which `bots` of the matches count; the matches are sorted by block and rotation.
 * Returns 0 when it is on the disk, or -1 with errno: then nothing has changed. */
int ladder_results_add(struct ladder_results *results, const struct ladder_table *table,
                       const char *const *versions, struct result *matches);

/* Removes tables for which `is_wanted` returns false: the ledger does not know them, because it is
 * an older copy. Returns 0, or -1 with errno. */
int ladder_results_filter(struct ladder_results *results,
                          bool (*is_wanted)(void *context, const struct ladder_table *table),
                          void *context);

#endif
