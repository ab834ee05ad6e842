/* The logs of a store. While a block is open, only the referee's user can read them; when the last
 * of its matches is decided, the whole folder is moved to a public place. */

#include "tournament/store/store_private.h"

#include "base/memory.h"
#include "match/log_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *path_of(const char *folder, const char *part, unsigned block, unsigned rotation)
{
    size_t size = strlen(folder) + 40;
    char *path = xcalloc(size, 1);

    snprintf(path, size, "%s/%s/%06u/%02u" STORE_LOG, folder, part, block, rotation + 1);
    return path;
}

char *store_open_path(const struct store *store, unsigned block, unsigned rotation)
{
    return store_open_path_in(store->folder, block, rotation);
}

char *store_open_path_in(const char *folder, unsigned block, unsigned rotation)
{
    return path_of(folder, "open", block, rotation);
}

char *store_log_path(const struct store *store, unsigned block, unsigned rotation)
{
    return store_published_path(store->folder, block, rotation);
}

char *store_published_path(const char *folder, unsigned block, unsigned rotation)
{
    return path_of(folder, "logs", block, rotation);
}

int store_open_block(struct store *store, unsigned block)
{
    char name[32];

    snprintf(name, sizeof name, "open/%06u", block);
    return mkdirat(store->folder_fd, name, 0700) == 0 || errno == EEXIST ? 0 : -1;
}

/* Moves all files of one folder into another, replacing files there, and removes the first. */
static int merge_folders(const struct store *store, const char *from, const char *to)
{
    int target = openat(store->folder_fd, to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int source = openat(store->folder_fd, from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = source >= 0 ? fdopendir(source) : NULL;
    struct dirent *entry;
    int result = target >= 0 && folder != NULL ? 0 : -1;

    while (result == 0 && (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            result = renameat(source, entry->d_name, target, entry->d_name);
    }
    if (result == 0)
        result = unlinkat(store->folder_fd, from, AT_REMOVEDIR);
    if (folder != NULL)
        closedir(folder);
    if (target >= 0)
        close(target);
    return result;
}

/* Removes what matches that were cut off have left in an open block. A match that is played again
 * writes over it, but not all of them are: a bot may have been withdrawn. */
static void remove_partial_logs(const struct store *store, const char *block)
{
    int fd = openat(store->folder_fd, block, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');

        if (dot != NULL &&
            (strcmp(dot, LOG_FILE_PARTIAL) == 0 || strcmp(dot, LOG_FILE_PACKING) == 0))
            (void)unlinkat(fd, entry->d_name, 0);
    }
    if (folder != NULL)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
}

/* The folder may have been moved already, before we were killed. Or a part of the block was
 * published, and the record of the rest was cut off afterwards. */
int store_publish(struct store *store, unsigned block)
{
    char from[32];
    char to[32];

    snprintf(from, sizeof from, "open/%06u", block);
    snprintf(to, sizeof to, "logs/%06u", block);
    if (fchmodat(store->folder_fd, from, 0755, 0) != 0)
        return errno == ENOENT && faccessat(store->folder_fd, to, F_OK, 0) == 0 ? 0 : -1;
    remove_partial_logs(store, from);
    if (renameat(store->folder_fd, from, store->folder_fd, to) == 0)
        return 0;
    return errno == ENOTEMPTY || errno == EEXIST ? merge_folders(store, from, to) : -1;
}

bool store_is_open(const struct store *store, unsigned block)
{
    char name[32];

    snprintf(name, sizeof name, "open/%06u", block);
    return faccessat(store->folder_fd, name, F_OK, 0) == 0;
}

/* The stderr of bots in a void match must not be taken for that of the next attempt. */
static void remove_stderr(const struct store *store, const char *log)
{
    char name[96];

    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        snprintf(name, sizeof name, "%s.stderr.%u", log, seat);
        (void)unlinkat(store->folder_fd, name, 0);
    }
}

void store_keep_attempt(struct store *store, unsigned block, unsigned rotation)
{
    char from[64];
    char to[64];
    unsigned attempt = 1;

    snprintf(from, sizeof from, "open/%06u/%02u.ndjson", block, rotation + 1);
    do
        snprintf(to, sizeof to, "open/%06u/%02u.attempt-%u.ndjson", block, rotation + 1, attempt);
    while (faccessat(store->folder_fd, to, F_OK, 0) == 0 && ++attempt < 1000);
    remove_stderr(store, from);
    snprintf(from, sizeof from, "open/%06u/%02u.ndjson" LOG_FILE_PARTIAL, block, rotation + 1);
    /* Only for people who look for the cause: a failure does not matter. */
    (void)renameat(store->folder_fd, from, store->folder_fd, to);
}
