#ifndef REFEREE_SANDBOX_PROCFS_H
#define REFEREE_SANDBOX_PROCFS_H

/* Small files of /proc. */

#include <stdbool.h>
#include <stddef.h>

/* Reads the beginning of a file, as much as fits with a NUL after it. Returns whether there is
 * anything. */
bool procfs_read(const char *path, char *buffer, size_t capacity);

#endif
