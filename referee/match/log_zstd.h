#ifndef REFEREE_MATCH_LOG_ZSTD_H
#define REFEREE_MATCH_LOG_ZSTD_H

/* Logs compressed with zstd, as `zstd` and `zstdcat` know them. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* How the name of a compressed log ends. */
#define LOG_ZSTD_SUFFIX ".zst"

/* The length of a path without that ending; all of it if it has none. */
size_t log_zstd_plain_length(const char *path);

/* Compresses into one frame, which has a checksum. Free it. */
char *log_zstd_pack(const char *bytes, size_t length, size_t *packed_length);

/* Whether bytes begin like something that zstd has compressed. */
bool log_zstd_is_packed(const char *bytes, size_t length);

/* Decompresses all frames, up to `most` bytes in all, with a '\0' after them; free it. Of a file
 * that is cut off, everything that can be decompressed. Returns NULL with a part of a sentence
 * about why not; it uses little more memory than it returns, whatever the file claims. */
char *log_zstd_unpack(struct span packed, size_t most, size_t *length, struct text *problem);

#endif
