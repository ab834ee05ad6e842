/* A tmpfs has a limit on its pages and one on its files; extended attributes count among the
 * latter. Mounting one takes ten microseconds and removing it takes five, however much is in it, so
 * none is kept for the next bot. */

#include "sandbox/scratch_mount.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

#define OPTION_BYTES 160

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

/* In a folder without room for a file none can be made. */
static bool is_bounded(const char *folder)
{
    static const struct scratch_dir_size none = {0};
    char path[PATH_MAX];
    int fd;

    if (scratch_mount_make(folder, &none, 0) != 0)
        return false;
    (void)snprintf(path, sizeof path, "%s/file", folder);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    scratch_mount_remove(folder);
    return fd < 0;
}

bool scratch_mount_begin(const char *root)
{
    bool works = false;
    char *folder;

    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0)
        return false;
    folder = scratch_dir_make(root, "trial", 0);
    if (folder != NULL) {
        works = is_bounded(folder);
        (void)scratch_dir_remove(folder);
    }
    free(folder);
    return works;
}
