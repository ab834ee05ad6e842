#ifndef REFEREE_BASE_MEMORY_H
#define REFEREE_BASE_MEMORY_H

/* Allocation that cannot fail: each function calls fatal() when no memory is left, so no caller
 * checks for NULL. The memory is released with free(). */

#include <stddef.h>

/* `count` things of `size` bytes, all zero. */
void *xcalloc(size_t count, size_t size);

/* Makes `memory` (or NULL) `size` bytes long, at least 1; the new bytes are undefined. */
void *xrealloc(void *memory, size_t size);

char *xstrdup(const char *string);

/* The first `length` bytes of `string`, fewer if it ends before, and a NUL. */
char *xstrndup(const char *string, size_t length);

#endif
