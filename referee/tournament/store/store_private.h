#ifndef REFEREE_TOURNAMENT_STORE_STORE_PRIVATE_H
#define REFEREE_TOURNAMENT_STORE_STORE_PRIVATE_H

/* What the files of a store share. store.c has the folder, store_seed.c the seeds of the deals,
 * store_logs.c the logs, store_record.c the records of the journal, store_result.c the records of
 * results. */

#include "tournament/store/journal.h"
#include "tournament/store/store.h"
#include "wire/json_write.h"

#define STORE_VERSION 1
#define STORE_BLOCKS_MAX 100000000

struct store {
    char *folder;
    int folder_fd;
    int lock_fd;
    bool is_read_only;
    struct journal *journal;
    struct json_writer *json;
    uint8_t master[DEAL_RANDOM_SEED_BYTES];
    unsigned committed; /* blocks whose commitments this process has written */

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
    struct result *results;
    size_t result_count;
    size_t result_capacity;
    uint32_t *done; /* by block */
    unsigned done_capacity;
    unsigned commitment_count;
    char commitments_hash[LOG_RECORD_HASH_HEX];
};

/* Adds "PATH: WHY" to a message. Returns -1. */
int store_fail(struct text *problem, const char *path, const char *why);

/* Returns 0, or -1 with one sentence. */
int store_read_master(struct store *store, struct text *problem);

/* Writes a record: its keys and values come between the two calls. */
struct json_writer *store_begin_record(struct store *store);
void store_end_record(struct store *store);

/* Adds "invalid record: …" to a message. Returns -1. */
int store_refuse_record(struct text *problem, const char *what);

/* Reads a record of the journal: the store is then as it was when the record was added. */
int store_read_record(void *context, const struct json_node *record, struct text *problem);

/* The same for records of results. */
int store_read_result(struct store *store, const struct json_node *record, struct text *problem);

/* Writes the master seed, which must be there before the first record. Returns 0, or -1 with
 * errno. */
int store_write_master(struct store *store);

/* Records that the commitments of that many blocks are written, and their hash. */
void store_add_commitments(struct store *store, unsigned blocks, const char *hash);

#endif
