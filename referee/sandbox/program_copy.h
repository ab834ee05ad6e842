#ifndef REFEREE_SANDBOX_PROGRAM_COPY_H
#define REFEREE_SANDBOX_PROGRAM_COPY_H

/* Copies of bots' folders: what a contained bot reads of its own files. */

#include "sandbox/uid_pool.h"

#include <stdbool.h>

/* Whether all users may read that file or folder where it is, and run it if its owner may. */
bool program_copy_is_reachable(const char *path);

struct program_copy {
    char *from;   /* a folder or a file, without links */
    char *to;     /* its copy */
    char *folder; /* what may be read: `to`, or the folder that the copy of a file is alone in */
    gid_t group;  /* that may read it; 0: our own user */
    struct program_copy *next;
};

/* All copies that were made. Begins as all zero, except `uids`. */
struct program_copies {
    struct uid_pool *uids; /* NULL: programs run as our own user; lent */
    struct program_copy *first;
    char *root; /* where they are; NULL before the first */
    int root_fd;
};

/* The copy of a folder or a file as it was at the first call for it. Returns NULL with errno; EFBIG
 * if it is too much (directory_tree.h). Lent. */
const struct program_copy *program_copy_find(struct program_copies *copies, const char *from);

/* Whether there is a copy of a folder, or it is small enough for one (directory_tree.h). */
bool program_copy_fits(const struct program_copies *copies, const char *from);

/* Removes and frees all of them. */
void program_copy_close(struct program_copies *copies);

#endif
