#ifndef REFEREE_TOURNAMENT_STORE_STORE_PRIVATE_H
#define REFEREE_TOURNAMENT_STORE_STORE_PRIVATE_H

/* What the files of a store share. store.c has the folder, store_replace.c starts over in it,
 * store_seed.c has the seeds of the deals, store_logs.c the logs, store_check.c whether they belong
 * together, store_record.c the records of the journal, store_result.c those of results,
 * store_prune.c those of logs that were deleted, store_rematch.c those of matches that are played
 * again. */

#include "tournament/schedule/schedule.h"
#include "tournament/store/journal.h"
#include "tournament/store/store.h"
#include "wire/json_record.h"
#include "wire/json_write.h"

#define STORE_VERSION 1
#define STORE_JOURNAL "results.ndjson"

/* How the name of a log ends; what lies next to it has the name without `.zst`. */
#define STORE_LOG ".ndjson.zst"
#define STORE_BLOCKS_MAX SCHEDULE_BLOCKS_MAX

struct store {
    char *folder;
    int folder_fd;
    int lock_fd;
    enum journal_mode mode;
    struct journal *journal;
    struct json_writer *json;
    uint8_t master[DEAL_RANDOM_SEED_BYTES];
    store_visit_fn *visit; /* of store_walk() */
    void *visit_context;
    struct span reading; /* the record that is being read; nothing while records are written */
    bool is_sealed;      /* the last record that was read is a seal */
    bool is_unsealed;    /* records were written */
    unsigned committed;  /* blocks whose commitments this process has written */
    bool is_restored;    /* from what an unfinished --fresh had put aside */

    /* From the journal. */
    bool has_begun;
    char *name;
    bool is_guessable;
    char **keys;
    char **values;
    unsigned setting_count;
    struct store_bot *bots;
    struct histogram *times; /* by bot */
    unsigned bot_count;
    struct store_round *rounds;
    unsigned round_count;
    struct store_rematches *rematches;
    unsigned rematches_count;
    struct result *results;
    size_t result_count;
    size_t result_capacity;
    uint32_t *done; /* by block */
    unsigned done_capacity;
    uint32_t *pruned; /* by block: whose logs were deleted on purpose */
    unsigned pruned_capacity;
    unsigned commitment_count;
    char commitments_hash[LOG_RECORD_HASH_HEX];

    const char *lost_commitments; /* from store_check_commitments(); or NULL */

    /* From store_check_logs(). */
    uint32_t *logs; /* by block: which matches have a log; or NULL */
    bool is_moving; /* logs without a result: store_repair() was called */
    char *aside;    /* where logs without a result are now; or NULL */
    unsigned long aside_count;
};

#define STORE_MASTER_BYTES (2 * DEAL_RANDOM_SEED_BYTES + 1) /* of the file `master` */

/* Adds "PATH: WHY" to a message. Returns -1. */
int store_fail(struct text *problem, const char *path, const char *why);

/* Makes the folder if it is to be played in, refuses it if it is not a store's, and locks it.
 * Returns 0, or -1 with one sentence. */
int store_open_folder(struct store *store, struct text *problem);

/* Makes the folders in it. Returns 0, or -1 with errno. */
int store_make_folders(const struct store *store);

/* Whether the open folder has what only a store has. */
bool store_is_recognised(const struct store *store);

/* A store that takes the place of another one (store_replace.c). Those that return an int return 0,
 * or -1 with one sentence.
 *
 * Puts the files of the store aside; puts them back, if there are any, and deletes what is there
 * instead; deletes those that were put aside; and does one or the other, if a process was killed in
 * between. */
int store_put_aside(struct store *store, struct text *problem);
int store_put_back(struct store *store, struct text *problem);
void store_drop_replaced(const struct store *store);
int store_settle_replaced(struct store *store, struct text *problem);

/* Whether something of that name belongs to a store that nobody is writing; and whether it is a
 * folder then. */
bool store_is_own_name(const char *name);
bool store_is_own_folder(const char *name);

/* Whether files were put aside and not put back; and whether there are any left of them. */
bool store_has_replaced(const struct store *store);
bool store_is_replacing(const struct store *store);

/* What there is besides the journal. Looked for before the journal is read: another process may be
 * writing, and it writes its records first. */
struct store_remains {
    const char *played;  /* what exists only if a match was played; or NULL */
    const char *running; /* the same as `played`, if all of those may still have been running */
    const char *begun;   /* what exists only if there is a record; or NULL */
    bool is_journal_missing;
};
void store_find_remains(const struct store *store, struct store_remains *remains);

/* Refuses a store whose journal, as far as it was read, does not account for the remains. Returns
 * 0, or -1 with one sentence. */
int store_check_remains(const struct store *store, const struct store_remains *remains,
                        struct text *problem);

/* Compares the logs with the results. Public logs without a result are refused; with
 * JOURNAL_SALVAGE they are left alone, and the second function moves them to a folder
 * `logs.damaged-1`, or the next number. Both return 0, or -1 with one sentence. */
int store_check_logs(struct store *store, struct text *problem);
int store_move_logs(struct store *store, struct text *problem);

/* Refuses a journal whose commitments were not made from the master seed, and looks whether their
 * file is as the journal says; and writes that file again. Both return 0, or -1 with one
 * sentence. */
int store_check_commitments(struct store *store, struct text *problem);
int store_restore_commitments(struct store *store, struct text *problem);

/* Returns 0, or -1 with one sentence. */
int store_read_master(struct store *store, struct text *problem);

/* Writes a record: its keys and values come between the two calls. While a record is read, nothing
 * is written: the second call says whether the record in the journal has exactly these bytes. Only
 * if it returns true may the store be changed. */
struct json_writer *store_begin_record(struct store *store);
bool store_end_record(struct store *store);

/* While a record is read: a hash in hexadecimal digits; and refuses a record because of its bytes,
 * which returns -1. */
const char *store_read_hash(struct json_record *reader, const char *key);
int store_refuse_bytes(struct json_record *reader);

/* Reads a record of the journal: the store is then as it was when the record was added. */
int store_read_record(void *context, const struct json_node *record, struct span bytes,
                      struct text *problem);

/* The same for records of results. */
int store_read_result(struct store *store, const struct json_node *record, struct text *problem);

/* The same for records of pruned logs. */
int store_read_pruned(struct store *store, const struct json_node *record, struct text *problem);

/* The same for records of matches that are played again. */
int store_read_rematches(struct store *store, const struct json_node *record, struct text *problem);
int store_read_redeal(struct store *store, const struct json_node *record, struct text *problem);

/* Writes the master seed, after the first record; and deletes it, with its commitments, before the
 * records are deleted. Both return 0, or -1 with errno. */
int store_write_master(struct store *store);
int store_remove_master(struct store *store);

/* Records that everything before is complete. */
void store_add_seal(struct store *store);

/* Records that the commitments of that many blocks are written, and their hash. */
void store_add_commitments(struct store *store, unsigned blocks, const char *hash);

#endif
