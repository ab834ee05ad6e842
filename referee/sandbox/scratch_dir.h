#ifndef REFEREE_SANDBOX_SCRATCH_DIR_H
#define REFEREE_SANDBOX_SCRATCH_DIR_H

/* Folders that contained programs may write to. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Whether all users may pass the folders above a path. */
bool scratch_dir_is_way_open(const char *path);

/* Where to put folders: $TMPDIR if it is set and bots can get there; else /dev/shm, where making a
 * folder takes a tenth of the time, if there is room and the contents are not large; else /tmp. */
const char *scratch_dir_place(bool is_large);

/* Makes a folder of our own in that place that others can only pass through, and removes those of
 * referees that were killed. It is ours while `*lock_fd` is open. The caller frees its path.
 * Returns NULL with errno if it cannot be made. */
char *scratch_dir_make_root(const char *place, int *lock_fd);

/* Removes the folders of referees of our user that were killed, wherever they may be. */
void scratch_dir_sweep(void);

/* Takes the lock of a folder that was just made. Returns a descriptor that holds it; or -1 if a
 * sweep was faster, which has removed the folder or is about to. */
int scratch_dir_lock(const char *path);

/* A name that nobody can guess: whoever knows the path of a folder can see how many folders are in
 * it, even if he may not enter it. */
#define SCRATCH_DIR_NAME_BYTES 48
void scratch_dir_name(char name[SCRATCH_DIR_NAME_BYTES], const char *kind);

/* Makes the folder `root`/`name` for a user (0: for us). The caller frees its path. NULL with
 * errno. */
char *scratch_dir_make(const char *root, const char *name, uid_t owner);

/* Removes a folder with everything in it, however deep, forbidden or odd. No process may still be
 * at work in it. Returns 0, or -1 with errno. */
int scratch_dir_remove(const char *path);

/* What a folder holds. Counting stops when one of them is above its limit. */
struct scratch_dir_size {
    int64_t bytes;
    unsigned entries;
    unsigned depth; /* of folders in folders; the limit is at most SCRATCH_DIR_DEPTH_MAX */
};
#define SCRATCH_DIR_DEPTH_MAX 64
bool scratch_dir_is_over(const struct scratch_dir_size *size, const struct scratch_dir_size *most);
struct scratch_dir_size scratch_dir_measure(const char *path, const struct scratch_dir_size *most);

#endif
