#ifndef REFEREE_TOURNAMENT_STORE_STORE_H
#define REFEREE_TOURNAMENT_STORE_STORE_H

/* A tournament on disk: a folder with
 *
 *   results.ndjson   everything that has happened, one record per line; the truth (journal.h)
 *   master           the secret that all deals come from; only its owner can read it
 *   commitments      the hash of each deal's seed, written before its first match
 *   open/BLOCK/      logs of blocks that are still being played; nobody else can read them
 *   logs/BLOCK/      logs of decided blocks: MATCH.ndjson.zst, with the bots' stderr next to it
 *   referee.lock     held while a process plays; marks the folder as one that no bot may read
 *
 * A result counts when store_write() has returned 0. */

#include "base/deal_random.h"
#include "base/histogram.h"
#include "base/text.h"
#include "tournament/store/journal.h"
#include "tournament/store/result.h"
#include "wire/json_read.h"
#include "wire/log_record.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stat;
struct store;

/* A bot as the store knows it. Bots are numbered in the order in which they came. */
struct store_bot {
    char *name;
    char *command;
    char hash[LOG_RECORD_HASH_HEX];
    unsigned generation; /* 1 for those that were there from the start */
    bool is_withdrawn;   /* by the organiser */
};

/* One setting of the tournament. */
struct store_setting {
    const char *key;
    const char *value;
};

/* Opens the store in a folder. For playing (JOURNAL_WRITE), it is made if it is not there, and
 * locked; for reading (JOURNAL_READ), it must be there. A store that has lost its journal, its
 * results or its master is refused with what can be done, and so is one whose journal and master
 * are not of the same tournament; nothing in it is changed then. JOURNAL_SALVAGE plays on with the
 * results up to the damage. Returns NULL with one sentence in `problem`. */
struct store *store_open(const char *folder, enum journal_mode mode, struct text *problem);
void store_free(struct store *store);

/* Repairs a store that is open for playing; to be called when everything else that could refuse it
 * was checked. What JOURNAL_SALVAGE cannot use is moved: lines of the journal to a file next to it,
 * logs without a result to a folder. Lost commitments are written again. Returns 0, or -1 with one
 * sentence. */
int store_repair(struct store *store, struct text *problem);

/* What is wrong with the file of the commitments, when a store was opened for playing: "was
 * missing" or "was changed"; NULL if nothing is. */
const char *store_lost_commitments(const struct store *store);

/* Called for each record of the journal, with the store as it is right after it. */
typedef void store_visit_fn(void *context, const struct store *store,
                            const struct json_node *record);

/* Reads the journal once, record by record. Returns 0, or -1 with one sentence in `problem`. */
int store_walk(const char *folder, store_visit_fn *visit, void *context, struct text *problem);

/* Reads the master seed of a store that is open for reading, so that store_seed() can be used.
 * Returns whether it can be read. */
bool store_reveal(struct store *store);

/* For a forked process: closes all descriptors above the standard ones except the lock and `kept`.
 * Only seeds and paths can be used afterwards. Without a store (NULL) there is no lock. */
void store_keep_lock_only(const struct store *store, int kept);

/* Opens a new store for playing in place of the one in that folder, which may be damaged. The old
 * one is put aside and deleted when the new one has committed to its deals; if that never happens,
 * store_give_up() or the next store_open() for playing puts it back. What JOURNAL_SALVAGE has put
 * aside stays. Returns NULL with a sentence. */
struct store *store_open_fresh(const char *folder, struct text *problem);

/* Before store_free(): puts the old store back if this one is fresh and has not committed to a
 * deal; then nothing else can be done with it. NULL is fine. Returns 0, or -1 with a sentence. */
int store_give_up(struct store *store, struct text *problem);

/* Whether an old store was put back, by store_open() or store_give_up(). */
bool store_is_restored(const struct store *store);

/* Whether no deal is committed to yet; then store_begin() has to come first. `seed_text` is a seed
 * that anybody can guess, or NULL for a secret one. */
bool store_is_new(const struct store *store);
int store_begin(struct store *store, const char *name, const struct store_setting *settings,
                const char *seed_text);

const char *store_folder(const struct store *store);
const char *store_name(const struct store *store);
bool store_is_guessable(const struct store *store);

/* The setting of that key, or NULL; store_set() replaces it. */
const char *store_setting(const struct store *store, const char *key);
void store_set(struct store *store, const char *key, const char *value);

/* What was dropped from the end of the journal, or moved away. */
const struct journal_loss *store_loss(const struct store *store);

/* How many logs without a result were moved away, and the folder where they are now. */
unsigned long store_aside(const struct store *store, const char **folder);

/* How many results have no log any more, as it was when the store was opened for playing. Adds the
 * names of the first few. */
unsigned long store_missing_logs(const struct store *store, struct text *names);

/* The checksum of the last record. It stands for the whole tournament: whoever has published it
 * elsewhere can prove later that nothing has changed. "" if there is no record. */
const char *store_sum(const struct store *store);
unsigned long store_record_count(const struct store *store);

/* The bots. */
unsigned store_bot_count(const struct store *store);
const struct store_bot *store_bot(const struct store *store, unsigned number);
int store_find_bot(const struct store *store, const char *name); /* its number, or -1 */
void store_add_bot(struct store *store, const struct store_bot *bot);
void store_change_bot(struct store *store, unsigned number, const char *command, const char *hash);
void store_withdraw_bot(struct store *store, unsigned number, bool is_withdrawn);

/* A round after the first: the bots that play in it, the best first. Lent. */
struct store_round {
    uint16_t *order;
    unsigned count;
};

unsigned store_round_count(const struct store *store);
const struct store_round *store_round(const struct store *store, unsigned index);
void store_add_round(struct store *store, const uint16_t *order, unsigned count);

/* All matches of a bot so far are played again: their blocks have rematches, with deals of their
 * own, right after block `after`, the last one of the schedule when that was asked for. The old
 * results and logs stay, and do not count. Or one block that is not decided gets another deal.
 * Lent. */
#define STORE_NO_BOT UINT_MAX
struct store_rematches {
    unsigned bot;                   /* STORE_NO_BOT: another deal */
    char hash[LOG_RECORD_HASH_HEX]; /* of the bot as it was then */
    unsigned after;
    unsigned rounds;  /* of store_round_count(), at that time */
    unsigned *blocks; /* those that are played again, in their order */
    unsigned count;
};

unsigned store_rematches_count(const struct store *store);
const struct store_rematches *store_rematches(const struct store *store, unsigned index);

/* Records that all matches of a bot are played again. Returns how many blocks that are; nothing is
 * recorded for none, nor if there would be too many. */
unsigned store_add_rematches(struct store *store, unsigned bot, unsigned after);

/* Records that a block of which nothing is decided is played with another deal, as the block after
 * `after`. Returns false, and records nothing, if there would be too many. */
bool store_redeal(struct store *store, unsigned block, unsigned after);

/* The seed of a block's deal. */
void store_seed(const struct store *store, unsigned block, uint8_t seed[DEAL_RANDOM_SEED_BYTES]);

/* The name of this store for programs that play for it: nothing else can be found out from it. */
#define STORE_ID_HEX 33
void store_id(const struct store *store, char id[STORE_ID_HEX]);

/* Writes the commitments of that many blocks, and syncs them. Returns 0, or -1 with errno. */
int store_commit(struct store *store, unsigned blocks);

/* The path of the log of a match: while its block is open, and afterwards. Free it. */
char *store_open_path(const struct store *store, unsigned block, unsigned rotation);
char *store_log_path(const struct store *store, unsigned block, unsigned rotation);

/* The same from the folder of a store alone. */
char *store_open_path_in(const char *folder, unsigned block, unsigned rotation);
char *store_published_path(const char *folder, unsigned block, unsigned rotation);

/* Makes the folder for the logs of an open block. Returns 0, or -1 with errno. */
int store_open_block(struct store *store, unsigned block);

/* All matches of a block are decided: makes its logs public. Returns 0, or -1 with errno. */
int store_publish(struct store *store, unsigned block);

/* Logs that are deleted on purpose: those of the matches in a mask, in all blocks from the first to
 * the last. All of them have a result. */
struct store_pruning {
    unsigned first;
    unsigned last;
    uint32_t matches;
    const char *why; /* the rule that chose them */
};

/* Records that logs are pruned; they may be deleted when that is written. */
void store_add_pruned(struct store *store, const struct store_pruning *pruning);

/* Which logs of a block were pruned, as a mask. */
uint32_t store_pruned(const struct store *store, unsigned block);

/* Of a public log that is a file, and no link on the way to it. Returns 0, or -1. */
int store_stat_log(const struct store *store, unsigned block, unsigned rotation,
                   struct stat *status);

/* Deletes a public log and the bots' stderr next to it, in the store itself: not through links.
 * Returns 0, or -1 with errno. */
int store_delete_log(const struct store *store, unsigned block, unsigned rotation);

/* Whether the logs of a block are not public yet. */
bool store_is_open(const struct store *store, unsigned block);

/* Renames what there is of the log of a void match to an attempt, so that it is out of the way. */
void store_keep_attempt(struct store *store, unsigned block, unsigned rotation);

/* A match was played. `times` by seat. */
void store_add_result(struct store *store, const struct result *result, const char *log_hash,
                      const struct histogram *times);

/* A match is void: the world's fault. */
void store_add_void(struct store *store, unsigned block, unsigned rotation, const char *why);

/* Which matches of a block are decided, as a mask. */
uint32_t store_done(const struct store *store, unsigned block);

/* All results, in the order in which they came in. */
const struct result *store_results(const struct store *store, size_t *count);

/* The thinking times of a bot. */
const struct histogram *store_times(const struct store *store, unsigned bot);

/* Whether records wait to be written; and writing them, after the logs. Returns 0; or -1 with
 * errno: then none of them counts yet, and the call can be repeated. */
bool store_is_waiting(const struct store *store);
int store_write(struct store *store);

/* Writes what waits, and ends what was written since the store was opened with a record of its own,
 * so that any damage to the results can be told from an unfinished write (journal.h). Returns 0, or
 * -1 with errno, which does no harm. */
int store_seal(struct store *store);

#endif
