/* Leaves folders without permissions and with odd names in its scratch folder. */

#include "attack.h"

#include <limits.h>
#include <sys/stat.h>

int main(void)
{
    static const char *const names[] = {"hostile-locked", "-rf", "a\nb", "\033[2J", "*", "$(id)"};

    require_limits();
    start_attack();
    for (size_t i = 0; chdir(scratch_folder()) == 0 && i < sizeof names / sizeof names[0]; i++) {
        char path[PATH_MAX];

        (void)mkdir(names[i], 0700);
        (void)snprintf(path, sizeof path, "%s/inner", names[i]);
        (void)mkdir(path, 0700);
        (void)chmod(path, 0);
        (void)chmod(names[i], 0);
    }
    keep_playing();
}
