/* Kills its process group, unless the referee is in it. */

#include "attack.h"

int main(void)
{
    start_attack();
    if (getpgid(referee_pid()) == getpgrp())
        exit(77);
    (void)kill(0, SIGKILL);
    keep_playing();
}
