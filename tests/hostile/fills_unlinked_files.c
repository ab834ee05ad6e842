/* Writes 300 MB into files of its scratch folder that it unlinks at once: some it keeps open, some
 * it only maps. */

#include "attack.h"

#include <limits.h>
#include <sys/mman.h>

#define FILES 15
#define FILE_MEGABYTES 20
#define PAGE 4096

static char megabyte[1 << 20];

static bool keep_file(int number)
{
    char path[PATH_MAX];
    bool is_full = true;
    int fd;

    (void)snprintf(path, sizeof path, "%s/hostile-%d", scratch_folder(), number);
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    (void)unlink(path);
    for (int i = 0; i < FILE_MEGABYTES && is_full; i++)
        is_full = fd >= 0 && write(fd, megabyte, sizeof megabyte) == (ssize_t)sizeof megabyte;
    if (!is_full)
        (void)note_result("a file", -1);
    else if (number % 2 == 0 && mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED)
        (void)close(fd);
    return is_full;
}

int main(void)
{
    int kept = 0;

    require_limits();
    (void)signal(SIGXFSZ, SIG_IGN);
    start_attack();
    while (kept < FILES && keep_file(kept))
        kept++;
    if (kept == FILES)
        wait_to_be_killed("300 MB in files without a name");
    report_and_keep_playing();
}
