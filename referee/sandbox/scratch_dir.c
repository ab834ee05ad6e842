/* What a bot leaves behind may be meant to make us fail: trees a hundred thousand folders deep,
 * folders that nobody may enter, links to places that are not the bot's. So nothing here follows a
 * link, and removing goes down and up one folder at a time, with one descriptor and no recursion.
 * That is safe only because the bot's processes are gone: `..` is then where we came from. */

#include "sandbox/scratch_dir.h"

#include "base/directory.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define ROOT_NAME "referee-bots-"
#define TRIES_MAX 16
#define MEMORY_FOLDER "/dev/shm"
#define MEMORY_BYTES_LEAST ((uint64_t)1 << 30)

void scratch_dir_name(char name[SCRATCH_DIR_NAME_BYTES], const char *kind)
{
    uint64_t numbers[2] = {0};

    (void)getrandom(numbers, sizeof numbers, 0);
    (void)snprintf(name, SCRATCH_DIR_NAME_BYTES, "%s-%016" PRIx64 "%016" PRIx64, kind, numbers[0],
                   numbers[1]);
}

char *scratch_dir_make(const char *root, const char *name, uid_t owner)
{
    char *path;

    if (asprintf(&path, "%s/%s", root, name) < 0)
        return NULL;
    if (mkdir(path, 0700) == 0 && (owner == 0 || chown(path, owner, owner) == 0))
        return path;
    free(path);
    return NULL;
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Opens a folder even if its mode forbids that to its owner, which is us, unless we are root. */
static int open_folder(int parent, const char *name)
{
    int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(parent, name, flags);

    if (fd >= 0 || errno != EACCES)
        return fd;
    /* There is no link here: it was just found to be a folder, and no other process is at work. */
    (void)fchmodat(parent, name, 0700, 0);
    return openat(parent, name, flags);
}

/* Removes what can be removed at once. Returns the name of a folder that is not empty (the
 * caller's), or NULL if there is none. */
static char *clear_folder(int fd)
{
    DIR *folder = fdopendir(dup(fd));
    const struct dirent *entry;
    char *full = NULL;

    if (folder == NULL)
        return NULL;
    rewinddir(folder);
    (void)fchmod(fd, 0700);
    while (full == NULL && (entry = readdir(folder)) != NULL) {
        if (is_dots(entry->d_name) || unlinkat(fd, entry->d_name, 0) == 0)
            continue;
        if (unlinkat(fd, entry->d_name, AT_REMOVEDIR) != 0 &&
            (errno == ENOTEMPTY || errno == EEXIST || errno == EACCES))
            full = xstrdup(entry->d_name);
    }
    closedir(folder);
    return full;
}

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Moves to another folder from `fd`, which is closed. Returns its descriptor, or -1. */
static int step(int fd, const char *name)
{
    int next = open_folder(fd, name);

    close(fd);
    return next;
}

/* Whether the folder of that name is the one that we have just come up from: then it cannot be
 * removed. */
static bool is_stuck(int fd, const char *name, const struct stat *left)
{
    struct stat status;

    return fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && is_same(&status, left);
}

int scratch_dir_remove(const char *path)
{
    struct stat top;
    struct stat here = {0};
    struct stat left = {0};
    unsigned depth = 0; /* never above the folder, whatever `..` may be */
    int fd;
    bool is_done;

    if (rmdir(path) == 0)
        return 0;
    fd = open_folder(AT_FDCWD, path);
    is_done = fd < 0 || fstat(fd, &top) != 0;
    while (fd >= 0 && !is_done) {
        char *full = clear_folder(fd);

        if (full != NULL) {
            is_done = is_stuck(fd, full, &left);
        } else {
            is_done = depth == 0 || fstat(fd, &here) != 0 || is_same(&here, &top);
            left = here;
        }
        if (!is_done)
            fd = step(fd, full != NULL ? full : "..");
        depth = full != NULL ? depth + 1 : depth - 1;
        free(full);
    }
    if (fd >= 0)
        close(fd);
    return rmdir(path);
}

/* Whether a folder is in memory, can hold programs, and has room for many bots. */
static bool is_spacious_memory(const char *path)
{
    struct statfs system;

    return statfs(path, &system) == 0 && system.f_type == TMPFS_MAGIC &&
           (system.f_flags & ST_NOEXEC) == 0 && access(path, W_OK) == 0 &&
           (uint64_t)system.f_bavail * (uint64_t)system.f_bsize >= MEMORY_BYTES_LEAST;
}

bool scratch_dir_is_way_open(const char *path)
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

/* As root, bots run as other users, and have to get there. */
static bool is_usable(const char *place)
{
    char *inside;
    bool is_open;

    if (place == NULL || *place != '/' || asprintf(&inside, "%s/x", place) < 0)
        return false;
    is_open = geteuid() != 0 || scratch_dir_is_way_open(inside);
    free(inside);
    return is_open;
}

const char *scratch_dir_place(bool is_large)
{
    const char *place = getenv("TMPDIR");

    if (is_usable(place))
        return place;
    return !is_large && is_spacious_memory(MEMORY_FOLDER) ? MEMORY_FOLDER : "/tmp";
}

/* Makes the folder. Users of bots have to pass through, but cannot list what is there. */
static char *make_root(const char *place)
{
    char *path;

    if (asprintf(&path, "%s/" ROOT_NAME "XXXXXX", place) < 0)
        return NULL;
    if (mkdtemp(path) != NULL) {
        if (directory_mark(path) == 0 && chmod(path, geteuid() == 0 ? 0711 : 0700) == 0)
            return path;
        (void)scratch_dir_remove(path);
    }
    free(path);
    return NULL;
}

/* Removes a folder if a referee of our user has left it: its lock is free. If it is so new that its
 * lock is about to be taken, its maker notices that somebody else was first. */
static void remove_if_left_over(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;

    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        (void)scratch_dir_remove(path);
    if (fd >= 0)
        close(fd);
}

static void remove_left_over(const char *place)
{
    DIR *folder = opendir(place);
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char *path;

        if (strncmp(entry->d_name, ROOT_NAME, strlen(ROOT_NAME)) != 0 ||
            asprintf(&path, "%s/%s", place, entry->d_name) < 0)
            continue;
        remove_if_left_over(path);
        free(path);
    }
    if (folder != NULL)
        closedir(folder);
}

int scratch_dir_lock(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat ours, there;

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &ours) == 0 &&
        stat(path, &there) == 0 && is_same(&ours, &there))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

void scratch_dir_sweep(void)
{
    remove_left_over(scratch_dir_place(false));
    if (strcmp(scratch_dir_place(false), scratch_dir_place(true)) != 0)
        remove_left_over(scratch_dir_place(true));
}

char *scratch_dir_make_root(const char *place, int *lock_fd)
{
    *lock_fd = -1;
    remove_left_over(place);
    for (int i = 0; i < TRIES_MAX; i++) {
        char *path = make_root(place);

        *lock_fd = path != NULL ? scratch_dir_lock(path) : -1;
        if (*lock_fd >= 0)
            return path;
        free(path);
    }
    return NULL;
}

bool scratch_dir_is_over(const struct scratch_dir_size *size, const struct scratch_dir_size *most)
{
    return size->bytes > most->bytes || size->entries > most->entries || size->depth > most->depth;
}

/* What was counted so far. */
struct survey {
    struct scratch_dir_size size;
    struct scratch_dir_size most;
};

static void survey_folder(struct survey *survey, int parent, const char *name, unsigned depth)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    if (depth > survey->size.depth)
        survey->size.depth = depth;
    while (folder != NULL && !scratch_dir_is_over(&survey->size, &survey->most) &&
           (entry = readdir(folder)) != NULL) {
        struct stat status;

        if (is_dots(entry->d_name) || fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        survey->size.entries++;
        survey->size.bytes += (int64_t)status.st_blocks * 512;
        if (S_ISDIR(status.st_mode))
            survey_folder(survey, fd, entry->d_name, depth + 1);
    }
    if (folder != NULL)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
}

struct scratch_dir_size scratch_dir_measure(const char *path, const struct scratch_dir_size *most)
{
    struct survey survey = {.most = *most};

    survey_folder(&survey, AT_FDCWD, path, 0);
    return survey.size;
}
