/* Reads the log of its own match, which its argument names the folder of. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];

    await_moment();
    (void)snprintf(path, sizeof path, "%s/match.ndjson", folder_argument(argc, argv));
    (void)tried("the log of this match", open(path, O_RDONLY | O_CLOEXEC));
    conclude_and_play_on();
}
