/* The lock is a kernel lock: it is released when the last process that holds it ends, however that
 * happens. Its file stays, and marks the folder as ours for as long as the folder exists; a journal
 * does the same, in case that somebody has removed the lock. Because a lock is that of a file, not
 * of a name, a removed lock keeps nobody out: so a journal is locked as well. */

#include "base/directory.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOCK_TRIES 150
#define LOCK_PAUSE_NS 20000000L

char *directory_join(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = xcalloc(size, 1);

    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* Some file systems cannot sync a folder, and a folder on the way may be closed to us: then there
 * is no more to be done. */
int directory_sync(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int result;
    int error;

    if (fd < 0)
        return errno == EACCES ? 0 : -1;
    result = fsync(fd) == 0 || errno == EINVAL || errno == EROFS ? 0 : -1;
    error = errno;
    close(fd);
    errno = error;
    return result;
}

int directory_sync_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *parent = slash == NULL ? xstrdup(".") : xstrdup(path);
    int result;

    /* "/name" is in "/". */
    if (slash != NULL)
        parent[slash == path ? 1 : slash - path] = '\0';
    result = directory_sync(parent);
    free(parent);
    return result;
}

static int make_one(const char *path, bool is_synced)
{
    if (mkdir(path, 0755) == 0)
        return is_synced ? directory_sync_parent(path) : 0;
    return errno == EEXIST ? 0 : -1;
}

static int make_all(const char *path, bool is_synced)
{
    char *copy = xstrdup(path);
    int result = 0;

    for (char *slash = strchr(copy + 1, '/'); slash != NULL && result == 0;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        result = make_one(copy, is_synced);
        *slash = '/';
    }
    if (result == 0)
        result = make_one(copy, is_synced);
    free(copy);
    return result;
}

int directory_make(const char *path)
{
    return make_all(path, true);
}

int directory_make_unsynced(const char *path)
{
    return make_all(path, false);
}

int directory_mark(const char *folder)
{
    char *path = directory_join(folder, DIRECTORY_MARK);
    int fd = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0600);

    free(path);
    return fd >= 0 ? close(fd) : -1;
}

bool directory_is_marked(int parent, const char *name)
{
    static const char *const marks[] = {DIRECTORY_MARK, "results.ndjson", "ledger.ndjson"};
    bool is_marked = false;
    struct stat status;

    for (size_t i = 0; i < ARRAY_LEN(marks) && !is_marked; i++) {
        char *path = directory_join(name, marks[i]);

        /* A user can call a bot by such a name: then it is a folder, among those of other bots. */
        if (fstatat(parent, path, &status, AT_SYMLINK_NOFOLLOW) == 0)
            is_marked = S_ISREG(status.st_mode);
        else
            is_marked = errno != ENOENT && errno != ENOTDIR && errno != EACCES;
        free(path);
    }
    return is_marked;
}

/* Whether `rest` of a path names something in one of the folders that a store keeps for bots. */
static bool is_for_bots(const char *rest)
{
    return (strncmp(rest, "/bots/", 6) == 0 && rest[6] != '\0') ||
           (strncmp(rest, "/builds/", 8) == 0 && rest[8] != '\0');
}

bool directory_is_private(const char *path)
{
    char *above = xstrdup(path);
    bool is_private = false;

    for (size_t length = strlen(above); length > 0 && !is_private; length--) {
        if (path[length] != '/' && path[length] != '\0')
            continue;
        above[length] = '\0';
        is_private = !is_for_bots(path + length) && directory_is_marked(AT_FDCWD, above);
    }
    free(above);
    return is_private;
}

int directory_open_beneath(int folder, const char *path, int flags)
{
    struct open_how how = {.flags = (unsigned)flags | (unsigned)O_CLOEXEC,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};

    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

int directory_lock_file(int fd)
{
    struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};

    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return 0;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return -1;
        nanosleep(&pause, NULL);
    }
    errno = EWOULDBLOCK;
    return -1;
}

/* Only for people who look for the process. */
static void write_pid(int fd)
{
    char pid[24];
    int length = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());

    if (ftruncate(fd, 0) == 0 && pwrite(fd, pid, (size_t)length, 0) < 0)
        return;
}

int directory_lock(const char *folder, struct text *problem)
{
    char *path = directory_join(folder, DIRECTORY_MARK);
    int fd = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0644);

    if (fd >= 0 && directory_lock_file(fd) == 0) {
        write_pid(fd);
    } else {
        text_add(problem, path);
        text_add(problem, ": ");
        text_add(problem, fd >= 0 && errno == EWOULDBLOCK ? DIRECTORY_IN_USE
                              " (its process number is in the file)"
                          : errno == ELOOP ? "it is a link, and nothing is written through it"
                                           : strerror(errno));
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    free(path);
    return fd;
}
