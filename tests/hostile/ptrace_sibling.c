/* Tries to trace the other bots, in a child that lets go by exiting. */

#include "attack.h"

#include <sys/ptrace.h>

#define PID_DISTANCE 20

static pid_t self;

static int trace(void)
{
    int error = ESRCH;

    for (pid_t pid = self > PID_DISTANCE ? self - PID_DISTANCE : 2; pid < self + PID_DISTANCE;
         pid++) {
        if (pid == self || pid == getpid())
            continue;
        if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0)
            return 0;
        error = errno != ESRCH ? errno : error;
    }
    return error;
}

int main(void)
{
    start_attack();
    self = getpid();
    try_in_child("tracing another bot", trace);
    report_and_keep_playing();
}
