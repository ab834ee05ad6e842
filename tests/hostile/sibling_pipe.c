/* Tries to open the pipes of the other bots through /proc. */

#include "attack.h"

#define PID_DISTANCE 20

int main(void)
{
    pid_t self = getpid();

    start_attack();
    for (pid_t pid = self > PID_DISTANCE ? self - PID_DISTANCE : 2; pid < self + PID_DISTANCE;
         pid++) {
        if (pid != self && pid != getppid())
            (void)note_result("the input of another bot", open_proc(pid, "fd/0"));
    }
    report_and_keep_playing();
}
