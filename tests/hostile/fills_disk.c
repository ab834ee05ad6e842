/* Writes 400 MB into its scratch folder, in files of 20 MB, and leaves them there. */

#include "attack.h"

#include <limits.h>

#define FILES 20
#define FILE_MEGABYTES 20

static char megabyte[1 << 20];

static bool fill_file(int number)
{
    char path[PATH_MAX];
    bool is_full = true;
    int fd;

    (void)snprintf(path, sizeof path, "%s/hostile-filler-%d", scratch_folder(), number);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    for (int i = 0; i < FILE_MEGABYTES && is_full; i++)
        is_full = fd >= 0 && write(fd, megabyte, sizeof megabyte) == (ssize_t)sizeof megabyte;
    if (!is_full)
        (void)note_result("a file", -1);
    if (fd >= 0)
        (void)close(fd);
    return is_full;
}

int main(void)
{
    int kept = 0;

    require_limits();
    (void)signal(SIGXFSZ, SIG_IGN);
    start_attack();
    while (kept < FILES && fill_file(kept))
        kept++;
    if (kept == FILES)
        wait_to_be_killed("400 MB of disk");
    report_and_keep_playing();
}
