/* A tmpfs has a limit on its pages and one on its files; extended attributes count among the
 * latter. Mounting one takes ten microseconds and removing it takes five, however much is in it, so
 * none is kept for the next bot. */

#include "sandbox/scratch_mount.h"

#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>

#define OPTION_BYTES 160

int scratch_mount_begin(void)
{
    if (unshare(CLONE_NEWNS) != 0)
        return -1;
    return mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL);
}

/* The folder itself is one of the files. */
int scratch_mount_make(const char *path, const struct scratch_dir_size *most, uid_t owner)
{
    char options[OPTION_BYTES];

    (void)snprintf(options, sizeof options, "size=%lld,nr_inodes=%u,mode=0700,uid=%u,gid=%u",
                   (long long)most->bytes, most->entries + 1, (unsigned)owner, (unsigned)owner);
    return mount("referee", path, "tmpfs", MS_NOSUID | MS_NODEV, options);
}

void scratch_mount_remove(const char *path)
{
    (void)umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW);
}
