/* Tries to create an empty file of 4 TB and one of 300 MB with data. */

#include "attack.h"

#include <limits.h>

int main(void)
{
    char path[PATH_MAX];
    int fd;

    require_limits();
    (void)signal(SIGXFSZ, SIG_IGN);
    start_attack();
    (void)snprintf(path, sizeof path, "%s/hostile-huge", scratch_folder());
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (!note_result("", fd))
        report_and_keep_playing();
    (void)note_result("a file of 4 TB", ftruncate(fd, (off_t)4 << 40));
    (void)note_result("a file of 300 MB", posix_fallocate(fd, 0, (off_t)300 << 20) == 0 ? 0 : -1);
    report_and_keep_playing();
}
