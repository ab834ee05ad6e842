/* A tmpfs has a limit on its pages and one on its files; extended attributes count among the
 * latter. Each bot has a new one: in one that was used before, the numbers of new files would tell
 * how many there had been.
 *
 * Mounting takes ten microseconds, but after removing a mount the kernel waits for all cores. So
 * the folders of many bots lie in a common mount, a batch, with which all of them are removed at
 * once. Until then those that are empty stay, closed to everybody; one that is not is removed at
 * once, however much is in it. */

#include "sandbox/scratch_mount.h"

#include "base/memory.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#define BATCH_MAX 64
#define PATH_BYTES 1000
#define OPTION_BYTES 160

struct scratch_batch {
    char path[PATH_BYTES];
    unsigned made;   /* folders so far */
    unsigned in_use; /* folders that were not removed yet */
};

static int mount_memory(const char *path, const char *options)
{
    return mount("referee", path, "tmpfs", MS_NOSUID | MS_NODEV, options);
}

static void remove_mount(const char *path)
{
    (void)umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW);
    (void)rmdir(path);
}

static void remove_batch(struct scratch_batch *batch)
{
    remove_mount(batch->path);
    free(batch);
}

/* Bots have to pass through, but cannot list what is there. */
static struct scratch_batch *make_batch(struct scratch_mounts *mounts)
{
    struct scratch_batch *batch = xcalloc(1, sizeof *batch);

    if (snprintf(batch->path, sizeof batch->path, "%s/bots-%u", mounts->root, ++mounts->batches) <
            (int)sizeof batch->path &&
        mkdir(batch->path, 0711) == 0 && mount_memory(batch->path, "mode=0711") == 0)
        return batch;
    remove_batch(batch);
    return NULL;
}

/* The batch for the next folder, or NULL. */
static struct scratch_batch *find_batch(struct scratch_mounts *mounts)
{
    if (mounts->batch != NULL && mounts->batch->made == BATCH_MAX) {
        if (mounts->batch->in_use == 0)
            remove_batch(mounts->batch);
        mounts->batch = NULL;
    }
    if (mounts->batch == NULL)
        mounts->batch = make_batch(mounts);
    return mounts->batch;
}

/* The folder itself is one of the files. */
int scratch_mount_make(struct scratch_mounts *mounts, struct scratch_mount *mount,
                       const struct scratch_dir_size *most, uid_t owner)
{
    struct scratch_batch *batch = find_batch(mounts);
    char options[OPTION_BYTES];
    char name[SCRATCH_DIR_NAME_BYTES];

    if (batch == NULL)
        return -1;
    scratch_dir_name(name, "bot");
    (void)snprintf(mount->path, sizeof mount->path, "%s/%s", batch->path, name);
    batch->made++;
    (void)snprintf(options, sizeof options, "size=%lld,nr_inodes=%u,mode=0700,uid=%u,gid=%u",
                   (long long)most->bytes, most->entries + 1, (unsigned)owner, (unsigned)owner);
    if (mkdir(mount->path, 0700) != 0 || mount_memory(mount->path, options) != 0) {
        mount->path[0] = '\0';
        return -1;
    }
    mount->batch = batch;
    batch->in_use++;
    return 0;
}

/* Whether nothing was ever written, or all of it has gone. */
static bool is_empty(const char *path)
{
    struct statfs system;

    return statfs(path, &system) == 0 && system.f_bfree == system.f_blocks &&
           system.f_files - system.f_ffree == 1;
}

void scratch_mount_remove(struct scratch_mounts *mounts, struct scratch_mount *mount)
{
    struct scratch_batch *batch = mount->batch;

    if (mount->path[0] == '\0')
        return;
    if (!is_empty(mount->path) || chown(mount->path, 0, 0) != 0 || chmod(mount->path, 0) != 0)
        remove_mount(mount->path);
    mount->path[0] = '\0';
    batch->in_use--;
    if (batch->in_use == 0 && batch != mounts->batch)
        remove_batch(batch);
}

/* In a folder without room for a file none can be made. */
static bool is_bounded(struct scratch_mounts *mounts)
{
    static const struct scratch_dir_size none = {0};
    struct scratch_mount mount = {0};
    char path[PATH_BYTES * 2];
    int fd;

    if (scratch_mount_make(mounts, &mount, &none, 0) != 0)
        return false;
    (void)snprintf(path, sizeof path, "%s/file", mount.path);
    fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    scratch_mount_remove(mounts, &mount);
    return fd < 0;
}

bool scratch_mounts_open(struct scratch_mounts *mounts, const char *root)
{
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0)
        return false;
    mounts->root = root;
    if (!is_bounded(mounts))
        scratch_mounts_close(mounts);
    return mounts->root != NULL;
}

void scratch_mounts_close(struct scratch_mounts *mounts)
{
    if (mounts->batch != NULL)
        remove_batch(mounts->batch);
    mounts->batch = NULL;
    mounts->root = NULL;
}
