/* Each entry adds its kind, its path below the folder, and its contents: of a file the bytes, of a
 * symbolic link where it points to, of a folder nothing more. Numbers and names end with a NUL, so
 * that no two folders give the same hash. Dates and owners do not count. A store in the folder adds
 * nothing, not even its name: a bot stays the same while matches are played beside it. */

#include "base/directory_hash.h"

#include "base/directory.h"
#include "base/directory_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct walk {
    crypto_hash_sha256_state *state;
    struct directory_tree_size size;
};

static void add(crypto_hash_sha256_state *state, const char *text)
{
    crypto_hash_sha256_update(state, (const unsigned char *)text, strlen(text) + 1);
}

/* Only a lasting error counts as empty: a temporary one must not change the identity of a bot. */
static bool is_for_ever(int error)
{
    return error == EACCES || error == EPERM;
}

/* Adds the first `size` bytes: a file without a length, as the kernel makes them up, is not read.
 * */
static int add_bytes(crypto_hash_sha256_state *state, int fd, off_t size)
{
    unsigned char bytes[16384];
    ssize_t got = 1;

    for (off_t at = 0; at < size && got > 0; at += got) {
        off_t left = size - at;

        got = read(fd, bytes, left < (off_t)sizeof bytes ? (size_t)left : sizeof bytes);
        if (got > 0)
            crypto_hash_sha256_update(state, bytes, (unsigned long long)got);
    }
    return got >= 0 ? 0 : -1;
}

/* Opens a regular file. Returns its descriptor; or -1 with errno. */
static int open_file(int folder, const char *name, int flags, struct stat *status)
{
    int fd = -1;

    if (fstatat(folder, name, status, (flags & O_NOFOLLOW) != 0 ? AT_SYMLINK_NOFOLLOW : 0) != 0)
        return -1;
    if (S_ISREG(status->st_mode))
        fd = openat(folder, name, flags | O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    else
        errno = EINVAL;
    if (fd >= 0 && (fstat(fd, status) != 0 || !S_ISREG(status->st_mode))) {
        close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

int directory_hash_file(crypto_hash_sha256_state *state, const char *path)
{
    struct directory_tree_size size = {0};
    struct stat status;
    int fd = open_file(AT_FDCWD, path, 0, &status);
    int result = -1;

    if (fd < 0)
        return is_for_ever(errno) ? 0 : -1;
    if (directory_tree_count(&size, status.st_size) == 0)
        result = add_bytes(state, fd, status.st_size);
    close(fd);
    return result;
}

static int add_file(struct walk *walk, int folder, const char *name)
{
    struct stat status;
    int fd = open_file(folder, name, O_NOFOLLOW, &status);
    int result = fd >= 0 || is_for_ever(errno) ? 0 : -1;
    char size[32];

    snprintf(size, sizeof size, "file %lld", (long long)status.st_size);
    add(walk->state, size);
    if (fd >= 0 && directory_tree_count(&walk->size, status.st_size) == 0)
        result = add_bytes(walk->state, fd, status.st_size);
    else if (fd >= 0)
        result = -1;
    if (fd >= 0)
        close(fd);
    return result;
}

static void add_link(crypto_hash_sha256_state *state, int folder, const char *name)
{
    char target[PATH_MAX] = "";

    add(state, "link");
    if (readlinkat(folder, name, target, sizeof target - 1) < 0)
        target[0] = '\0';
    add(state, target);
}

static int add_folder(struct walk *walk, int parent, const char *name, unsigned depth);

static int add_entry(struct walk *walk, int folder, const char *name, unsigned depth)
{
    struct stat status = {0};
    bool is_there = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;

    if (S_ISDIR(status.st_mode) && directory_is_marked(folder, name))
        return 0;
    add(walk->state, name);
    if (S_ISREG(status.st_mode))
        return add_file(walk, folder, name);
    if (directory_tree_count(&walk->size, 0) != 0)
        return -1;
    if (S_ISDIR(status.st_mode) && depth < DIRECTORY_TREE_DEPTH_MAX)
        return add_folder(walk, folder, name, depth + 1);
    if (S_ISLNK(status.st_mode))
        add_link(walk->state, folder, name);
    else
        add(walk->state, is_there ? "special" : "nothing");
    return 0;
}

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int compare_names(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

static int add_folder(struct walk *walk, int parent, const char *name, unsigned depth)
{
    struct dirent **entries = NULL;
    int fd =
        openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (depth > 0 ? O_NOFOLLOW : 0));
    int count = fd >= 0 ? scandirat(fd, ".", &entries, is_entry, compare_names) : -1;
    int result = count >= 0 || is_for_ever(errno) ? 0 : -1;

    add(walk->state, "folder");
    for (int i = 0; i < count; i++) {
        if (result == 0)
            result = add_entry(walk, fd, entries[i]->d_name, depth);
        free(entries[i]);
    }
    add(walk->state, "end");
    free(entries);
    if (fd >= 0)
        close(fd);
    return result;
}

int directory_hash(crypto_hash_sha256_state *state, const char *folder)
{
    struct walk walk = {.state = state};

    return add_folder(&walk, AT_FDCWD, folder, 0);
}
