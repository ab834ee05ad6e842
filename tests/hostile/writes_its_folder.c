/* Tries to write into the folder of its program. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];

    start_attack();
    (void)snprintf(path, sizeof path, "%s.note", argc > 0 ? argv[0] : "");
    if (note_result("a file next to its program", open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)))
        (void)unlink(path);
    report_and_keep_playing();
}
