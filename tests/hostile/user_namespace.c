/* Tries to become root in a user namespace of its own. */

#include "attack.h"

#include <sched.h>

static int enter(void)
{
    return unshare(CLONE_NEWUSER) == 0 ? 0 : errno;
}

int main(void)
{
    start_attack();
    try_in_child("a user namespace", enter);
    report_and_keep_playing();
}
