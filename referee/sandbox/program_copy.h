#ifndef REFEREE_SANDBOX_PROGRAM_COPY_H
#define REFEREE_SANDBOX_PROGRAM_COPY_H

/* Copies of bots' folders for users that cannot read them where they are. */

#include <stdbool.h>
#include <sys/types.h>

/* How much of a folder is copied at most. */
#define PROGRAM_COPY_BYTES_MAX ((int64_t)512 * 1024 * 1024)
#define PROGRAM_COPY_ENTRIES_MAX 20000

/* Whether all users may read that file or folder where it is, and run it if its owner may; and
 * whether that holds for everything in the folder. */
bool program_copy_is_reachable(const char *path);
bool program_copy_is_open(const char *path);

/* Copies a folder (or one file) to `to`, which does not exist yet, for the members of a group to
 * read and run. Links are copied as links; anything but files, folders and links is left out, and
 * so is a file of another owner that not all users may read, because it may have been linked there.
 * Returns 0, or -1 with errno; EFBIG if it is too much. */
int program_copy_make(const char *from, const char *to, gid_t group);

#endif
