/* Whether the files of a store belong together. A process can be killed, and the power can fail, at
 * any moment: what such a moment leaves is resumed without a word. Anything else is a loss, which
 * somebody has to hear of before it is played over. The order of writing tells them apart:
 *
 *   The first record is on disk before `master` is written, and a store that starts over deletes
 *   `master` before its records. So a `master` without any record is a loss.
 *   The commitments are recorded before the first log is made. So a log without them is a loss.
 *   A result is on disk before its log is public. So a public log without a result is a loss.
 *   A log is on disk before its result. So a result without a log is a loss as well, but one that
 *   does not matter to the standings: it is only reported. */

#include "tournament/store/store_private.h"

#include "base/directory.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMED_MAX 3 /* logs that a message names */
#define ASIDE_MAX 10000

static bool is_there(const struct store *store, const char *name)
{
    return faccessat(store->folder_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static DIR *open_list(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;

    if (list == NULL && fd >= 0)
        close(fd);
    return list;
}

/* The next name in a folder that is not `.` or `..`; or NULL. */
static const char *next_name(DIR *list)
{
    const struct dirent *entry;

    while ((entry = readdir(list)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return entry->d_name;
    }
    return NULL;
}

static bool has_entries(const struct store *store, const char *name)
{
    DIR *list = open_list(store->folder_fd, name);
    bool has_any = list != NULL && next_name(list) != NULL;

    if (list != NULL)
        closedir(list);
    return has_any;
}

/* A lost journal. */

void store_find_remains(const struct store *store, struct store_remains *remains)
{
    static const char *const traces[] = {"master", "commitments", "report.html", "standings.json"};

    *remains = (struct store_remains){.is_journal_missing = false};
    if (has_entries(store, "logs"))
        remains->played = "logs";
    else if (has_entries(store, "open"))
        remains->played = remains->running = "open";
    for (size_t i = 0; i < ARRAY_LEN(traces) && remains->begun == NULL; i++) {
        if (is_there(store, traces[i]))
            remains->begun = traces[i];
    }
    remains->is_journal_missing = !is_there(store, STORE_JOURNAL);
}

int store_check_remains(const struct store *store, const struct store_remains *remains,
                        struct text *problem)
{
    bool has_record = store->journal != NULL && journal_count(store->journal) > 0;
    const char *found = remains->played;

    if (found == NULL && !has_record)
        found = remains->begun;
    if (found == NULL || store->commitment_count > 0)
        return 0;
    /* A power failure may leave the names of logs that were being written, and not the commitments
     * that were written before them. Nothing was acknowledged by then, so nothing is lost. */
    if (has_record && found == remains->running)
        return 0;
    text_printf(problem,
                "%s: its `" STORE_JOURNAL "` %s, but its `%s` is still there: restore the file "
                "from a backup, or start over with --fresh, which deletes what is left",
                store->folder,
                remains->is_journal_missing ? "is missing"
                : has_record                ? "has lost its results"
                                            : "is empty or damaged",
                found);
    return -1;
}

/* Logs and results. */

/* Reads a name that is a number followed by `end`. Returns it, or 0. */
static unsigned number_of(const char *name, const char *end)
{
    char *rest;
    unsigned long number = *name >= '0' && *name <= '9' ? strtoul(name, &rest, 10) : 0;

    return number > 0 && number <= STORE_BLOCKS_MAX && strcmp(rest, end) == 0 ? (unsigned)number
                                                                              : 0;
}

/* Which matches of a block have a log in a folder, as a mask. */
static uint32_t find_logs(int parent, const char *block)
{
    DIR *list = open_list(parent, block);
    uint32_t logs = 0;
    const char *name;

    while (list != NULL && (name = next_name(list)) != NULL) {
        unsigned match = number_of(name, STORE_LOG);

        if (match >= 1 && match <= 32)
            logs |= UINT32_C(1) << (match - 1);
    }
    if (list != NULL)
        closedir(list);
    return logs;
}

/* Where the logs without a result are moved to, when the first of them is found. Returns a
 * descriptor, or -1 with errno. */
static int make_aside(struct store *store)
{
    char name[40];

    for (unsigned i = 1; store->aside == NULL && i < ASIDE_MAX; i++) {
        snprintf(name, sizeof name, "logs.damaged-%u", i);
        if (mkdirat(store->folder_fd, name, 0700) == 0)
            store->aside = directory_join(store->folder, name);
        else if (errno != EEXIST)
            return -1;
    }
    if (store->aside == NULL)
        return -1;
    return open(store->aside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Moves a log and the bots' stderr next to it. */
static int move_log(int from, int to, unsigned match)
{
    char log[32];
    char name[64];

    snprintf(log, sizeof log, "%02u" STORE_LOG, match);
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        snprintf(name, sizeof name, "%02u.ndjson.stderr.%u", match, seat);
        (void)renameat(from, name, to, name);
    }
    return renameat(from, log, to, log);
}

static void close_open(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* Moves the logs in the mask out of the way, so that their matches can be played again. */
static int set_aside(struct store *store, int logs_fd, unsigned block, uint32_t logs)
{
    int aside = make_aside(store);
    char name[32];
    int from;
    int to = -1;
    int result = -1;

    snprintf(name, sizeof name, "%06u", block);
    from = openat(logs_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (aside >= 0 && from >= 0 && (mkdirat(aside, name, 0700) == 0 || errno == EEXIST))
        to = openat(aside, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (to >= 0)
        result = 0;
    for (; logs != 0 && result == 0; logs &= logs - 1) {
        result = move_log(from, to, (unsigned)__builtin_ctz(logs) + 1);
        store->aside_count++;
    }
    /* Only if it is empty now. */
    if (result == 0)
        (void)unlinkat(logs_fd, name, AT_REMOVEDIR);
    close_open(aside);
    close_open(from);
    close_open(to);
    return result;
}

static int refuse_log(const struct store *store, unsigned block, unsigned match,
                      struct text *problem)
{
    text_printf(problem,
                "%s: `" STORE_JOURNAL "` has lost results: there is a log logs/%06u/%02u" STORE_LOG
                ", "
                "but no result of that match; restore the file from a backup, or play such matches "
                "again with --salvage, which keeps the old logs in another folder",
                store->folder, block, match);
    return -1;
}

static bool has_log(int logs_fd, const char *block, unsigned match)
{
    char name[40];

    snprintf(name, sizeof name, "%.20s/%02u" STORE_LOG, block, match);
    return faccessat(logs_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Compares the logs of a public block with its results. Because a block is published as a whole, it
 * has a log without a result only if the first match without a result has one: so normally one look
 * per match is enough, which is quicker than to list the folder. */
static int check_block(struct store *store, int logs_fd, const char *name, struct text *problem)
{
    unsigned block = number_of(name, "");
    uint32_t done = store_done(store, block);
    uint32_t orphans = 0;

    if (block == 0)
        return 0;
    for (uint32_t left = done; left != 0; left &= left - 1) {
        if (has_log(logs_fd, name, (unsigned)__builtin_ctz(left) + 1))
            store->logs[block] |= left & -left;
    }
    if (done != UINT32_MAX && has_log(logs_fd, name, (unsigned)__builtin_ctz(~done) + 1))
        orphans = find_logs(logs_fd, name) & ~done;
    if (orphans == 0)
        return 0;
    if (store->mode != JOURNAL_SALVAGE)
        return refuse_log(store, block, (unsigned)__builtin_ctz(orphans) + 1, problem);
    if (!store->is_moving)
        return 0;
    if (set_aside(store, logs_fd, block, orphans) != 0)
        return store_fail(problem, store->folder, strerror(errno));
    return 0;
}

static int check_public(struct store *store, struct text *problem)
{
    DIR *list = open_list(store->folder_fd, "logs");
    const char *name;
    int result = 0;

    while (list != NULL && result == 0 && (name = next_name(list)) != NULL)
        result = check_block(store, dirfd(list), name, problem);
    if (list != NULL)
        closedir(list);
    return result;
}

/* The logs of blocks that are not public yet. Those without a result are of matches that had not
 * ended. */
static void find_open(struct store *store)
{
    DIR *list = open_list(store->folder_fd, "open");
    const char *name;

    while (list != NULL && (name = next_name(list)) != NULL) {
        unsigned block = number_of(name, "");

        if (block > 0 && block < store->done_capacity)
            store->logs[block] |= find_logs(dirfd(list), name);
    }
    if (list != NULL)
        closedir(list);
}

int store_check_logs(struct store *store, struct text *problem)
{
    store->logs = xcalloc(store->done_capacity + 1, sizeof *store->logs);
    find_open(store);
    return check_public(store, problem);
}

int store_move_logs(struct store *store, struct text *problem)
{
    store->is_moving = true;
    return store->logs != NULL ? check_public(store, problem) : 0;
}

unsigned long store_missing_logs(const struct store *store, struct text *names)
{
    unsigned long count = 0;

    for (unsigned block = 1; store->logs != NULL && block < store->done_capacity; block++) {
        uint32_t missing = store->done[block] & ~store->logs[block] & ~store_pruned(store, block);

        for (; missing != 0; missing &= missing - 1) {
            if (count < NAMED_MAX)
                text_printf(names, "%slogs/%06u/%02u" STORE_LOG, count > 0 ? ", " : "", block,
                            (unsigned)__builtin_ctz(missing) + 1);
            else if (count == NAMED_MAX)
                text_add(names, ", ...");
            count++;
        }
    }
    return count;
}
