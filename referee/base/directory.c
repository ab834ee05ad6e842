/* The lock is a kernel lock: it is released when the last process that holds it ends, however that
 * happens. */

#include "base/directory.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
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

static int make_one(const char *path)
{
    return mkdir(path, 0755) == 0 || errno == EEXIST ? 0 : -1;
}

int directory_make(const char *path)
{
    char *copy = xstrdup(path);
    int result = 0;

    for (char *slash = strchr(copy + 1, '/'); slash != NULL && result == 0;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        result = make_one(copy);
        *slash = '/';
    }
    if (result == 0)
        result = make_one(copy);
    free(copy);
    return result;
}

static int try_lock(int fd)
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
    char *path = directory_join(folder, "lock");
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

    if (fd >= 0 && try_lock(fd) == 0) {
        write_pid(fd);
    } else {
        text_add(problem, path);
        text_add(problem, ": ");
        text_add(problem, fd >= 0 && errno == EWOULDBLOCK
                              ? "somebody else is playing in this store (its process number is in "
                                "the file)"
                              : strerror(errno));
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    free(path);
    return fd;
}
