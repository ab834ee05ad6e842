/* Tries to signal the referee through a pidfd. It sends signal 0, which does nothing. */

#include "attack.h"

#include <sys/syscall.h>

int main(void)
{
    long referee;

    start_attack();
    referee = referee_pid() != 0 ? syscall(SYS_pidfd_open, referee_pid(), 0) : -1;
    if (referee < 0)
        (void)note_refusal("a descriptor", referee_pid() != 0 ? errno : ESRCH);
    else
        (void)note_result("a signal to the referee",
                          syscall(SYS_pidfd_send_signal, (int)referee, 0, NULL, 0));
    report_and_keep_playing();
}
