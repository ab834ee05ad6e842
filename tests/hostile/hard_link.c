/* Makes a second name of a file that it may not write, in its scratch folder. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];

    await_moment();
    (void)snprintf(path, sizeof path, "%s/hostile-link", scratch_folder());
    if (tried("a second name of its program", link(argc > 0 ? argv[0] : "", path)))
        (void)unlink(path);
    if (tried("a second name of the passwords", link("/etc/passwd", path)))
        (void)unlink(path);
    conclude_and_play_on();
}
