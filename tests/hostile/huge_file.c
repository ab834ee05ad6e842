/* Makes one file of 4 TB, with nothing in it, and one of 300 MB with something in it. */

#include "attack.h"

#include <limits.h>

int main(void)
{
    char path[PATH_MAX];
    int fd;

    demand_limits();
    (void)signal(SIGXFSZ, SIG_IGN);
    await_moment();
    (void)snprintf(path, sizeof path, "%s/hostile-huge", scratch_folder());
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (!tried("", fd))
        conclude_and_play_on();
    (void)tried("a file of 4 TB", ftruncate(fd, (off_t)4 << 40));
    (void)tried("a file of 300 MB", posix_fallocate(fd, 0, (off_t)300 << 20) == 0 ? 0 : -1);
    conclude_and_play_on();
}
