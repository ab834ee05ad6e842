#ifndef REFEREE_SANDBOX_SCRATCH_MOUNT_H
#define REFEREE_SANDBOX_SCRATCH_MOUNT_H

/* Scratch folders of a fixed size: each is a file system of its own in memory, so that nothing in
 * it escapes the count, neither what lies deep, nor what has no name any more, nor what is written
 * beside the contents of files. Only root can have them. */

#include "sandbox/scratch_dir.h"

#include <stdbool.h>
#include <sys/types.h>

struct scratch_batch;

/* All folders of one sandbox. Begins as all zero. */
struct scratch_mounts {
    const char *root;            /* where they are; lent; NULL: there can be none */
    struct scratch_batch *batch; /* the one that gets the next folder; NULL: a new one */
    unsigned batches;            /* so far */
};

/* One folder. */
struct scratch_mount {
    char path[1100]; /* "" before it is made */
    struct scratch_batch *batch;
};

/* From now on what we mount is seen by us and our children alone, and is gone when all of them are,
 * however they end; what others mount is still seen by us. Returns whether folders can have a fixed
 * size, which is tried for real in `root`. */
bool scratch_mounts_open(struct scratch_mounts *mounts, const char *root);

/* No folder may be left. */
void scratch_mounts_close(struct scratch_mounts *mounts);

/* Makes a folder of this size for a user (0: for us). Returns 0, or -1 with errno. */
int scratch_mount_make(struct scratch_mounts *mounts, struct scratch_mount *mount,
                       const struct scratch_dir_size *most, uid_t owner);

/* Removes a folder with all that is in it, if it was made. No process may be at work there. */
void scratch_mount_remove(struct scratch_mounts *mounts, struct scratch_mount *mount);

#endif
