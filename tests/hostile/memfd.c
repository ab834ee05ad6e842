/* Tries to keep 1200 MB in memory files that are mapped nowhere. */

#include "attack.h"

#include <sys/mman.h>

#define FILES 12
#define FILE_MEGABYTES 100

static char megabyte[1 << 20];

static bool fill(int fd)
{
    for (int i = 0; i < FILE_MEGABYTES; i++) {
        if (!note_result("", write(fd, megabyte, sizeof megabyte)))
            return false;
    }
    return true;
}

int main(void)
{
    require_limits();
    (void)signal(SIGXFSZ, SIG_IGN);
    memset(megabyte, 1, sizeof megabyte);
    start_attack();
    for (int i = 0; i < FILES; i++) {
        int fd = memfd_create("hostile", 0);

        if (!note_result("", fd) || !fill(fd)) {
            report_and_keep_playing();
        }
    }
    wait_to_be_killed("1200 MB in memory files");
    report_and_keep_playing();
}
