#ifndef REFEREE_BOT_FOLDER_HASH_H
#define REFEREE_BOT_FOLDER_HASH_H

/* The identity of a folder: names and contents of everything in it. */

#include <sodium.h>

/* Adds everything below `folder` to the hash, in the order of names. What cannot be read counts as
 * empty. */
void folder_hash(crypto_hash_sha256_state *state, const char *folder);

#endif
