/* Becomes root in a user namespace of its own. */

#include "attack.h"

#include <sched.h>

static int enter(void)
{
    return unshare(CLONE_NEWUSER) == 0 ? 0 : errno;
}

int main(void)
{
    await_moment();
    try_in_child("a user namespace", enter);
    conclude_and_play_on();
}
