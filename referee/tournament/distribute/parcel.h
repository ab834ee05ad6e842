#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_PARCEL_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_PARCEL_H

/* The files of a bot as one string of bytes. The same files always give the same bytes, whoever
 * owns them and however old they are, so that their hash is the identity of the bot's files. */

#include "base/text.h"
#include "tournament/distribute/seal.h"

#include <stdbool.h>

#define PARCEL_BYTES_MAX ((size_t)64 << 20)
#define PARCEL_ENTRIES_MAX 20000
#define PARCEL_DEPTH_MAX 32

struct parcel {
    char *bytes;
    size_t length;
    size_t capacity;
    unsigned entries;
    char hash[SEAL_HASH_HEX]; /* after parcel_finish() */
};

/* Adds a file, or a folder with all that is in it, under a name ("": its entries directly).
 * Folders that belong to the referee are left out (directory_is_marked()); links are kept as links.
 * Returns 0, or -1 with errno: EFBIG if it is too much. The parcel begins as all zero. */
int parcel_add(struct parcel *parcel, const char *path, const char *name);

/* Adds an empty folder. Returns 0, or -1 with errno. */
int parcel_add_folder(struct parcel *parcel, const char *name);

/* Takes back what was added since it had `length` bytes and `entries`. */
void parcel_cut(struct parcel *parcel, size_t length, unsigned entries);

/* Finds its hash. */
void parcel_finish(struct parcel *parcel);
void parcel_free(struct parcel *parcel);

/* Makes the files in the folder `to`, which must not be there yet. Nothing is written outside of
 * it. Returns 0; or -1 with errno, EINVAL if it is no parcel. */
int parcel_unpack(struct span bytes, const char *to);

#endif
