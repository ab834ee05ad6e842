/* Reads the program of another bot, which its argument names the folder of, and what lies beside it. */

#include "attack.h"

#include <limits.h>

int main(int argc, char **argv)
{
    static const char *const names[] = {"", "/good", "/notes"};
    char path[PATH_MAX];

    await_moment();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)snprintf(path, sizeof path, "%s%s", folder_argument(argc, argv), names[i]);
        (void)tried("the folder of another bot", open(path, O_RDONLY | O_CLOEXEC));
    }
    conclude_and_play_on();
}
