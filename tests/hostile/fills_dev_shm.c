/* Keeps 200 MB in the shared memory of the machine, /dev/shm. */

#include "attack.h"

#define MEGABYTES 200
#define PATH "/dev/shm/hostile-filler"

static char megabyte[1 << 20];

int main(void)
{
    long kept = 0;
    int fd;

    demand_limits();
    (void)signal(SIGXFSZ, SIG_IGN);
    memset(megabyte, 1, sizeof megabyte);
    await_moment();
    fd = open(PATH, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    while (fd >= 0 && kept < MEGABYTES && write(fd, megabyte, sizeof megabyte) > 0)
        kept++;
    if (kept < MEGABYTES)
        (void)tried("", -1);
    else
        await_end("200 MB of /dev/shm");
    if (fd >= 0)
        (void)unlink(PATH);
    conclude_and_play_on();
}
