/* Makes a device, the memory of the machine, in its scratch folder. */

#include "attack.h"

#include <limits.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

int main(void)
{
    char path[PATH_MAX];

    await_moment();
    (void)snprintf(path, sizeof path, "%s/hostile-device", scratch_folder());
    if (tried("a device", mknod(path, S_IFCHR | 0600, makedev(1, 3))))
        (void)unlink(path);
    conclude_and_play_on();
}
