/* Leaves symlinks, a loop and a FIFO in its scratch folder: removing it must not follow them. */

#include "attack.h"

#include <sys/stat.h>

int main(int argc, char **argv)
{
    require_limits();
    start_attack();
    if (chdir(scratch_folder()) == 0) {
        (void)!symlink(folder_argument(argc, argv), "hostile-out");
        (void)!symlink("..", "hostile-up");
        (void)!symlink("hostile-loop", "hostile-loop");
        (void)mkfifo("hostile-pipe", 0600);
    }
    keep_playing();
}
