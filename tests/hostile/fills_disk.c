/* Writes 400 MB into its scratch folder, in files of 20 MB, and leaves them there. */

#include "attack.h"

#include <limits.h>

#define FILES 20
#define FILE_MEGABYTES 20

static char megabyte[1 << 20];

static bool fill(int number)
{
    char path[PATH_MAX];
    bool is_full = true;
    int fd;

    (void)snprintf(path, sizeof path, "%s/hostile-filler-%d", scratch_folder(), number);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    for (int i = 0; i < FILE_MEGABYTES && is_full; i++)
        is_full = fd >= 0 && write(fd, megabyte, sizeof megabyte) == (ssize_t)sizeof megabyte;
    if (!is_full)
        (void)tried("a file", -1);
    if (fd >= 0)
        (void)close(fd);
    return is_full;
}

int main(void)
{
    int kept = 0;

    demand_limits();
    (void)signal(SIGXFSZ, SIG_IGN);
    await_moment();
    while (kept < FILES && fill(kept))
        kept++;
    if (kept == FILES)
        await_end("400 MB of disk");
    conclude_and_play_on();
}
