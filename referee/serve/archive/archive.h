#ifndef REFEREE_SERVE_ARCHIVE_ARCHIVE_H
#define REFEREE_SERVE_ARCHIVE_ARCHIVE_H

/* Archives that users send: zip (stored or deflated), tar (ustar, pax, GNU), and tar with gzip.
 * They are as hostile as their senders: all of one is in memory, and every number in it is checked.
 * Only regular files and folders are taken; anything else, and every path that leads elsewhere, is
 * a reason to refuse the archive as a whole. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define ARCHIVE_BYTES_MAX ((size_t)64 << 20) /* of all files together */
#define ARCHIVE_ENTRIES_MAX 5000             /* files and folders */
#define ARCHIVE_DEPTH_MAX 32                 /* parts of a path */
#define ARCHIVE_PATH_MAX 1000                /* bytes of it */

/* Gets the entries in their order. A path has no part that is empty, `.` or `..`, and no control
 * characters. A folder need not come before its files. Each function returns 0, or -1 with errno:
 * E2BIG if there are too many files and folders, with those that no entry names. */
struct archive_taker {
    int (*take_folder)(void *context, const char *path);
    int (*take_file)(void *context, const char *path, struct span bytes);
    void *context;
};

/* Whether a file of that name is taken for an archive: .zip, .tar, .tar.gz, .tgz. */
bool archive_is_name(const char *name);

/* Reads an archive, whatever its name. Returns 0, or -1 with a sentence in `problem`. */
int archive_read(struct span archive, const struct archive_taker *taker, struct text *problem);

#endif
