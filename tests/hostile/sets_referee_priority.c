/* Tries to change the referee's priority, to the value that it already has. */

#include "attack.h"

int main(void)
{
    pid_t referee;

    start_attack();
    referee = referee_pid();
    errno = 0;
    if (referee == 0)
        (void)note_refusal("the referee", ESRCH);
    else
        /* The old value again: only the permission matters. */
        (void)note_result(
            "the priority of the referee",
            setpriority(PRIO_PROCESS, (id_t)referee, getpriority(PRIO_PROCESS, (id_t)referee)));
    report_and_keep_playing();
}
