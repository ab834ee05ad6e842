/* Tries to read how much the referee and its neighbours have computed. */

#include "attack.h"

#include <time.h>

#define NEIGHBOURS 40

/* The number that the kernel gives to the CPU clock of a process. */
static clockid_t clock_of(pid_t pid)
{
    return (clockid_t)((~(unsigned)pid << 3) | 2);
}

int main(void)
{
    pid_t own = getpid();
    struct timespec time;

    start_attack();
    if (referee_pid() != 0)
        (void)note_result("the CPU clock of the referee",
                          clock_gettime(clock_of(referee_pid()), &time));
    for (pid_t pid = own > NEIGHBOURS ? own - NEIGHBOURS : 1; pid < own + NEIGHBOURS; pid++) {
        if (pid != own)
            (void)note_result("the CPU clock of a neighbour", clock_gettime(clock_of(pid), &time));
    }
    report_and_keep_playing();
}
