/* Writes into the folder of the results, which its argument names. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];
    const char *folder = folder_argument(argc, argv);

    await_moment();
    (void)snprintf(path, sizeof path, "%s/hostile-note", folder);
    if (tried("a new file among the results", open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)))
        (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/match.ndjson", folder);
    (void)tried("the log of this match", open(path, O_WRONLY | O_APPEND | O_CLOEXEC));
    (void)tried("a name among the results", access(path, F_OK) == 0 ? rename(path, path) : -1);
    conclude_and_play_on();
}
