/* Tries to copy a descriptor of the referee with pidfd_getfd. */

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
        (void)note_result("a descriptor of the referee",
                          syscall(SYS_pidfd_getfd, (int)referee, STDERR_FILENO, 0));
    report_and_keep_playing();
}
