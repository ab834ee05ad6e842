/* Running out of memory is our fault and not a state of the game, so it is decided here once: the
 * process says it and ends, and its parent carries on without it. */

#include "base/memory.h"

#include "base/message.h"

#include <stdlib.h>
#include <string.h>

static void *must_have(void *memory, size_t size)
{
    if (memory == NULL)
        fatal("no memory left for %zu bytes", size);
    return memory;
}

void *xcalloc(size_t count, size_t size)
{
    void *memory;

    /* calloc(0) may give NULL, which would look like the end of the memory. */
    if (count == 0 || size == 0)
        count = size = 1;
    memory = calloc(count, size);
    if (memory == NULL)
        fatal("no memory left for %zu times %zu bytes", count, size);
    return memory;
}

void *xrealloc(void *memory, size_t size)
{
    if (size == 0)
        size = 1;
    return must_have(realloc(memory, size), size);
}

char *xstrdup(const char *string)
{
    return must_have(strdup(string), strlen(string) + 1);
}

char *xstrndup(const char *string, size_t length)
{
    return must_have(strndup(string, length), length + 1);
}
