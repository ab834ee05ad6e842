/* Trees of files, copied and removed. */

#include "base/directory_tree.h"

#include "base/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

int directory_tree_remove(const char *path)
{
    return nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT ? 0 : -1;
}

int64_t directory_tree_bytes(const char *path)
{
    char *paths[] = {(char *)path, NULL};
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    int64_t left = tree != NULL ? INT64_MAX : 0;
    FTSENT *entry;

    while (left > 0 && (entry = fts_read(tree)) != NULL) {
        if (entry->fts_info == FTS_F)
            left -= left > entry->fts_statp->st_size ? entry->fts_statp->st_size : left;
        else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR ||
                 entry->fts_info == FTS_NS)
            left = 0;
    }
    if (left > 0 && errno != 0)
        left = 0;
    if (tree != NULL)
        fts_close(tree);
    return INT64_MAX - left;
}

/* Copies what is not a hole. */
static int copy_data(int in, int out, off_t length)
{
    off_t at = 0;

    while ((at = lseek(in, at, SEEK_DATA)) >= 0) {
        off_t end = lseek(in, at, SEEK_HOLE);
        ssize_t moved = 1;

        if (end < 0 || lseek(in, at, SEEK_SET) < 0 || lseek(out, at, SEEK_SET) < 0)
            return -1;
        while (at < end && moved > 0) {
            moved = sendfile(out, in, NULL, (size_t)(end - at));
            at += moved;
        }
        if (moved <= 0)
            return -1;
    }
    return errno == ENXIO ? ftruncate(out, length) : -1;
}

static int directory_tree_file(const char *from, const char *to, const struct stat *status)
{
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out =
        in >= 0 ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status->st_mode & 0777) : -1;
    int result = out >= 0 ? copy_data(in, out, status->st_size) : -1;

    if (in >= 0)
        close(in);
    return out >= 0 && close(out) == 0 ? result : -1;
}

static int directory_tree_link(const char *from, const char *to)
{
    char target[PATH_MAX] = "";

    if (readlink(from, target, sizeof target - 1) < 0)
        return -1;
    return symlink(target, to);
}

static int directory_tree_tree(const char *from, const char *to);

static int directory_tree_entry(const char *from, const char *to)
{
    struct stat status;

    if (lstat(from, &status) != 0)
        return -1;
    if (S_ISREG(status.st_mode))
        return directory_tree_file(from, to, &status);
    if (S_ISLNK(status.st_mode))
        return directory_tree_link(from, to);
    return S_ISDIR(status.st_mode) ? directory_tree_tree(from, to) : 0;
}

static int directory_tree_tree(const char *from, const char *to)
{
    DIR *folder = opendir(from);
    struct dirent *entry;
    int result = folder != NULL && mkdir(to, 0755) == 0 ? 0 : -1;

    while (result == 0 && (entry = readdir(folder)) != NULL) {
        char *source = directory_join(from, entry->d_name);
        char *target = directory_join(to, entry->d_name);

        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            result = directory_tree_entry(source, target);
        free(source);
        free(target);
    }
    if (folder != NULL)
        closedir(folder);
    return result;
}

int directory_tree_copy(const char *from, const char *to)
{
    return directory_tree_remove(to) == 0 ? directory_tree_tree(from, to) : -1;
}
