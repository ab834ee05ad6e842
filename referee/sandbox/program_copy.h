#ifndef REFEREE_SANDBOX_PROGRAM_COPY_H
#define REFEREE_SANDBOX_PROGRAM_COPY_H

/* Copies of bots' folders for users who cannot read them where they are. */

#include <stdbool.h>
#include <sys/types.h>

/* How much of a folder is copied at most. */
#define PROGRAM_COPY_BYTES_MAX ((int64_t)512 * 1024 * 1024)
#define PROGRAM_COPY_ENTRIES_MAX 20000

/* Whether everybody may read that file or folder where it is, and run it if its owner may; and the same
 * of all that is in the folder. */
bool program_copy_is_reachable(const char *path);
bool program_copy_is_open(const char *path);

/* Copies a folder (or one file) to `to`, which is not there yet, for the members of a group to read and
 * run. Links are copied as links; what is neither file, folder nor link is left out, and so is a file
 * of another owner that not everybody may read: somebody may have linked it there. Returns 0, or -1
 * with errno; EFBIG if it is too much. */
int program_copy_make(const char *from, const char *to, gid_t group);

#endif
