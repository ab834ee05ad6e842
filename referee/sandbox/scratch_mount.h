#ifndef REFEREE_SANDBOX_SCRATCH_MOUNT_H
#define REFEREE_SANDBOX_SCRATCH_MOUNT_H

/* Scratch folders of a fixed size: each is a file system of its own in memory, so that nothing in
 * it escapes the count, neither what lies deep, nor what has no name any more, nor what is written
 * beside the contents of files. Only root can have them. */

#include "sandbox/scratch_dir.h"

#include <stdbool.h>
#include <sys/types.h>

/* From now on what we mount is seen by us and our children alone, and is gone when all of them are,
 * however they end; what others mount is still seen by us. Returns whether folders can have a fixed
 * size, which is tried for real in `root`. */
bool scratch_mount_begin(const char *root);

/* Gives a folder that exists, and is empty, this size, for a user (0: for us). Returns 0, or -1
 * with errno. */
int scratch_mount_make(const char *path, const struct scratch_dir_size *most, uid_t owner);

/* Takes the file system away from a folder with all that is in it. Nothing may be at work there. */
void scratch_mount_remove(const char *path);

#endif
