/* Writes into the folder where its program lies. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];

    await_moment();
    (void)snprintf(path, sizeof path, "%s.note", argc > 0 ? argv[0] : "");
    if (tried("a file beside its program", open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)))
        (void)unlink(path);
    conclude_and_play_on();
}
