/* Tries to raise its nice, real-time and I/O priorities. */

#include "attack.h"

#include <sched.h>
#include <sys/syscall.h>

#define IOPRIO_WHO_PROCESS 1
#define IOPRIO_REAL_TIME (1 << 13)

static int raise_priority(void)
{
    struct sched_param first = {.sched_priority = 1};

    if (setpriority(PRIO_PROCESS, 0, -20) == 0)
        return 0;
    if (sched_setscheduler(0, SCHED_FIFO, &first) == 0)
        return 0;
    return syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_REAL_TIME) == 0 ? 0 : errno;
}

int main(void)
{
    start_attack();
    try_in_child("a priority", raise_priority);
    report_and_keep_playing();
}
