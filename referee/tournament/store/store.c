/* The folder of a store and the files in it.
 *
 * The order of writing makes it safe to die at any time. The commitment of a deal is on disk before
 * its first match is played, a log before the record that counts it, and the record before the log
 * is public. So a match with a record counts, and a match without one (but with a log in open/,
 * say) is played again. */

#include "tournament/store/store_private.h"

#include "base/memory.h"
#include "base/directory_tree.h"
#include "base/directory.h"
#include "sandbox/landlock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int store_fail(struct text *problem, const char *path, const char *why)
{
    text_printf(problem, "%s: %s", path, why);
    return -1;
}

/* The folder. */

/* Messages show the folder for people to type again: uses its shortest name from here. */
static void shorten_name(struct store *store)
{
    char *full = realpath(store->folder, NULL);
    char *here = realpath(".", NULL);
    size_t length = here != NULL ? strlen(here) : 0;

    if (full != NULL && here != NULL) {
        bool is_inside = strncmp(full, here, length) == 0 && full[length] == '/';

        free(store->folder);
        store->folder = xstrdup(is_inside ? full + length + 1 : full);
    }
    free(full);
    free(here);
}

/* Whether the folder has files and is not a store: the lock is the first file that a store gets. */
static bool is_foreign(const struct store *store)
{
    struct dirent **entries = NULL;
    int count = scandir(store->folder, &entries, NULL, NULL);

    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return count > 2 && faccessat(store->folder_fd, DIRECTORY_MARK, F_OK, 0) != 0;
}

/* Bots cannot read a store, but a second name of a secret may be in a folder of theirs. */
static int refuse_links(const struct store *store, struct text *problem)
{
    static const char *const secrets[] = {"master", "results.ndjson"};
    struct stat status;

    for (size_t i = 0; i < ARRAY_LEN(secrets); i++) {
        if (fstatat(store->folder_fd, secrets[i], &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            (S_ISREG(status.st_mode) && status.st_nlink == 1))
            continue;
        text_printf(problem, "%s/%s: ", store->folder, secrets[i]);
        text_add(problem, "it must be a file with one name only, because bots may read the other");
        return -1;
    }
    return 0;
}

static int open_folder(struct store *store, struct text *problem)
{
    if (!store->is_read_only && directory_make(store->folder) != 0)
        return store_fail(problem, store->folder, strerror(errno));
    store->folder_fd = open(store->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (store->folder_fd < 0)
        return store_fail(problem, store->folder, strerror(errno));
    shorten_name(store);
    if (store->is_read_only)
        return 0;
    if (is_foreign(store))
        return store_fail(problem, store->folder, "this folder is not empty and not a store");
    if (landlock_close_folder(store->folder, problem) != 0 || refuse_links(store, problem) != 0)
        return -1;
    store->lock_fd = directory_lock(store->folder, problem);
    if (store->lock_fd < 0)
        return -1;
    if ((mkdirat(store->folder_fd, "open", 0700) != 0 && errno != EEXIST) ||
        (mkdirat(store->folder_fd, "logs", 0755) != 0 && errno != EEXIST))
        return store_fail(problem, store->folder, strerror(errno));
    return 0;
}

/* Opening and closing. */

static int read_journal(struct store *store, struct text *problem)
{
    char *path = directory_join(store->folder, "results.ndjson");
    char message[400];
    struct text why;

    text_start(&why, message, sizeof message);
    store->journal = journal_open(path, store->is_read_only, store_read_record, store, &why);
    if (store->journal == NULL)
        store_fail(problem, path, message);
    free(path);
    return store->journal != NULL ? 0 : -1;
}

static struct store *new_store(const char *folder, bool is_read_only)
{
    struct store *store = xcalloc(1, sizeof *store);

    store->folder = xstrdup(folder);
    store->folder_fd = -1;
    store->lock_fd = -1;
    store->is_read_only = is_read_only;
    store->json = json_writer_new(false);
    return store;
}

static void free_lists(struct store *store)
{
    for (unsigned i = 0; i < store->setting_count; i++) {
        free(store->keys[i]);
        free(store->values[i]);
    }
    for (unsigned i = 0; i < store->bot_count; i++) {
        free(store->bots[i].name);
        free(store->bots[i].command);
    }
    free(store->keys);
    free(store->values);
    free(store->bots);
    free(store->times);
    for (unsigned i = 0; i < store->round_count; i++)
        free(store->rounds[i].order);
    free(store->rounds);
    free(store->results);
    free(store->done);
    free(store->name);
}

/* The process that began the store was stopped before it committed to a deal. No match was played,
 * but the settings may be incomplete: forgets them. */
static void start_over(struct store *store)
{
    struct store kept = *store;

    free_lists(store);
    *store = (struct store){
        .folder = kept.folder,
        .folder_fd = kept.folder_fd,
        .lock_fd = kept.lock_fd,
        .is_read_only = kept.is_read_only,
        .journal = kept.journal,
        .json = kept.json,
    };
    journal_start_over(store->journal);
}

struct store *store_open(const char *folder, bool is_read_only, struct text *problem)
{
    struct store *store = new_store(folder, is_read_only);

    if (open_folder(store, problem) != 0 || read_journal(store, problem) != 0) {
        store_free(store);
        return NULL;
    }
    if (store->commitment_count == 0)
        start_over(store);
    if (store->has_begun && !is_read_only && store_read_master(store, problem) != 0) {
        store_free(store);
        return NULL;
    }
    if (!store->has_begun)
        deal_random_seed(store->master);
    return store;
}

void store_free(struct store *store)
{
    if (store == NULL)
        return;
    journal_free(store->journal);
    json_writer_free(store->json);
    if (store->folder_fd >= 0)
        close(store->folder_fd);
    if (store->lock_fd >= 0)
        close(store->lock_fd);
    free_lists(store);
    sodium_memzero(store->master, sizeof store->master);
    free(store->folder);
    free(store);
}

void store_keep_lock_only(const struct store *store, int kept)
{
    int low = store->lock_fd < kept ? store->lock_fd : kept;
    int high = store->lock_fd < kept ? kept : store->lock_fd;

    if (low > STDERR_FILENO + 1)
        (void)close_range(STDERR_FILENO + 1, (unsigned)low - 1, 0);
    if (high > low + 1)
        (void)close_range((unsigned)low + 1, (unsigned)high - 1, 0);
    (void)close_range((unsigned)high + 1, ~0U, 0);
}

/* Nothing is read: the store may be damaged. */
int store_remove(const char *folder, struct text *problem)
{
    static const char *const names[] = {
        "results.ndjson", "master",    "master.new",  "commitments",    "open",
        "logs",           "bots",      "report.html", "standings.txt",  "standings.json",
        "standings.csv",  "cross.csv", "matches.csv", "commitments.new"};
    struct store *store = new_store(folder, false);
    int result = open_folder(store, problem);

    for (size_t i = 0; i < ARRAY_LEN(names) && result == 0; i++) {
        char *path = directory_join(folder, names[i]);

        if (directory_tree_remove(path) != 0)
            result = store_fail(problem, path, strerror(errno));
        free(path);
    }
    store_free(store);
    return result;
}

int store_write(struct store *store)
{
    if (!journal_is_waiting(store->journal))
        return 0;
    if (syncfs(store->folder_fd) != 0)
        return -1;
    return journal_write(store->journal);
}

bool store_is_waiting(const struct store *store)
{
    return journal_is_waiting(store->journal);
}

size_t store_dropped(const struct store *store)
{
    return journal_dropped(store->journal);
}

bool store_is_new(const struct store *store)
{
    return !store->has_begun;
}

const char *store_folder(const struct store *store)
{
    return store->folder;
}

const char *store_name(const struct store *store)
{
    return store->name;
}

bool store_is_guessable(const struct store *store)
{
    return store->is_guessable;
}

unsigned store_bot_count(const struct store *store)
{
    return store->bot_count;
}

const struct store_bot *store_bot(const struct store *store, unsigned number)
{
    return &store->bots[number];
}

int store_find_bot(const struct store *store, const char *name)
{
    for (unsigned i = 0; i < store->bot_count; i++) {
        if (strcmp(store->bots[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

unsigned store_round_count(const struct store *store)
{
    return store->round_count;
}

const struct store_round *store_round(const struct store *store, unsigned index)
{
    return &store->rounds[index];
}

uint32_t store_done(const struct store *store, unsigned block)
{
    return block < store->done_capacity ? store->done[block] : 0;
}

const struct result *store_results(const struct store *store, size_t *count)
{
    *count = store->result_count;
    return store->results;
}

const struct histogram *store_times(const struct store *store, unsigned bot)
{
    return &store->times[bot];
}
