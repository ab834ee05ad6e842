/* Tries to create a device file in its scratch folder. */

#include "attack.h"

#include <limits.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

int main(void)
{
    char path[PATH_MAX];

    start_attack();
    (void)snprintf(path, sizeof path, "%s/hostile-device", scratch_folder());
    if (note_result("a device", mknod(path, S_IFCHR | 0600, makedev(1, 3))))
        (void)unlink(path);
    report_and_keep_playing();
}
