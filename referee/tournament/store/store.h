#ifndef REFEREE_TOURNAMENT_STORE_STORE_H
#define REFEREE_TOURNAMENT_STORE_STORE_H

/* What a tournament leaves on the disk: a folder with
 *
 *   results.ndjson   everything that has happened, one record a line; the truth (journal.h)
 *   master           the secret that all deals come from; readable for its owner only
 *   commitments      the hash of each deal's seed, written before its first match
 *   open/BLOCK/      logs of blocks that are still being played; for nobody else to read
 *   logs/BLOCK/      logs of blocks that are decided: MATCH.ndjson, and the bots' stderr beside it
 *   lock             held while somebody plays
 *
 * A result counts when store_write() has returned 0. */

#include "base/deal_random.h"
#include "base/histogram.h"
#include "base/text.h"
#include "tournament/store/result.h"
#include "wire/log_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

/* A bot as the store knows it. Bots have the numbers in which they came. */
struct store_bot {
    char *name;
    char *command;
    char hash[LOG_RECORD_HASH_HEX];
    unsigned generation; /* 1 for those that were there from the beginning */
    bool is_withdrawn;   /* by the organiser */
};

/* One line of what was agreed when the tournament began. */
struct store_setting {
    const char *key;
    const char *value;
};

/* Opens the store of a folder. To play in it, it is made if it is not there, and locked against others;
 * to read, it must be there. Returns NULL with one sentence in `problem`. */
struct store *store_open(const char *folder, bool is_read_only, struct text *problem);
void store_free(struct store *store);

/* For a process that was forked: closes all descriptors above the standard ones but the lock and `kept`. Only seeds and paths can be asked for afterwards. */
void store_keep_lock_only(const struct store *store, int kept);

/* Removes everything of a store that is to be played anew. Returns 0, or -1 with a sentence. */
int store_remove(const char *folder, struct text *problem);

/* Whether nothing was agreed yet, or no deal was committed to since; then store_begin() has to come
 * first. `seed_words` is a seed that
 * anybody can guess, or NULL for a secret one. */
bool store_is_new(const struct store *store);
int store_begin(struct store *store, const char *name, const struct store_setting *settings,
                const char *seed_words);

const char *store_folder(const struct store *store);
const char *store_name(const struct store *store);
bool store_is_guessable(const struct store *store);

/* What was agreed under that key, or NULL; a new agreement replaces it. */
const char *store_setting(const struct store *store, const char *key);
void store_set(struct store *store, const char *key, const char *value);

/* How many bytes of a record that was being written when the power went were dropped. */
size_t store_dropped(const struct store *store);

/* The bots. */
unsigned store_bot_count(const struct store *store);
const struct store_bot *store_bot(const struct store *store, unsigned number);
int store_find_bot(const struct store *store, const char *name); /* its number, or -1 */
void store_add_bot(struct store *store, const struct store_bot *bot);
void store_change_bot(struct store *store, unsigned number, const char *command, const char *hash);
void store_withdraw_bot(struct store *store, unsigned number, bool is_withdrawn);

/* Rounds after the first: who plays in it, the best first. Lent. */
struct store_round {
    uint16_t *order;
    unsigned count;
};

unsigned store_round_count(const struct store *store);
const struct store_round *store_round(const struct store *store, unsigned index);
void store_add_round(struct store *store, const uint16_t *order, unsigned count);

/* The seed of a block's deal. */
void store_seed(const struct store *store, unsigned block, uint8_t seed[DEAL_RANDOM_SEED_BYTES]);

/* Writes the commitments of all blocks up to that one, through to the disk. Returns 0, or -1 with
 * errno; ENOTRECOVERABLE says that those that are there are not of this master seed. */
int store_commit(struct store *store, unsigned blocks);

/* Where the log of a match is: while its block is open, and afterwards. Give it back with free(). */
char *store_open_path(const struct store *store, unsigned block, unsigned rotation);
char *store_log_path(const struct store *store, unsigned block, unsigned rotation);

/* The same as store_log_path() for who knows only the folder of the store. */
char *store_published_path(const char *folder, unsigned block, unsigned rotation);

/* Makes the folder for the logs of an open block. Returns 0, or -1 with errno. */
int store_open_block(struct store *store, unsigned block);

/* All matches of a block are decided: everybody may see its logs. */
int store_publish(struct store *store, unsigned block);

/* Whether the logs of a block are still where nobody may see them. */
bool store_is_open(const struct store *store, unsigned block);

/* Puts what there is of the log of a void match aside, so that it does not get in the way. */
void store_keep_attempt(struct store *store, unsigned block, unsigned rotation);

/* A match was played. `times` by seat. */
void store_add_result(struct store *store, const struct result *result, const char *log_hash,
                      const struct histogram *times);

/* A match is void: the world's fault. What there is of its log is kept beside as an attempt. */
void store_add_void(struct store *store, unsigned block, unsigned rotation, const char *why);

/* Whether a match is decided; and all of a block that are, as a mask. */
uint32_t store_done(const struct store *store, unsigned block);

/* All results, in the order in which they came in. */
const struct result *store_results(const struct store *store, size_t *count);

/* The thinking times of a bot. */
const struct histogram *store_times(const struct store *store, unsigned bot);

/* Whether something waits to be written; and writing it: first all logs, then the records. Returns 0, or
 * -1 with errno: then none of it counts yet, and it is to be tried again. */
bool store_is_waiting(const struct store *store);
int store_write(struct store *store);

#endif
