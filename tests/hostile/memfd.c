/* Keeps 1200 MB in files that exist only in memory and are mapped nowhere. */

#include "attack.h"

#include <sys/mman.h>

#define FILES 12
#define FILE_MEGABYTES 100

static char megabyte[1 << 20];

static bool fill(int fd)
{
    for (int i = 0; i < FILE_MEGABYTES; i++) {
        if (!tried("", write(fd, megabyte, sizeof megabyte)))
            return false;
    }
    return true;
}

int main(void)
{
    demand_limits();
    (void)signal(SIGXFSZ, SIG_IGN);
    memset(megabyte, 1, sizeof megabyte);
    await_moment();
    for (int i = 0; i < FILES; i++) {
        int fd = memfd_create("hostile", 0);

        if (!tried("", fd) || !fill(fd)) {
            conclude_and_play_on();
        }
    }
    await_end("1200 MB in memory files");
    conclude_and_play_on();
}
