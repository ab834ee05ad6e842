#ifndef REFEREE_BASE_MEMORY_H
#define REFEREE_BASE_MEMORY_H

/* Memory that is always there: each of these ends the program by fatal() when none is left, so no
 * caller looks for NULL. What they give is returned with free(). */

#include <stddef.h>

/* `count` things of `size` bytes, all zero. */
void *xcalloc(size_t count, size_t size);

/* Makes `memory` (or NULL) `size` bytes long, at least 1; the new bytes are undefined. */
void *xrealloc(void *memory, size_t size);

char *xstrdup(const char *string);

/* The first `length` bytes of `string`, fewer if it ends before, and a NUL. */
char *xstrndup(const char *string, size_t length);

#endif
