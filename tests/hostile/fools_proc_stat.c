/* Takes a name that makes a careless reader of /proc see a process that waits to run, and sleeps. */

#include "attack.h"

int main(void)
{
    await_moment();
    (void)prctl(PR_SET_NAME, "x) R 1 1 1 0");
    stay();
}
