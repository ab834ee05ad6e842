/* Takes a copy of a descriptor of the referee by pidfd_getfd. */

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
        (void)tried("a descriptor of the referee",
                    syscall(SYS_pidfd_getfd, (int)referee, STDERR_FILENO, 0));
    conclude_and_play_on();
}
