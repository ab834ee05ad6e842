#ifndef REFEREE_BASE_DIRECTORY_HASH_H
#define REFEREE_BASE_DIRECTORY_HASH_H

/* The identity of a folder: names and contents of everything in it. */

#include <sodium.h>

/* Adds everything below `folder` to the hash, in the order of names, except folders of our own
 * (directory_is_marked()). What we may not read counts as empty. Returns 0, or -1 with errno if
 * something could not be read this time; EFBIG if it is too much (directory_tree.h). */
int directory_hash(crypto_hash_sha256_state *state, const char *folder);

/* The same with the bytes of one regular file. */
int directory_hash_file(crypto_hash_sha256_state *state, const char *path);

#endif
