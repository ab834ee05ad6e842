/* Referees on one machine agree through one file that is never written to: byte n is locked by the
 * one that uses number n. The kernel drops the locks with the process, however it ends. Processes
 * that a killed referee left running still have their number, so they are killed before it is used
 * again. */

#include "sandbox/uid_pool.h"

#include "base/text.h"
#include "sandbox/reaper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOCK_FILE "/run/referee.uids"

static void read_range(struct uid_pool *pool)
{
    const char *range = getenv("REFEREE_UIDS");
    struct span rest = span_of(range != NULL ? range : "");
    struct span left = span_cut(&rest, '-');
    long first = UID_POOL_FIRST;
    long last = UID_POOL_LAST;

    if (range != NULL && (span_read_number(left, 1000, 4000000000L, &first) != 0 ||
                          span_read_number(rest, first, first + UID_POOL_MAX - 1, &last) != 0)) {
        first = UID_POOL_FIRST;
        last = UID_POOL_LAST;
    }
    pool->first = (uid_t)first;
    pool->count = (unsigned)(last - first + 1);
}

int uid_pool_open(struct uid_pool *pool)
{
    memset(pool, 0, sizeof *pool);
    pool->fd = -1;
    if (geteuid() != 0) {
        errno = EPERM;
        return -1;
    }
    read_range(pool);
    pool->fd = open(LOCK_FILE, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    return pool->fd >= 0 ? 0 : -1;
}

void uid_pool_close(struct uid_pool *pool)
{
    if (pool->fd >= 0)
        close(pool->fd);
    pool->fd = -1;
}

static int set_lock(const struct uid_pool *pool, unsigned number)
{
    struct flock lock = {.l_type = F_WRLCK,
                         .l_whence = SEEK_SET,
                         .l_start = (off_t)pool->first + (off_t)number,
                         .l_len = 1};

    return fcntl(pool->fd, F_OFD_SETLK, &lock);
}

/* A number that is ours already has no process left. */
static bool take(struct uid_pool *pool, unsigned number)
{
    if (pool->states[number] == UID_POOL_TAKEN)
        return false;
    if (pool->states[number] == UID_POOL_UNKNOWN) {
        if (set_lock(pool, number) != 0)
            return false;
        reaper_kill_user(pool->first + number);
    }
    pool->states[number] = UID_POOL_TAKEN;
    return true;
}

uid_t uid_pool_take(struct uid_pool *pool)
{
    for (unsigned number = 0; number < pool->count; number++) {
        if (take(pool, number))
            return pool->first + number;
    }
    errno = EAGAIN;
    return 0;
}

void uid_pool_give_back(struct uid_pool *pool, uid_t uid)
{
    if (uid != 0)
        pool->states[uid - pool->first] = UID_POOL_IDLE;
}
