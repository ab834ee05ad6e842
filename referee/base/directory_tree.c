/* Trees are walked by descriptors of folders, each opened in the one above it and never through a
 * link, so that no name can lead out of the tree. Of a file as many bytes are read as it has when
 * it is opened: files that the kernel makes up have no length, and nobody waits for them.
 *
 * A folder that is marked after we have looked has got its secrets later still. So it is looked at
 * again after it was copied, and then the copy fails. */

#include "base/directory_tree.h"

#include "base/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEARCH_ENTRIES_MAX 500000
#define BLOCK_BYTES 4096

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

static _Thread_local int64_t disk_bytes; /* nftw() passes nothing on */

static int add_disk(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)path;
    (void)kind;
    (void)where;
    disk_bytes +=
        status->st_blocks * 512 > BLOCK_BYTES ? (int64_t)status->st_blocks * 512 : BLOCK_BYTES;
    return 0;
}

int64_t directory_tree_disk(const char *path)
{
    disk_bytes = 0;
    (void)nftw(path, add_disk, 16, FTW_PHYS);
    return disk_bytes;
}

int directory_tree_count(struct directory_tree_size *size, int64_t bytes)
{
    if (++size->entries <= DIRECTORY_TREE_ENTRIES_MAX &&
        bytes <= DIRECTORY_TREE_BYTES_MAX - size->bytes) {
        size->bytes += bytes;
        return 0;
    }
    errno = EFBIG;
    return -1;
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static DIR *open_folder(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;

    if (fd >= 0 && folder == NULL)
        close(fd);
    return folder;
}

/* Copies. */

struct copy {
    bool is_for_readers;
    uid_t owner; /* of the tree that is copied */
    gid_t group;
    int64_t most_bytes;
    struct directory_tree_size size;
};

/* One entry, where it is and where its copy will be. */
struct entry {
    int from_folder;
    const char *from;
    int to_folder;
    const char *to;
    struct stat status;
};

/* Gives a copy to its readers. */
static int hand_over(const struct copy *copy, int fd, mode_t mode)
{
    if (!copy->is_for_readers)
        return 0;
    return copy->group == 0 || fchown(fd, 0, copy->group) == 0 ? fchmod(fd, mode) : -1;
}

static bool may_be_read(const struct copy *copy, const struct stat *status)
{
    return !copy->is_for_readers || status->st_uid == copy->owner ||
           (status->st_mode & S_IROTH) != 0;
}

/* Copies what is not a hole of the first `size` bytes. */
static int copy_bytes(int from, int to, off_t size)
{
    off_t at = 0;

    while (at < size) {
        off_t start = lseek(from, at, SEEK_DATA);
        off_t end = start >= 0 ? lseek(from, start, SEEK_HOLE) : -1;
        ssize_t moved = 1;

        if (start < 0 && errno == ENXIO)
            break;
        at = start >= 0 ? start : at;
        end = end >= 0 && end < size ? end : size;
        if (lseek(to, at, SEEK_SET) < 0)
            return -1;
        while (at < end && (moved = sendfile(to, from, &at, (size_t)(end - at))) > 0)
            ;
        if (moved <= 0)
            return moved < 0 ? -1 : ftruncate(to, at);
    }
    return ftruncate(to, size);
}

/* What we may not read, and what is gone, is left out. */
static bool is_left_out(int error)
{
    return error == EACCES || error == EPERM || error == ENOENT || error == ELOOP;
}

static int count_file(struct copy *copy, int64_t bytes)
{
    if (directory_tree_count(&copy->size, bytes) == 0 && copy->size.bytes <= copy->most_bytes)
        return 0;
    errno = EFBIG;
    return -1;
}

static int copy_file(struct copy *copy, const struct entry *entry)
{
    int in =
        openat(entry->from_folder, entry->from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    int out = -1;
    int failed = in >= 0 || is_left_out(errno) ? 0 : -1;

    if (in >= 0 && fstat(in, &status) == 0 && S_ISREG(status.st_mode) &&
        may_be_read(copy, &status)) {
        out = openat(entry->to_folder, entry->to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                     status.st_mode & 0777);
        if (out < 0 || count_file(copy, status.st_size) != 0 ||
            copy_bytes(in, out, status.st_size) != 0 ||
            hand_over(copy, out, (status.st_mode & S_IXUSR) != 0 ? 0550 : 0440) != 0)
            failed = -1;
    }
    if (out >= 0 && close(out) != 0)
        failed = -1;
    if (in >= 0)
        close(in);
    return failed;
}

static int copy_link(const struct entry *entry)
{
    char target[PATH_MAX] = "";

    if (readlinkat(entry->from_folder, entry->from, target, sizeof target - 1) < 0)
        return is_left_out(errno) ? 0 : -1;
    return symlinkat(target, entry->to_folder, entry->to);
}

static int copy_entry(struct copy *copy, struct entry *entry, int depth);

static int copy_entries(struct copy *copy, DIR *from, int to, int depth)
{
    const struct dirent *found;
    int failed = 0;

    while (failed == 0 && (found = readdir(from)) != NULL) {
        struct entry inner = {dirfd(from), found->d_name, to, found->d_name, {0}};

        if (!is_dots(found->d_name))
            failed = copy_entry(copy, &inner, depth + 1);
    }
    return failed;
}

static int copy_folder(struct copy *copy, const struct entry *entry, int depth)
{
    DIR *from = open_folder(entry->from_folder, entry->from);
    int to = -1;
    int failed = -1;

    if (from == NULL)
        return is_left_out(errno) ? 0 : -1;
    if (mkdirat(entry->to_folder, entry->to, copy->is_for_readers ? 0700 : 0755) == 0)
        to = openat(entry->to_folder, entry->to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (to >= 0 && copy_entries(copy, from, to, depth) == 0)
        failed = hand_over(copy, to, 0550);
    if (failed == 0 && directory_is_marked(dirfd(from), ".")) {
        errno = EAGAIN;
        failed = -1;
    }
    if (to >= 0)
        close(to);
    closedir(from);
    return failed;
}

static int copy_entry(struct copy *copy, struct entry *entry, int depth)
{
    if (fstatat(entry->from_folder, entry->from, &entry->status, AT_SYMLINK_NOFOLLOW) != 0)
        return is_left_out(errno) ? 0 : -1;
    if (S_ISDIR(entry->status.st_mode) && directory_is_marked(entry->from_folder, entry->from))
        return 0;
    if (S_ISREG(entry->status.st_mode))
        return copy_file(copy, entry);
    if (directory_tree_count(&copy->size, 0) != 0)
        return -1;
    if (S_ISLNK(entry->status.st_mode))
        return copy_link(entry);
    if (!S_ISDIR(entry->status.st_mode))
        return 0;
    errno = EFBIG;
    return depth < DIRECTORY_TREE_DEPTH_MAX ? copy_folder(copy, entry, depth) : -1;
}

/* At the top nothing is left out in silence. */
static int copy_tree(struct copy *copy, const char *from, const char *to)
{
    struct entry entry = {AT_FDCWD, from, AT_FDCWD, to, {0}};
    struct stat status;

    if (lstat(from, &status) != 0)
        return -1;
    copy->owner = status.st_uid;
    errno = S_ISLNK(status.st_mode) ? ELOOP : EPERM;
    if (S_ISLNK(status.st_mode) || (S_ISDIR(status.st_mode) && directory_is_marked(AT_FDCWD, from)))
        return -1;
    if (directory_tree_remove(to) != 0 || copy_entry(copy, &entry, 0) != 0)
        return -1;
    if (access(to, F_OK) == 0)
        return 0;
    errno = EACCES;
    return -1;
}

int directory_tree_copy(const char *from, const char *to, int64_t most_bytes)
{
    struct copy copy = {.most_bytes = most_bytes};

    return copy_tree(&copy, from, to);
}

int directory_tree_copy_for(const char *from, const char *to, gid_t group)
{
    struct copy copy = {
        .is_for_readers = true, .group = group, .most_bytes = DIRECTORY_TREE_BYTES_MAX};

    return copy_tree(&copy, from, to);
}

/* Sizes. */

/* Counts what copy_entry() would copy. */
static int measure(int parent, const char *name, struct directory_tree_size *size, int depth)
{
    DIR *folder = open_folder(parent, name);
    const struct dirent *found;
    int failed = folder != NULL || is_left_out(errno) ? 0 : -1;
    struct stat status;

    while (failed == 0 && folder != NULL && (found = readdir(folder)) != NULL) {
        if (is_dots(found->d_name) ||
            fstatat(dirfd(folder), found->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            (S_ISDIR(status.st_mode) && directory_is_marked(dirfd(folder), found->d_name)))
            continue;
        failed = directory_tree_count(size, S_ISREG(status.st_mode) ? status.st_size : 0);
        if (failed == 0 && S_ISDIR(status.st_mode))
            failed = depth + 1 < DIRECTORY_TREE_DEPTH_MAX
                         ? measure(dirfd(folder), found->d_name, size, depth + 1)
                         : -1;
    }
    if (folder != NULL)
        closedir(folder);
    return failed;
}

bool directory_tree_fits(const char *path)
{
    struct directory_tree_size size = {.entries = 1};

    return measure(AT_FDCWD, path, &size, 0) == 0;
}

/* Marks. */

static bool holds_mark(int parent, const char *name, unsigned *left, int depth)
{
    DIR *folder = open_folder(parent, name);
    const struct dirent *found;
    bool is_found = folder != NULL && directory_is_marked(dirfd(folder), ".");

    while (folder != NULL && !is_found && (found = readdir(folder)) != NULL) {
        if (is_dots(found->d_name))
            continue;
        if (*left == 0 || depth == DIRECTORY_TREE_DEPTH_MAX)
            is_found = true;
        else if (--*left > 0 && (found->d_type == DT_DIR || found->d_type == DT_UNKNOWN))
            is_found = holds_mark(dirfd(folder), found->d_name, left, depth + 1);
    }
    if (folder != NULL)
        closedir(folder);
    return is_found;
}

bool directory_tree_holds_mark(const char *path)
{
    unsigned left = SEARCH_ENTRIES_MAX;

    return holds_mark(AT_FDCWD, path, &left, 0);
}
