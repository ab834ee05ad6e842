#ifndef REFEREE_SERVE_ARCHIVE_ARCHIVE_PRIVATE_H
#define REFEREE_SERVE_ARCHIVE_ARCHIVE_PRIVATE_H

/* What the readers of archives share: archive.c, archive_tar.c, archive_zip.c. */

#include "serve/archive/archive.h"

struct archive_reading {
    struct span bytes; /* the whole archive */
    const struct archive_taker *taker;
    struct text *problem;
    size_t left;      /* bytes that its files may still have */
    unsigned entries; /* that may still come */
};

/* Returns -1 after it has said why the archive is refused; `path` may be NULL. */
int archive_refuse(struct archive_reading *reading, const char *path, const char *why);

/* An entry: its path as it is in the archive, perhaps with a `/` at its end. Returns 0 or -1. */
int archive_add_folder(struct archive_reading *reading, const char *path);
int archive_add_file(struct archive_reading *reading, const char *path, struct span bytes);

/* Whether so many bytes of files may still come. Returns 0, or -1 after it has refused. */
int archive_check_bytes(struct archive_reading *reading, const char *path, size_t bytes);

int archive_read_tar(struct archive_reading *reading);
int archive_read_zip(struct archive_reading *reading);

#endif
