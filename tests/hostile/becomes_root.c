/* Tries to change its user, and checks whether it could start setuid programs. */

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
    start_attack();
    try_in_child("another user", change_user);
    if (attack_gain[0] == '\0' && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0)
        (void)note_result("setuid programs", 0);
    report_and_keep_playing();
}
