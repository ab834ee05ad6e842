/* Tries to keep 200 MB in /dev/shm. */

#include "attack.h"

#define MEGABYTES 200
#define PATH "/dev/shm/hostile-filler"

static char megabyte[1 << 20];

int main(void)
{
    long kept = 0;
    int fd;

    require_limits();
    (void)signal(SIGXFSZ, SIG_IGN);
    memset(megabyte, 1, sizeof megabyte);
    start_attack();
    fd = open(PATH, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    while (fd >= 0 && kept < MEGABYTES && write(fd, megabyte, sizeof megabyte) > 0)
        kept++;
    if (kept < MEGABYTES)
        (void)note_result("", -1);
    else
        wait_to_be_killed("200 MB of /dev/shm");
    if (fd >= 0)
        (void)unlink(PATH);
    report_and_keep_playing();
}
