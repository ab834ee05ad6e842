/* The folder of a store: what may be taken for one, and its lock. Whoever names the
 * wrong folder must not lose anything: so a folder counts as a store only if it has files that
 * nothing but a store has. */

#include "tournament/store/store_private.h"

#include "base/directory.h"
#include "base/memory.h"
#include "sandbox/landlock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* What the folder is. */
enum folder_kind {
    FOLDER_EMPTY,
    FOLDER_STORE,
    FOLDER_DAEMON, /* of a daemon, which has a lock and bots as well */
    FOLDER_FOREIGN,
};

/* The size of a regular file; or -1 if it is not one. */
static off_t size_of(const struct store *store, const char *name)
{
    struct stat status;

    return fstatat(store->folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                   S_ISREG(status.st_mode)
               ? status.st_size
               : -1;
}

static bool is_folder(const struct store *store, const char *name)
{
    struct stat status;

    return fstatat(store->folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(status.st_mode);
}

static int count_entries(const struct store *store)
{
    struct dirent **entries = NULL;
    int count = scandir(store->folder, &entries, NULL, NULL);

    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return count - 2; /* without `.` and `..` */
}

/* The lock is the first file that a store gets, and these folders are the next. But other folders
 * of ours have a lock too. */
static bool has_lock_of_store(const struct store *store, int count)
{
    return size_of(store, DIRECTORY_MARK) >= 0 &&
           (count == 1 || store_is_replacing(store) ||
            ((is_folder(store, "open") || is_folder(store, "logs")) && !is_folder(store, "jobs")));
}

/* Should the lock be lost, other files tell as well, and directory_lock() puts it back. */
static enum folder_kind find_kind(const struct store *store)
{
    int count = count_entries(store);

    if (count <= 0)
        return FOLDER_EMPTY;
    if (faccessat(store->folder_fd, "ledger.ndjson", F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return FOLDER_DAEMON;
    return faccessat(store->folder_fd, STORE_JOURNAL, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ||
                   size_of(store, "master") == STORE_MASTER_BYTES || has_lock_of_store(store, count)
               ? FOLDER_STORE
               : FOLDER_FOREIGN;
}

bool store_is_recognised(const struct store *store)
{
    return find_kind(store) == FOLDER_STORE;
}

static int refuse_foreign(const struct store *store, struct text *problem)
{
    switch (find_kind(store)) {
    case FOLDER_DAEMON:
        return store_fail(problem, store->folder,
                          "this is the folder of a daemon, not the store of a tournament; choose "
                          "another one");
    case FOLDER_FOREIGN:
        return store_fail(problem, store->folder,
                          "this folder is not empty and not a store; choose another one");
    default:
        return 0;
    }
}

/* Bots cannot read a store, but a second name of a secret may be in a folder of theirs. */
static int refuse_links(const struct store *store, struct text *problem)
{
    static const char *const secrets[] = {"master", STORE_JOURNAL};
    struct stat status;
    const char *why;

    for (size_t i = 0; i < ARRAY_LEN(secrets); i++) {
        if (fstatat(store->folder_fd, secrets[i], &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            (S_ISREG(status.st_mode) && status.st_nlink == 1))
            continue;
        why = S_ISLNK(status.st_mode) ? "it is a link"
              : S_ISREG(status.st_mode)
                  ? "it has a second name, under which bots may be able to read it"
                  : "it is not a regular file";
        text_printf(problem, "%s/%s: %s; it must be a file with one name only", store->folder,
                    secrets[i], why);
        return -1;
    }
    return 0;
}

/* Nothing is written through a link, or into something else that has the name of a folder of ours.
 * Files are replaced as a whole, whatever is in their place. */
static int refuse_other_folders(const struct store *store, struct text *problem)
{
    static const char *const folders[] = {"open", "logs", "bots"};
    struct stat status;

    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        if (fstatat(store->folder_fd, folders[i], &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            S_ISDIR(status.st_mode))
            continue;
        text_printf(problem, "%s/%s: it is %s; it must be a folder", store->folder, folders[i],
                    S_ISLNK(status.st_mode) ? "a link" : "something else");
        return -1;
    }
    return 0;
}

int store_open_folder(struct store *store, struct text *problem)
{
    if (store->mode != JOURNAL_READ && directory_make(store->folder) != 0)
        return store_fail(problem, store->folder, strerror(errno));
    store->folder_fd = open(store->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (store->folder_fd < 0)
        return store_fail(problem, store->folder, strerror(errno));
    shorten_name(store);
    if (store->mode == JOURNAL_READ)
        return 0;
    if (refuse_foreign(store, problem) != 0)
        return -1;
    if (landlock_close_folder(store->folder, problem) != 0 || refuse_links(store, problem) != 0 ||
        refuse_other_folders(store, problem) != 0)
        return -1;
    store->lock_fd = directory_lock(store->folder, problem);
    if (store->lock_fd < 0)
        return -1;
    /* It must be the first on disk, too. */
    if (fsync(store->folder_fd) != 0)
        return store_fail(problem, store->folder, strerror(errno));
    return 0;
}

int store_make_folders(const struct store *store)
{
    return (mkdirat(store->folder_fd, "open", 0700) == 0 || errno == EEXIST) &&
                   (mkdirat(store->folder_fd, "logs", 0755) == 0 || errno == EEXIST)
               ? 0
               : -1;
}
