#ifndef REFEREE_TOURNAMENT_STORE_COMMITMENTS_H
#define REFEREE_TOURNAMENT_STORE_COMMITMENTS_H

/* The file `commitments` of a store as anybody can read it: a line per block, with its number and
 * the SHA-256 of the seed of its deal. */

#include "wire/log_record.h"

#include <stdbool.h>

struct commitments;

/* Reads the file. A file that is missing or wrong has no commitments from there on. */
struct commitments *commitments_read(const char *path);
void commitments_free(struct commitments *commitments);

/* The commitment to the deal of a block (from 1), in hexadecimal, or NULL. Lent. */
const char *commitments_find(const struct commitments *commitments, unsigned block);

/* The SHA-256 of the first `blocks` lines. Returns false if there are not so many. */
bool commitments_hash(const struct commitments *commitments, unsigned blocks,
                      char hash[LOG_RECORD_HASH_HEX]);

#endif
