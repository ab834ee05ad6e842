/* The folder of a store and the files in it.
 *
 * The order of writing makes it safe to die anywhere. The commitments of a deal are on the disk before
 * its first match is played, a log is on the disk before the record that counts it, and the record
 * before anybody is shown the log. So a record is enough to believe in a match, and what is found
 * without one (a log in open/, say) is played again. */

#include "tournament/store/store_private.h"

#include "base/memory.h"
#include "base/directory_tree.h"
#include "base/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int store_complain(struct text *problem, const char *path, const char *why)
{
    text_add(problem, path);
    text_add(problem, ": ");
    text_add(problem, why);
    return -1;
}

/* The folder. */

/* The shortest name that the folder has from here: what is shown is to be typed again. */
static void shorten_name(struct store *store)
{
    char *whole = realpath(store->folder, NULL);
    char *here = realpath(".", NULL);
    size_t length = here != NULL ? strlen(here) : 0;

    if (whole != NULL && here != NULL) {
        bool is_inside = strncmp(whole, here, length) == 0 && whole[length] == '/';

        free(store->folder);
        store->folder = xstrdup(is_inside ? whole + length + 1 : whole);
    }
    free(whole);
    free(here);
}

/* Whether there is something in the folder that is not ours: the lock is the first thing that we make. */
static bool is_foreign(const struct store *store)
{
    struct dirent **entries = NULL;
    int count = scandir(store->folder, &entries, NULL, NULL);

    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return count > 2 && faccessat(store->folder_fd, "lock", F_OK, 0) != 0;
}

static int open_folder(struct store *store, struct text *problem)
{
    if (!store->is_read_only && directory_make(store->folder) != 0)
        return store_complain(problem, store->folder, strerror(errno));
    store->folder_fd = open(store->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (store->folder_fd < 0)
        return store_complain(problem, store->folder, strerror(errno));
    shorten_name(store);
    if (store->is_read_only)
        return 0;
    if (is_foreign(store))
        return store_complain(problem, store->folder,
                              "this folder has something in it and is not a store");
    store->lock_fd = directory_lock(store->folder, problem);
    if (store->lock_fd < 0)
        return -1;
    if ((mkdirat(store->folder_fd, "open", 0700) != 0 && errno != EEXIST) ||
        (mkdirat(store->folder_fd, "logs", 0755) != 0 && errno != EEXIST))
        return store_complain(problem, store->folder, strerror(errno));
    return 0;
}

/* Opening and closing. */

static int read_journal(struct store *store, struct text *problem)
{
    char *path = directory_join(store->folder, "results.ndjson");
    char words[400];
    struct text why;

    text_start(&why, words, sizeof words);
    store->journal = journal_open(path, store->is_read_only, store_take, store, &why);
    if (store->journal == NULL)
        store_complain(problem, path, words);
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

/* Whoever began it was stopped before the first deal was committed to. Nothing has happened then, but
 * what was agreed may be there by half: it is agreed anew. */
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
    if (store->told_commitments == 0)
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

/* Damage does not matter any more, so nothing is read. */
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
            result = store_complain(problem, path, strerror(errno));
        free(path);
    }
    store_free(store);
    return result;
}

/* What everybody asks. */

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
