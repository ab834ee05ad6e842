/* Leaves links, pipes and a loop in its scratch folder, for whoever removes it. */

#include "attack.h"

#include <sys/stat.h>

int main(int argc, char **argv)
{
    demand_limits();
    await_moment();
    if (chdir(scratch_folder()) == 0) {
        (void)!symlink(folder_argument(argc, argv), "hostile-out");
        (void)!symlink("..", "hostile-up");
        (void)!symlink("hostile-loop", "hostile-loop");
        (void)mkfifo("hostile-pipe", 0600);
    }
    play_on();
}
