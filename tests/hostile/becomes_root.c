/* Asks for another user, and for programs that would make it one. */

#include "attack.h"

#include <grp.h>

static int change_user(void)
{
    gid_t group = 0;

    if (setgroups(1, &group) == 0 || setresuid(0, 0, 0) == 0)
        return 0;
    return errno;
}

int main(void)
{
    await_moment();
    try_in_child("another user", change_user);
    if (attack_gain[0] == '\0' && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0)
        (void)tried("programs that change the user", 0);
    conclude_and_play_on();
}
