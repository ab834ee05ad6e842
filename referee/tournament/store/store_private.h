#ifndef REFEREE_TOURNAMENT_STORE_STORE_PRIVATE_H
#define REFEREE_TOURNAMENT_STORE_STORE_PRIVATE_H

/* What the files of a store share: store.c the folder, store_seed.c where the cards come from,
 * store_logs.c the logs, store_record.c the records of its journal, store_result.c those of results. */

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
    unsigned committed; /* blocks whose commitments are on the disk */

    /* What the journal says. */
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
    unsigned told_commitments;
    char commitments_hash[LOG_RECORD_HASH_HEX];
};

/* Adds "PATH: WHY". Returns -1. */
int store_complain(struct text *problem, const char *path, const char *why);

/* Returns 0, or -1 with one sentence. */
int store_read_master(struct store *store, struct text *problem);

/* Writing a record: between the two come its keys and values. */
struct json_writer *store_begin_record(struct store *store);
void store_end_record(struct store *store);
void store_put_text(struct json_writer *json, const char *key, const char *value);
void store_put_number(struct json_writer *json, const char *key, long long value);
void store_put_list(struct json_writer *json, const char *key);

/* Adds what is wrong with a record that was read. Returns -1. */
int store_wrong_record(struct text *problem, const char *what);

/* As store_take(), for one kind of record. */
int store_take_result(struct store *store, const struct json_node *record, struct text *problem);
int store_take_void(struct store *store, const struct json_node *record, struct text *problem);

/* Takes a record of the journal: the state afterwards is the same as right after it was added. */
int store_take(void *context, const struct json_node *record, struct text *problem);

/* Writes what must be there before the first record: the master seed. Returns 0, or -1 with errno. */
int store_prepare(struct store *store);

/* Adds to the journal that the commitments of that many blocks are written, and their hash. */
void store_add_commitments(struct store *store, unsigned blocks, const char *hash);

#endif
