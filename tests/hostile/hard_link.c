/* Tries to hard-link files that it may not write into its scratch folder. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];

    start_attack();
    (void)snprintf(path, sizeof path, "%s/hostile-link", scratch_folder());
    if (note_result("a link to its program", link(argc > 0 ? argv[0] : "", path)))
        (void)unlink(path);
    if (note_result("a link to /etc/passwd", link("/etc/passwd", path)))
        (void)unlink(path);
    report_and_keep_playing();
}
