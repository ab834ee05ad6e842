/* Replaces itself with one of the programs beside it that its arguments name, chosen at random at
 * each start. */

#include "hostile.h"

#include <limits.h>
#include <sys/random.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];
    unsigned number = 0;
    const char *name;
    const char *slash = strrchr(argv[0], '/');

    if (argc < 2 || slash == NULL || getrandom(&number, sizeof number, 0) < 0)
        return 2;
    name = argv[1 + number % (unsigned)(argc - 1)];
    (void)snprintf(path, sizeof path, "%.*s/%s", (int)(slash - argv[0]), argv[0], name);
    (void)execl(path, path, NULL);
    return 2;
}
