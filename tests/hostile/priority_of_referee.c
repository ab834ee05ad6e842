/* Wants the referee to run after everybody else. */

#include "attack.h"

int main(void)
{
    pid_t referee;

    await_moment();
    referee = referee_pid();
    errno = 0;
    if (referee == 0)
        (void)refused("the referee", ESRCH);
    else
        /* The value that it has already: what counts is whether it may. */
        (void)tried(
            "the priority of the referee",
            setpriority(PRIO_PROCESS, (id_t)referee, getpriority(PRIO_PROCESS, (id_t)referee)));
    conclude_and_play_on();
}
