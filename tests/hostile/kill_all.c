/* Kills every process that it can, if it runs as a user who does not exist: then nobody else's. */

#include "attack.h"

#include <pwd.h>

int main(void)
{
    demand_limits();
    await_moment();
    if (getpwuid(getuid()) != NULL)
        (void)refused("everybody", EPERM);
    else
        (void)kill(-1, SIGKILL);
    play_on();
}
