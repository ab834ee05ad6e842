/* Tries to write into the folder of another bot, which its argument names. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];

    start_attack();
    (void)snprintf(path, sizeof path, "%s/hostile-note", folder_argument(argc, argv));
    if (note_result("a file next to another bot", open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)))
        (void)unlink(path);
    report_and_keep_playing();
}
