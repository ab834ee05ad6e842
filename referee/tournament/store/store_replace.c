/* --fresh: a new store takes the place of an old one, and until the new one has begun nothing of
 * the old one is deleted. A name says how far that has come, and each step changes it at once:
 *
 *   replacing/   takes the files of the old store, one by one. Nothing in the store is new.
 *   replaced/    has all of them. Whatever is in the store is new.
 *   removal/     the new store has committed to its deals: this may be deleted.
 *
 * So a process that is killed in between leaves a folder from which the next one puts the old store
 * back, or deletes what is left of it. */

#include "tournament/store/store_private.h"

#include "base/directory.h"
#include "base/directory_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPLACING "replacing"
#define REPLACED "replaced"
#define REMOVAL "removal"

/* What belongs to a store, apart from its lock and what JOURNAL_SALVAGE has put aside. The journal
 * is the last to come back: without it nothing takes the rest for a store. */
static const char *const names[] = {
    "master",        "master.new", "commitments", "commitments.new", "open",
    "logs",          "bots",       "report.html", "standings.txt",   "standings.json",
    "standings.csv", "cross.csv",  "matches.csv", STORE_JOURNAL,
};

bool store_is_own_name(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (strcmp(names[i], name) == 0)
            return strstr(name, ".new") == NULL;
    }
    return false;
}

bool store_is_own_folder(const char *name)
{
    return strcmp(name, "open") == 0 || strcmp(name, "logs") == 0 || strcmp(name, "bots") == 0;
}

static bool has_folder(const struct store *store, const char *name)
{
    struct stat status;

    return fstatat(store->folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(status.st_mode);
}

bool store_has_replaced(const struct store *store)
{
    return has_folder(store, REPLACING) || has_folder(store, REPLACED);
}

bool store_is_replacing(const struct store *store)
{
    return store_has_replaced(store) || has_folder(store, REMOVAL);
}

static int remove_tree(const struct store *store, const char *name)
{
    char *path = directory_join(store->folder, name);
    int result = directory_tree_remove(path);

    free(path);
    return result;
}

static int rename_folder(const struct store *store, const char *from, const char *to)
{
    return renameat(store->folder_fd, from, store->folder_fd, to) == 0 ? fsync(store->folder_fd)
                                                                       : -1;
}

/* Moves all files of a store that are in one folder to the other. Returns 0, or -1 with errno. */
static int move_all(int from, int to)
{
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (renameat(from, names[i], to, names[i]) != 0 && errno != ENOENT)
            return -1;
    }
    return fsync(to) == 0 ? fsync(from) : -1;
}

/* Moves between the store and REPLACING. */
static int move(const struct store *store, bool is_away)
{
    int fd = openat(store->folder_fd, REPLACING, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int result = -1;

    if (fd < 0)
        return -1;
    result = is_away ? move_all(store->folder_fd, fd) : move_all(fd, store->folder_fd);
    close(fd);
    return result;
}

/* Puts the old store back. Returns 0, or -1 with errno. */
static int put_back(const struct store *store)
{
    if (has_folder(store, REPLACED)) {
        for (size_t i = 0; i < ARRAY_LEN(names); i++) {
            if (remove_tree(store, names[i]) != 0)
                return -1;
        }
        if (fsync(store->folder_fd) != 0 || rename_folder(store, REPLACED, REPLACING) != 0)
            return -1;
    }
    if (move(store, false) != 0 || unlinkat(store->folder_fd, REPLACING, AT_REMOVEDIR) != 0)
        return -1;
    return fsync(store->folder_fd);
}

/* Returns a descriptor that locks the journal, or -1 if there is none; or -2 with a sentence if
 * somebody else has it. */
static int lock_journal(const struct store *store, struct text *problem)
{
    int fd = openat(store->folder_fd, STORE_JOURNAL,
                    O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);

    if (fd < 0 || directory_lock_file(fd) == 0 || errno != EWOULDBLOCK)
        return fd;
    close(fd);
    (void)store_fail(problem, store->folder, DIRECTORY_IN_USE);
    return -2;
}

int store_put_aside(struct store *store, struct text *problem)
{
    int lock = lock_journal(store, problem);
    int result;

    if (lock == -2)
        return -1;
    result = mkdirat(store->folder_fd, REPLACING, 0700);
    if (result == 0)
        result = move(store, true);
    /* A folder that was empty needs no second name. */
    if (result == 0 && unlinkat(store->folder_fd, REPLACING, AT_REMOVEDIR) != 0)
        result = rename_folder(store, REPLACING, REPLACED);
    if (result != 0)
        (void)store_fail(problem, store->folder, strerror(errno));
    if (lock >= 0)
        close(lock);
    return result;
}

void store_drop_replaced(const struct store *store)
{
    if (has_folder(store, REPLACED) && rename_folder(store, REPLACED, REMOVAL) != 0)
        return;
    if (has_folder(store, REMOVAL))
        (void)remove_tree(store, REMOVAL);
}

int store_put_back(struct store *store, struct text *problem)
{
    if (!store_has_replaced(store))
        return 0;
    if (put_back(store) != 0)
        return store_fail(problem, store->folder, strerror(errno));
    store->is_restored = true;
    return 0;
}

static void note_commitments(void *context, const struct store *store,
                             const struct json_node *record)
{
    unsigned *count = context;

    (void)record;
    *count = store->commitment_count;
}

/* Whether the new store has committed to its deals. Returns -1 with a sentence if that cannot be
 * read. */
static int has_begun(const struct store *store, struct text *problem)
{
    unsigned count = 0;

    if (faccessat(store->folder_fd, STORE_JOURNAL, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
        return 0;
    return store_walk(store->folder, note_commitments, &count, problem) == 0 ? count > 0 : -1;
}

int store_settle_replaced(struct store *store, struct text *problem)
{
    int begun = has_folder(store, REPLACED) ? has_begun(store, problem) : 0;

    if (begun < 0)
        return -1;
    if (begun > 0 || has_folder(store, REMOVAL))
        store_drop_replaced(store);
    return store_put_back(store, problem);
}

bool store_is_restored(const struct store *store)
{
    return store->is_restored;
}
