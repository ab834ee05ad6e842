#ifndef REFEREE_BOT_SCRATCH_H
#define REFEREE_BOT_SCRATCH_H

/* Folders that bots may write to. */

#include <stdint.h>
#include <sys/types.h>

/* Makes a folder of our own below $TMPDIR or /tmp that others can only pass through. Its path is the
 * caller's to free; NULL with errno if it cannot be made. */
char *scratch_make_root(void);

/* Removes the roots of processes that were killed before they could. */
void scratch_remove_stale(void);

/* Makes the folder `root`/`name` for a user (0: for us). Its path is the caller's; NULL with errno. */
char *scratch_make(const char *root, const char *name, uid_t owner);

/* Removes a folder with all that is in it: deep, forbidden, or full of odd things. No process may still
 * be at work in it. Returns 0, or -1 with errno. */
int scratch_remove(const char *path);

/* What a folder holds. Counting stops when either is above its limit. */
struct scratch_size {
    int64_t bytes;
    unsigned entries;
};
struct scratch_size scratch_measure(const char *path, const struct scratch_size *most);

#endif
