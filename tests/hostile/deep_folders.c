/* Leaves folders nested 1500 deep in its scratch folder, more than any path can name. */

#include "attack.h"

#include <sys/stat.h>

#define DEPTH 1500

int main(void)
{
    require_limits();
    start_attack();
    if (chdir(scratch_folder()) == 0) {
        for (int i = 0; i < DEPTH; i++) {
            if (mkdir("hostile", 0700) != 0 || chdir("hostile") != 0)
                break;
        }
    }
    keep_playing();
}
