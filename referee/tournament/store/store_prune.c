/* Logs that somebody has deleted to save space. A record says so before the first of them is gone:
 * so a log that is missing was pruned, or it is lost. Their hashes stay in the records of the
 * results, and whoever has kept a copy can still prove it. */

#include "tournament/store/store_private.h"

#include "base/memory.h"
#include "wire/json_record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WHY_MAX 100

uint32_t store_pruned(const struct store *store, unsigned block)
{
    return block < store->pruned_capacity ? store->pruned[block] : 0;
}

static void set_pruned(struct store *store, const struct store_pruning *pruning)
{
    if (pruning->last >= store->pruned_capacity) {
        unsigned before = store->pruned_capacity;

        store->pruned_capacity = 2 * pruning->last + 64;
        store->pruned = xrealloc(store->pruned, store->pruned_capacity * sizeof *store->pruned);
        memset(store->pruned + before, 0,
               (store->pruned_capacity - before) * sizeof *store->pruned);
    }
    for (unsigned block = pruning->first; block <= pruning->last; block++)
        store->pruned[block] |= pruning->matches;
}

static bool add_pruned(struct store *store, const struct store_pruning *pruning)
{
    struct json_writer *json = store_begin_record(store);

    json_put_number(json, "pruned", pruning->first);
    json_put_number(json, "last", pruning->last);
    json_put_number(json, "matches", pruning->matches);
    json_put_text(json, "why", pruning->why);
    if (!store_end_record(store))
        return false;
    set_pruned(store, pruning);
    return true;
}

void store_add_pruned(struct store *store, const struct store_pruning *pruning)
{
    (void)add_pruned(store, pruning);
}

int store_read_pruned(struct store *store, const struct json_node *record, struct text *problem)
{
    struct json_record reader = json_record_start(record, problem);
    long long first = json_record_number(&reader, "pruned", 1, store->commitment_count);
    long long last = json_record_number(&reader, "last", 1, store->commitment_count);
    long long matches = json_record_number(&reader, "matches", 1, UINT32_MAX);
    struct store_pruning pruning = {(unsigned)first, (unsigned)last, (uint32_t)matches,
                                    json_record_line(&reader, "why", WHY_MAX)};

    if (reader.is_refused)
        return -1;
    if (pruning.first > pruning.last)
        return json_record_refuse_member(&reader, "last");
    for (unsigned block = pruning.first; block <= pruning.last; block++) {
        if ((store_done(store, block) & pruning.matches) != pruning.matches)
            return json_record_refuse(&reader, "a log was pruned that has no result");
    }
    return add_pruned(store, &pruning) ? 0 : store_refuse_bytes(&reader);
}

/* The folder of a block's public logs, or -1 with errno. Whoever can write there may have put a
 * link to somebody else's files in its place. */
static int open_block(const struct store *store, unsigned block)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int logs = openat(store->folder_fd, "logs", flags);
    char name[16];
    int folder, error;

    snprintf(name, sizeof name, "%06u", block);
    if (logs < 0)
        return -1;
    folder = openat(logs, name, flags);
    error = errno;
    (void)close(logs);
    errno = error;
    return folder;
}

int store_stat_log(const struct store *store, unsigned block, unsigned rotation,
                   struct stat *status)
{
    int folder = open_block(store, block);
    char name[32];
    bool is_file;

    snprintf(name, sizeof name, "%02u" STORE_LOG, rotation + 1);
    is_file = folder >= 0 && fstatat(folder, name, status, AT_SYMLINK_NOFOLLOW) == 0 &&
              S_ISREG(status->st_mode);
    if (folder >= 0)
        (void)close(folder);
    return is_file ? 0 : -1;
}

/* Only if it is empty now. */
static void remove_block(const struct store *store, unsigned block)
{
    char name[32];

    snprintf(name, sizeof name, "logs/%06u", block);
    (void)unlinkat(store->folder_fd, name, AT_REMOVEDIR);
}

int store_delete_log(const struct store *store, unsigned block, unsigned rotation)
{
    int folder = open_block(store, block);
    char name[48];
    int result;

    if (folder < 0)
        return errno == ENOENT ? 0 : -1;
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        snprintf(name, sizeof name, "%02u.ndjson.stderr.%u", rotation + 1, seat);
        (void)unlinkat(folder, name, 0);
    }
    snprintf(name, sizeof name, "%02u" STORE_LOG, rotation + 1);
    result = unlinkat(folder, name, 0) == 0 || errno == ENOENT ? 0 : -1;
    (void)close(folder);
    if (result == 0)
        remove_block(store, block);
    return result;
}
