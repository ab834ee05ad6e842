/* Tries to mount a file system, in a child with a mount namespace of its own. */

#include "attack.h"

#include <sched.h>
#include <sys/mount.h>

static int mount_privately(void)
{
    if (unshare(CLONE_NEWNS) != 0)
        return errno;
    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 ? 0 : errno;
}

int main(void)
{
    start_attack();
    try_in_child("a mount", mount_privately);
    report_and_keep_playing();
}
