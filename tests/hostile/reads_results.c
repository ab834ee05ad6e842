/* Tries to read the log of its own match, in the folder that its argument names. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    char path[PATH_MAX];

    start_attack();
    (void)snprintf(path, sizeof path, "%s/match.ndjson.partial", folder_argument(argc, argv));
    (void)note_result("the log of this match", open(path, O_RDONLY | O_CLOEXEC));
    report_and_keep_playing();
}
