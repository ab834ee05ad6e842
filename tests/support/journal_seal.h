#ifndef TESTS_SUPPORT_JOURNAL_SEAL_H
#define TESTS_SUPPORT_JOURNAL_SEAL_H

/* Journals with right checksums, whatever is in them. */

#include <stddef.h>
#include <stdint.h>

/* Writes the lines of `data` to a journal at `path`, each with the checksum that it must have. A
 * line is a record without its last bracket. */
void journal_seal_write(const char *path, const uint8_t *data, size_t size);

#endif
