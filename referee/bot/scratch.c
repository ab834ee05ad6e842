/* What a bot leaves behind was made by somebody who may want us to fail: trees a hundred thousand folders
 * deep, folders that nobody may enter, links to places that are not his. So nothing here follows a link,
 * and removing goes down and up one folder at a time, with one descriptor and no recursion. That is safe only
 * because the bot's processes are gone: `..` is then where we came from. */

#include "bot/scratch.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SURVEY_DEPTH_MAX 64
#define ROOT_NAME "referee-"

static const char *place_of_roots(void)
{
    const char *place = getenv("TMPDIR");

    return place != NULL && *place == '/' ? place : "/tmp";
}

/* Roots carry the number of the process that made them. One that was killed could not remove its own. */
static bool is_stale(int place_fd, const char *name)
{
    struct stat status;
    char *end;
    long pid;

    if (strncmp(name, ROOT_NAME, sizeof ROOT_NAME - 1) != 0)
        return false;
    pid = strtol(name + sizeof ROOT_NAME - 1, &end, 10);
    return pid > 0 && *end == '-' && kill((pid_t)pid, 0) != 0 && errno == ESRCH &&
           fstatat(place_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode) &&
           status.st_uid == geteuid();
}

void scratch_remove_stale(void)
{
    DIR *place = opendir(place_of_roots());
    const struct dirent *entry;
    char *path;

    while (place != NULL && (entry = readdir(place)) != NULL) {
        if (!is_stale(dirfd(place), entry->d_name) ||
            asprintf(&path, "%s/%s", place_of_roots(), entry->d_name) < 0)
            continue;
        (void)scratch_remove(path);
        free(path);
    }
    if (place != NULL)
        closedir(place);
}

char *scratch_make_root(void)
{
    char *path;

    if (asprintf(&path, "%s/" ROOT_NAME "%ld-XXXXXX", place_of_roots(), (long)getpid()) < 0)
        return NULL;
    /* Users of bots have to pass through, but cannot list what is there. */
    if (mkdtemp(path) == NULL || chmod(path, geteuid() == 0 ? 0711 : 0700) != 0) {
        free(path);
        return NULL;
    }
    return path;
}

char *scratch_make(const char *root, const char *name, uid_t owner)
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

/* Opens a folder even if it forbids it to its owner, who we are, unless we are root. */
static int open_folder(int parent, const char *name)
{
    int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(parent, name, flags);

    if (fd >= 0 || errno != EACCES)
        return fd;
    /* There is no link here: it was just found to be a folder, and nobody else is at work. */
    (void)fchmodat(parent, name, 0700, 0);
    return openat(parent, name, flags);
}

/* Removes what can be removed at once. Returns the name of a folder that is not empty (the caller's),
 * or NULL if there is none. */
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

/* Whether the folder of that name is the one that we have just come up from: then it could not be
 * removed although all was tried. */
static bool is_stuck(int fd, const char *name, const struct stat *left)
{
    struct stat status;

    return fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && is_same(&status, left);
}

int scratch_remove(const char *path)
{
    struct stat top;
    struct stat here;
    struct stat left = {0};
    int fd = open_folder(AT_FDCWD, path);
    bool is_done = fd < 0 || fstat(fd, &top) != 0;

    while (fd >= 0 && !is_done) {
        char *full = clear_folder(fd);

        if (full != NULL) {
            is_done = is_stuck(fd, full, &left);
        } else {
            is_done = fstat(fd, &here) != 0 || is_same(&here, &top);
            left = here;
        }
        if (!is_done)
            fd = step(fd, full != NULL ? full : "..");
        free(full);
    }
    if (fd >= 0)
        close(fd);
    return rmdir(path);
}

/* What was counted so far. What lies deeper than SURVEY_DEPTH_MAX is not: the folders above it are, and
 * removing finds it all the same. */
struct survey {
    struct scratch_size size;
    struct scratch_size most;
};

static bool is_over(const struct survey *survey)
{
    return survey->size.bytes > survey->most.bytes || survey->size.entries > survey->most.entries;
}

static void survey_folder(struct survey *survey, int parent, const char *name, int depth)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    while (folder != NULL && !is_over(survey) && (entry = readdir(folder)) != NULL) {
        struct stat status;

        if (is_dots(entry->d_name) || fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        survey->size.entries++;
        survey->size.bytes += (int64_t)status.st_blocks * 512;
        if (S_ISDIR(status.st_mode) && depth < SURVEY_DEPTH_MAX)
            survey_folder(survey, fd, entry->d_name, depth + 1);
    }
    if (folder != NULL)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
}

struct scratch_size scratch_measure(const char *path, const struct scratch_size *most)
{
    struct survey survey = {.most = *most};

    survey_folder(&survey, AT_FDCWD, path, 0);
    return survey.size;
}
