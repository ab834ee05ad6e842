/* Tries to read the folder of another bot, which its argument names. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    static const char *const names[] = {"", "/good", "/notes"};
    char path[PATH_MAX];

    start_attack();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)snprintf(path, sizeof path, "%s%s", folder_argument(argc, argv), names[i]);
        (void)note_result("the folder of another bot", open(path, O_RDONLY | O_CLOEXEC));
    }
    report_and_keep_playing();
}
