/* Tries to read a file that only the organiser may read, through a symlink in its own folder. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];

    start_attack();
    (void)snprintf(path, sizeof path, "%s.link", argc > 0 ? argv[0] : "");
    (void)note_result("the target of the symlink", open(path, O_RDONLY | O_CLOEXEC));
    report_and_keep_playing();
}
