/* Mounts something, in a view of the file system that is its own and ends with a child. */

#include "attack.h"

#include <sched.h>
#include <sys/mount.h>

static int mount_there(void)
{
    if (unshare(CLONE_NEWNS) != 0)
        return errno;
    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 ? 0 : errno;
}

int main(void)
{
    await_moment();
    try_in_child("a mount", mount_there);
    conclude_and_play_on();
}
