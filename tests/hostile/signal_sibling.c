/* Tries to signal the other bots. It sends signal 0, which does nothing. */

#include "attack.h"

#define PID_DISTANCE 100

int main(void)
{
    pid_t self = getpid();

    start_attack();
    for (pid_t pid = self > PID_DISTANCE ? self - PID_DISTANCE : 2; pid < self + PID_DISTANCE;
         pid++) {
        if (pid != self && pid != getppid())
            (void)note_result("a signal to another process", kill(pid, 0));
    }
    report_and_keep_playing();
}
