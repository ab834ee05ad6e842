/* Reads what a link in its own folder points to: something that only the organiser may read. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];

    await_moment();
    (void)snprintf(path, sizeof path, "%s.link", argc > 0 ? argv[0] : "");
    (void)tried("what the link points to", open(path, O_RDONLY | O_CLOEXEC));
    conclude_and_play_on();
}
