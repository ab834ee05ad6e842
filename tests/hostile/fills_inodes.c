/* Makes 100,000 empty files, below 100 folders in each other: each takes memory of the kernel. */

#include "attack.h"

#include <sys/stat.h>

#define DEPTH 100
#define FILES 100000

static bool go_down(void)
{
    bool is_there = chdir(scratch_folder()) == 0;

    for (int i = 0; i < DEPTH && is_there; i++)
        is_there = mkdir("hostile", 0700) == 0 && chdir("hostile") == 0;
    return is_there;
}

static bool make_file(int number)
{
    char name[20];
    int fd;

    (void)snprintf(name, sizeof name, "%d", number);
    fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        (void)close(fd);
    else
        (void)note_result("a file", -1);
    return fd >= 0;
}

int main(void)
{
    int made = 0;

    require_limits();
    start_attack();
    if (go_down()) {
        while (made < FILES && make_file(made))
            made++;
    }
    if (made == FILES)
        wait_to_be_killed("100,000 files");
    report_and_keep_playing();
}
