/* A bot that runs as a user of its own reaches only what all users may read; homes are often
 * closed. Then its folder is copied to where it can be read, once for all its processes, and only
 * by a group that no other bot is in. The copy is made with root's rights from a folder that a
 * stranger may have filled, so no link is followed, and only what its owner could have read is
 * copied. */

#include "sandbox/program_copy.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 64

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Whether all users may pass the folders above it. */
static bool is_way_open(const char *path)
{
    char *way = xstrdup(path);
    bool is_open = true;
    struct stat status;

    for (char *slash = strrchr(way, '/'); slash != NULL && slash != way && is_open;
         slash = strrchr(way, '/')) {
        *slash = '\0';
        is_open = stat(way, &status) == 0 && (status.st_mode & S_IXOTH) != 0;
    }
    free(way);
    return is_open;
}

static bool is_open_to_all(const struct stat *status)
{
    mode_t needed = S_IROTH | ((status->st_mode & S_IXUSR) != 0 ? S_IXOTH : 0U);

    return S_ISLNK(status->st_mode) || (status->st_mode & needed) == needed;
}

/* Whether all users may read a folder and everything below it. `entries` counts down; the rest is
 * not looked at. */
static bool is_folder_open(int parent, const char *name, unsigned *entries, int depth)
{
    int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = depth < DEPTH_MAX ? openat(parent, name, flags) : -1;
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    bool is_open = true;

    while (folder != NULL && is_open && *entries > 0 && (entry = readdir(folder)) != NULL) {
        struct stat status;

        if (is_dots(entry->d_name) || fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        (*entries)--;
        is_open =
            is_open_to_all(&status) &&
            (!S_ISDIR(status.st_mode) || is_folder_open(fd, entry->d_name, entries, depth + 1));
    }
    if (folder != NULL)
        closedir(folder);
    return is_open;
}

bool program_copy_is_reachable(const char *path)
{
    struct stat status;

    return is_way_open(path) && stat(path, &status) == 0 && is_open_to_all(&status);
}

bool program_copy_is_open(const char *path)
{
    unsigned entries = PROGRAM_COPY_ENTRIES_MAX;

    return program_copy_is_reachable(path) && is_folder_open(AT_FDCWD, path, &entries, 0);
}

struct copy {
    uid_t owner; /* of the folder that is copied */
    gid_t group;
    int64_t bytes;
    unsigned entries;
};

static int copy_bytes(struct copy *copy, int from, int to)
{
    char bytes[65536];
    ssize_t length;

    while ((length = read(from, bytes, sizeof bytes)) > 0) {
        copy->bytes += length;
        if (copy->bytes > PROGRAM_COPY_BYTES_MAX) {
            errno = EFBIG;
            return -1;
        }
        if (write(to, bytes, (size_t)length) != length)
            return -1;
    }
    return length == 0 ? 0 : -1;
}

static int copy_file(struct copy *copy, const char *from, const char *to)
{
    int in = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    int out = -1;
    int failed = -1;

    if (in >= 0 && fstat(in, &status) == 0 && S_ISREG(status.st_mode)) {
        bool may_read = status.st_uid == copy->owner || (status.st_mode & S_IROTH) != 0;

        out = may_read ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
        failed = !may_read ? 0 : -1;
        if (out >= 0)
            failed = copy_bytes(copy, in, out) != 0 || fchown(out, 0, copy->group) != 0 ||
                     fchmod(out, (status.st_mode & S_IXUSR) != 0 ? 0550 : 0440) != 0;
    }
    if (out >= 0)
        close(out);
    if (in >= 0)
        close(in);
    return failed == 0 ? 0 : -1;
}

static int copy_link(const char *from, const char *to)
{
    char target[4096];
    ssize_t length = readlink(from, target, sizeof target - 1);

    if (length < 0)
        return -1;
    target[length] = '\0';
    return symlink(target, to);
}

static int copy_any(struct copy *copy, const char *from, const char *to, int depth);

static int copy_folder(struct copy *copy, const char *from, const char *to, int depth)
{
    DIR *folder = opendir(from);
    const struct dirent *entry;
    int failed = folder == NULL || mkdir(to, 0700) != 0;

    while (failed == 0 && (entry = readdir(folder)) != NULL) {
        char *inner_from = NULL;
        char *inner_to = NULL;

        if (is_dots(entry->d_name))
            continue;
        failed = asprintf(&inner_from, "%s/%s", from, entry->d_name) < 0 ||
                 asprintf(&inner_to, "%s/%s", to, entry->d_name) < 0 ||
                 copy_any(copy, inner_from, inner_to, depth + 1) != 0;
        free(inner_from);
        free(inner_to);
    }
    if (folder != NULL)
        closedir(folder);
    return failed == 0 && chown(to, 0, copy->group) == 0 && chmod(to, 0550) == 0 ? 0 : -1;
}

static int copy_any(struct copy *copy, const char *from, const char *to, int depth)
{
    struct stat status;

    if (++copy->entries > PROGRAM_COPY_ENTRIES_MAX || depth > DEPTH_MAX) {
        errno = EFBIG;
        return -1;
    }
    if (lstat(from, &status) != 0)
        return -1;
    if (S_ISDIR(status.st_mode))
        return copy_folder(copy, from, to, depth);
    if (S_ISLNK(status.st_mode))
        return copy_link(from, to);
    return S_ISREG(status.st_mode) ? copy_file(copy, from, to) : 0;
}

int program_copy_make(const char *from, const char *to, gid_t group)
{
    struct copy copy = {.group = group};
    struct stat status;

    if (stat(from, &status) != 0)
        return -1;
    copy.owner = status.st_uid;
    return copy_any(&copy, from, to, 0);
}
