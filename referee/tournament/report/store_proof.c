/* A tournament may be running while it is proved, so the order of reading is that of writing,
 * backwards: first the names of the published logs, whose results are in the journal by then; then
 * the journal, whose commitments are in their file by then. The journal is read twice. The first
 * time says what there is; the second time, each result is looked at with the settings and bots of
 * its moment. */

#include "tournament/report/store_proof.h"

#include "base/directory.h"
#include "base/file_read.h"
#include "base/memory.h"
#include "tournament/play/resume_check.h"
#include "tournament/report/store_proof_match.h"
#include "tournament/report/summary.h"
#include "tournament/store/commitments.h"
#include "tournament/store/store_inventory.h"

#include <errno.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define JOURNAL "results.ndjson"

#define OTHERS_NAMED 3 /* files that are not of the store */

/* A larger file has more lines than a tournament has blocks. */
#define COMMITMENTS_MAX_BYTES ((size_t)256 << 20)

struct proving {
    const char *folder;
    store_proof_problem_fn *on_problem;
    void *context;
    struct store_proof proof;
    struct store_inventory *inventory;
    struct text other_names;
    struct store *store;             /* as it is now */
    struct progression *progression; /* NULL: there is no schedule, as of a comparison */
    struct commitments *commitments;
    struct file_read commitment_file;
    bool has_no_commitments; /* which was said */
    unsigned recorded;       /* lines of it, in the journal */
    unsigned long walked;
    uint32_t *walked_matches; /* by block: those whose results came by */
    unsigned block_count;
};

static void complain(struct proving *proving, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void complain(struct proving *proving, const char *path, const char *format, ...)
{
    char why[1300];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    proving->proof.problems++;
    proving->on_problem(proving->context, path, why);
}

static void complain_of_file(struct proving *proving, const char *name, const char *why)
{
    char *path = directory_join(proving->folder, name);

    complain(proving, path, "%s", why);
    free(path);
}

static bool has_file(const char *folder, const char *name)
{
    char *path = directory_join(folder, name);
    struct stat status;
    bool is_there = lstat(path, &status) == 0;

    free(path);
    return is_there;
}

/* What lies in the store. */

static void on_finding(void *context, enum store_inventory_finding finding, const char *path,
                       const char *why)
{
    struct proving *proving = context;
    struct text text = proving->other_names;

    switch (finding) {
    case STORE_INVENTORY_ATTEMPT:
        proving->proof.attempts++;
        break;
    case STORE_INVENTORY_OTHER:
        if (++proving->proof.others <= OTHERS_NAMED)
            text_printf(&text, "%s%.60s", proving->proof.others > 1 ? ", " : "", path);
        else if (proving->proof.others == OTHERS_NAMED + 1)
            text_add(&text, ", ...");
        proving->other_names = text;
        break;
    case STORE_INVENTORY_WRONG:
        complain_of_file(proving, path, why);
        break;
    }
}

static void check_inventory(struct proving *proving)
{
    text_start(&proving->other_names, proving->proof.other_names,
               sizeof proving->proof.other_names);
    store_inventory_judge(proving->inventory, proving->store, on_finding, proving);
}

/* Commitments. */

/* The first lines of the file must be those that the journal has recorded. */
static void check_commitments(struct proving *proving, const struct json_node *record)
{
    char hash[LOG_RECORD_HASH_HEX];

    proving->recorded = (unsigned)json_member_number(record, "commitments", 0);
    if (proving->has_no_commitments)
        return;
    if (!commitments_hash(proving->commitments, proving->recorded, hash) ||
        strcmp(hash, json_member_text(record, "sha256", "")) != 0)
        complain_of_file(proving, "commitments",
                         "it is not the file whose hash the journal recorded before the matches");
}

/* Reads the file of the commitments, unless something else is in its place. */
static void read_commitments(struct proving *proving)
{
    char *path = directory_join(proving->folder, "commitments");
    bool is_file = file_read(&proving->commitment_file, path, COMMITMENTS_MAX_BYTES) == 0;

    proving->has_no_commitments = !is_file;
    if (!is_file && errno == ENOENT)
        complain(proving, path,
                 "it is missing; `referee tournament` writes it again, if `master` is there");
    else if (!is_file)
        complain(proving, path, "%s", errno == EINVAL ? "it is not a file" : strerror(errno));
    proving->commitments = commitments_read(is_file ? path : "");
    free(path);
}

/* While a tournament runs, commitments are written before they are recorded. */
static void check_all_recorded(struct proving *proving)
{
    struct span rest = {proving->commitment_file.bytes, proving->commitment_file.length};

    for (unsigned i = 0; i < proving->recorded && rest.length > 0; i++)
        (void)span_cut(&rest, '\n');
    if (rest.length > 0)
        complain_of_file(proving, "commitments", "it has more than the journal has recorded");
}

static enum store_proof_master find_master(const struct proving *proving)
{
    if (!has_file(proving->folder, "master"))
        return STORE_PROOF_MASTER_MISSING;
    return store_reveal(proving->store) ? STORE_PROOF_MASTER_COMPARED
                                        : STORE_PROOF_MASTER_UNREADABLE;
}

/* Whoever can read the secret compares it too. */
static void check_master(struct proving *proving)
{
    const char *wanted;

    proving->proof.master = find_master(proving);
    if (proving->proof.master != STORE_PROOF_MASTER_COMPARED)
        return;
    for (unsigned block = 1; (wanted = commitments_find(proving->commitments, block)) != NULL;
         block++) {
        uint8_t seed[DEAL_RANDOM_SEED_BYTES];
        unsigned char hash[crypto_hash_sha256_BYTES];
        char hex[LOG_RECORD_HASH_HEX];

        store_seed(proving->store, block, seed);
        crypto_hash_sha256(hash, seed, sizeof seed);
        sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
        if (strcmp(hex, wanted) == 0)
            continue;
        complain_of_file(proving, "master", "the commitments were not made from this secret");
        return;
    }
}

/* Matches. */

/* Whether all matches of a block are decided, so that its logs are public. */
static bool is_complete(const struct proving *proving, unsigned number)
{
    const struct schedule *schedule;
    const struct block *block;
    unsigned rotations;

    if (proving->progression == NULL)
        return !store_is_open(proving->store, number);
    schedule = progression_schedule(proving->progression);
    block = schedule_block(schedule, number);
    rotations = block != NULL ? schedule_rotations(schedule, block) : 32;
    return (unsigned)__builtin_popcount(store_done(proving->store, number)) >= rotations &&
           !store_is_open(proving->store, number);
}

/* The block of a match that the schedule has; else NULL. */
static const struct block *find_scheduled(const struct proving *proving, unsigned number,
                                          unsigned rotation)
{
    const struct schedule *schedule = progression_schedule(proving->progression);
    const struct block *block = schedule_block(schedule, number);

    return block != NULL && rotation < schedule_rotations(schedule, block) ? block : NULL;
}

static void check_schedule(struct proving *proving, const struct result *result, const char *path)
{
    const struct schedule *schedule;
    const struct block *block;
    uint16_t bots[ALLEGRA_SEATS_MAX];

    if (proving->progression == NULL)
        return;
    schedule = progression_schedule(proving->progression);
    block = find_scheduled(proving, result->block, result->rotation);
    if (block == NULL) {
        complain(proving, path, "the schedule has no such match");
        return;
    }
    schedule_seats(schedule, block, result->rotation, bots);
    if (block->seats != result->seats ||
        memcmp(bots, result->bots, result->seats * sizeof bots[0]) != 0)
        complain(proving, path, "by the schedule other bots play this match, or in other seats");
}

static void check_log(struct proving *proving, const struct store_proof_match *match)
{
    char message[1300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    proving->proof.matches++;
    if (match->result->has_luck && !store_proof_match_has_our_luck(match))
        proving->proof.other_luck++;
    if (store_proof_match_check(match, &problem) != 0)
        complain(proving, match->path, "%s", message);
}

/* Whether the result of a match has come by before. */
static bool is_again(struct proving *proving, const struct result *result)
{
    uint32_t bit = UINT32_C(1) << result->rotation;
    bool is_again;

    if (result->block >= proving->block_count) {
        unsigned before = proving->block_count;

        proving->block_count = 2 * result->block + 64;
        proving->walked_matches = xrealloc(proving->walked_matches,
                                           proving->block_count * sizeof *proving->walked_matches);
        memset(proving->walked_matches + before, 0,
               (proving->block_count - before) * sizeof *proving->walked_matches);
    }
    is_again = (proving->walked_matches[result->block] & bit) != 0;
    proving->walked_matches[result->block] |= bit;
    return is_again;
}

static void check_match(struct proving *proving, const struct store *then,
                        const struct json_node *record)
{
    size_t count;
    const struct result *results = store_results(then, &count);
    struct store_proof_match match = {.store = then, .record = record};
    struct result key = {.block = (uint32_t)json_member_number(record, "block", 0),
                         .rotation = (uint16_t)json_member_number(record, "rotation", 0)};
    char *path = store_log_path(proving->store, key.block, key.rotation);

    match.path = path;
    match.result = &results[count - 1];
    match.commitment = commitments_find(proving->commitments, key.block);
    if (is_again(proving, &key)) {
        complain(proving, path, "the journal has two results of this match");
    } else {
        check_schedule(proving, match.result, path);
        if (store_inventory_has_log(proving->inventory, key.block, key.rotation))
            check_log(proving, &match);
        else if (store_pruned(proving->store, key.block) >> key.rotation & 1)
            proving->proof.pruned++;
        else if (is_complete(proving, key.block))
            complain(proving, path, "the log is missing");
        else
            proving->proof.waiting++;
    }
    free(path);
}

/* The order of a round, and the place of rematches, must follow from what the journal has before
 * it. Nothing is added to the store of that moment. */
static void check_blocks(struct proving *proving, const struct store *then,
                         int (*check)(const struct progression *progression, struct text *problem))
{
    char message[600];
    struct text problem;
    struct progression *progression;

    text_start(&problem, message, sizeof message);
    progression = progression_new((struct store *)then, &problem);
    if (progression == NULL || check(progression, &problem) != 0)
        complain_of_file(proving, JOURNAL, message);
    progression_free(progression);
}

static void check_void(struct proving *proving, const struct json_node *record)
{
    if (proving->progression != NULL &&
        find_scheduled(proving, (unsigned)json_member_number(record, "void", 0),
                       (unsigned)json_member_number(record, "rotation", 0)) == NULL)
        complain_of_file(proving, JOURNAL, "a match is void that the schedule does not have");
}

/* Settings of a tournament are those of its file, and flags are words. */
static bool is_setting(const char *key, const char *value)
{
    static const char *const flags[] = {"ponder", "reuse", "luck"};

    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (strcmp(key, flags[i]) == 0 && strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
            return false;
    }
    return resume_has_setting(key);
}

static void check_settings(struct proving *proving, const struct json_node *record)
{
    const struct json_node *map = json_member(record, "settings");
    const char *key = json_member_text(record, "set", NULL);

    if (proving->proof.is_comparison)
        return;
    for (const struct json_node *value = json_first(map); value != NULL;
         value = json_next(map, value)) {
        if (!is_setting(value->key, value->text))
            complain_of_file(proving, JOURNAL, "a tournament has no such setting");
    }
    if (key != NULL && !is_setting(key, json_member_text(record, "value", "")))
        complain_of_file(proving, JOURNAL, "a tournament has no such setting");
    else if (key != NULL && !resume_may_change(key))
        complain_of_file(proving, JOURNAL, "a setting was changed that cannot change");
}

/* Records that were added after the first reading do not count. */
static void visit(void *context, const struct store *then, const struct json_node *record)
{
    struct proving *proving = context;

    if (++proving->walked > proving->proof.records)
        return;
    if (json_member(record, "block") != NULL)
        check_match(proving, then, record);
    else if (json_member(record, "commitments") != NULL)
        check_commitments(proving, record);
    else if (json_member(record, "settings") != NULL || json_member(record, "set") != NULL)
        check_settings(proving, record);
    else if (json_member(record, "void") != NULL)
        check_void(proving, record);
    else if (json_member(record, "round") != NULL && proving->progression != NULL)
        check_blocks(proving, then, progression_check_round);
    else if ((json_member(record, "rematch") != NULL || json_member(record, "redeal") != NULL) &&
             proving->progression != NULL)
        check_blocks(proving, then, progression_check_rematches);
}

/* Which blocks have pruned logs. */
static void list_pruned(struct proving *proving)
{
    struct text text;
    unsigned first = 0;

    text_start(&text, proving->proof.pruned_blocks, sizeof proving->proof.pruned_blocks);
    for (unsigned block = 1; block <= proving->block_count && text.length < 50; block++) {
        bool is_pruned = store_pruned(proving->store, block) != 0;

        if (is_pruned && first == 0)
            first = block;
        if (is_pruned || first == 0)
            continue;
        text_printf(&text, "%s%u", text.length > 0 ? ", " : "", first);
        if (block - 1 > first)
            text_printf(&text, " to %u", block - 1);
        first = 0;
    }
    if (text.length >= 50)
        text_add(&text, ", ...");
}

/* Tables. */

static void on_different(void *context, const char *name)
{
    complain_of_file(context, name,
                     "it does not follow from the results; `referee standings` computes it again");
}

static void on_left_over(void *context, const char *name)
{
    complain_of_file(context, name,
                     "by the journal this is a comparison, which has no tables of a tournament");
}

static void check_tables(struct proving *proving)
{
    struct summary *summary;

    if (proving->proof.is_comparison)
        summary_find_files(proving->folder, on_left_over, proving);
    proving->proof.has_schedule = proving->progression != NULL;
    if (proving->progression == NULL)
        return;
    proving->proof.is_finished =
        progression_decided(proving->progression) == progression_matches(proving->progression);
    if (!proving->proof.is_finished)
        return;
    check_all_recorded(proving);
    summary = summary_new(proving->progression, proving->store, false);
    summary_compare_files(summary, on_different, proving);
    summary_free(summary);
}

static void check_all(struct proving *proving)
{
    char message[600];
    struct text problem;
    const char *format = store_setting(proving->store, "format");

    text_start(&problem, message, sizeof message);
    proving->proof.records = store_record_count(proving->store);
    proving->proof.dropped_bytes = store_loss(proving->store)->bytes;
    snprintf(proving->proof.sum, sizeof proving->proof.sum, "%s", store_sum(proving->store));
    read_commitments(proving);
    proving->proof.is_comparison = format != NULL && strcmp(format, "compare") == 0;
    if (!proving->proof.is_comparison) {
        proving->progression = progression_new(proving->store, &problem);
        if (proving->progression == NULL)
            complain_of_file(proving, JOURNAL, message);
    }
    check_master(proving);
    if (store_walk(proving->folder, visit, proving, &problem) != 0)
        complain(proving, proving->folder, "%s", message);
    list_pruned(proving);
    check_inventory(proving);
    check_tables(proving);
}

struct store_proof store_proof_check(const char *folder, store_proof_problem_fn *on_problem,
                                     void *context)
{
    struct proving proving = {.folder = folder, .on_problem = on_problem, .context = context};
    char message[600];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (!has_file(folder, JOURNAL) && !has_file(folder, "master") && !has_file(folder, "logs")) {
        complain(&proving, folder,
                 "this is not the output folder of a tournament: it has no " JOURNAL);
        return proving.proof;
    }
    proving.inventory = store_inventory_take(folder);
    proving.store = store_open(folder, JOURNAL_READ, &problem);
    if (proving.store == NULL)
        complain(&proving, folder, "%s", message);
    else if (store_is_new(proving.store))
        complain(&proving, folder, "nothing was played in this store yet");
    else
        check_all(&proving);
    progression_free(proving.progression);
    store_free(proving.store);
    commitments_free(proving.commitments);
    store_inventory_free(proving.inventory);
    free(proving.commitment_file.bytes);
    free(proving.walked_matches);
    return proving.proof;
}
