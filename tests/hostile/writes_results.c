/* Tries to write into the results folder, which its argument names. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];
    const char *folder = folder_argument(argc, argv);

    start_attack();
    (void)snprintf(path, sizeof path, "%s/hostile-note", folder);
    if (note_result("a new file in the results folder",
                    open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)))
        (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/match.ndjson.partial", folder);
    (void)note_result("the log of this match", open(path, O_WRONLY | O_APPEND | O_CLOEXEC));
    (void)note_result("renaming a result", access(path, F_OK) == 0 ? rename(path, path) : -1);
    report_and_keep_playing();
}
