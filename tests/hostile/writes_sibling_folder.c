/* Writes into the folder of another bot, which its argument names. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];

    await_moment();
    (void)snprintf(path, sizeof path, "%s/hostile-note", folder_argument(argc, argv));
    if (tried("a file beside another bot", open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)))
        (void)unlink(path);
    conclude_and_play_on();
}
