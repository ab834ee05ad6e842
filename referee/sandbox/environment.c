/* Environments. They are short, so a key is looked for from the front each time. */

#include "sandbox/environment.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

static bool has_same_key(const char *one, const char *other)
{
    size_t length = strcspn(one, "=");

    return strcspn(other, "=") == length && strncmp(one, other, length) == 0;
}

/* Replaces the entry with the key of `entry`, or appends it. */
static void put(char **list, size_t *count, const char *entry)
{
    size_t i = 0;

    while (i < *count && !has_same_key(list[i], entry))
        i++;
    list[i] = (char *)entry;
    if (i == *count)
        (*count)++;
}

static size_t length_of(const char *const *list)
{
    size_t length = 0;

    while (list != NULL && list[length] != NULL)
        length++;
    return length;
}

char **environment_merge(char *const *base, const char *const *added)
{
    size_t base_length = length_of((const char *const *)base);
    size_t added_length = length_of(added);
    char **list = xcalloc(base_length + added_length + 1, sizeof *list);
    size_t count = base_length;

    if (base_length > 0)
        memcpy(list, base, base_length * sizeof *list);
    for (size_t i = 0; i < added_length; i++)
        put(list, &count, added[i]);
    return list;
}
