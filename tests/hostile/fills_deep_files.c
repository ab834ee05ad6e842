/* Writes 300 MB into its scratch folder, 200 folders deep. */

#include "attack.h"

#include <sys/stat.h>

#define DEPTH 200
#define FILES 15
#define FILE_MEGABYTES 20

static char megabyte[1 << 20];

static bool go_down(void)
{
    bool is_there = chdir(scratch_folder()) == 0;

    for (int i = 0; i < DEPTH && is_there; i++)
        is_there = mkdir("hostile", 0700) == 0 && chdir("hostile") == 0;
    return is_there;
}

static bool fill_file(int number)
{
    char name[20];
    bool is_full = true;
    int fd;

    (void)snprintf(name, sizeof name, "%d", number);
    fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
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
    if (note_result("", go_down() ? 0 : -1)) {
        while (kept < FILES && fill_file(kept))
            kept++;
    }
    if (kept == FILES)
        wait_to_be_killed("300 MB in deep folders");
    report_and_keep_playing();
}
