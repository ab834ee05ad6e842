/* Kills every process that it can, but only under a user without an account: such a user owns
 * nothing but the bot. */

#include "attack.h"

#include <pwd.h>

int main(void)
{
    require_limits();
    start_attack();
    if (getpwuid(getuid()) != NULL)
        (void)note_refusal("all processes", EPERM);
    else
        (void)kill(-1, SIGKILL);
    keep_playing();
}
