/* Kills its whole process group, as long as nobody's process but its own can be in it. */

#include "attack.h"

int main(void)
{
    await_moment();
    if (getpgid(referee_pid()) == getpgrp())
        exit(77);
    (void)kill(0, SIGKILL);
    play_on();
}
