/* Leaves folders in its scratch folder, 1500 deep, which no path is long enough to name. */

#include "attack.h"

#include <sys/stat.h>

#define DEPTH 1500

int main(void)
{
    demand_limits();
    await_moment();
    if (chdir(scratch_folder()) == 0) {
        for (int i = 0; i < DEPTH; i++) {
            if (mkdir("hostile", 0700) != 0 || chdir("hostile") != 0)
                break;
        }
    }
    play_on();
}
