/* Puts 100 MB into attributes of files, which no size of a file counts. */

#include "attack.h"

#include <limits.h>
#include <sys/xattr.h>

#define FILES 1000
#define VALUES 32
#define VALUE_BYTES 3200

static char value[VALUE_BYTES];

static bool fill_file(int number)
{
    char path[PATH_MAX];
    bool is_full;
    int fd;

    (void)snprintf(path, sizeof path, "%s/hostile-%d", scratch_folder(), number);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    is_full = fd >= 0;
    for (int i = 0; i < VALUES && is_full; i++) {
        char name[40];

        (void)snprintf(name, sizeof name, "user.hostile-%d", i);
        is_full = fsetxattr(fd, name, value, sizeof value, 0) == 0;
    }
    if (!is_full)
        (void)note_result("an attribute", -1);
    if (fd >= 0)
        (void)close(fd);
    return is_full;
}

int main(void)
{
    int kept = 0;

    require_limits();
    start_attack();
    while (kept < FILES && fill_file(kept))
        kept++;
    if (kept == FILES)
        (void)note_result("100 MB of attributes", 0);
    report_and_keep_playing();
}
