/* Asks whether it may signal the referee through a descriptor for it. */

#include "attack.h"

#include <sys/syscall.h>

int main(void)
{
    long referee;

    await_moment();
    referee = referee_pid() != 0 ? syscall(SYS_pidfd_open, referee_pid(), 0) : -1;
    if (referee < 0)
        (void)refused("a descriptor", referee_pid() != 0 ? errno : ESRCH);
    else
        (void)tried("a signal to the referee",
                    syscall(SYS_pidfd_send_signal, (int)referee, 0, NULL, 0));
    conclude_and_play_on();
}
