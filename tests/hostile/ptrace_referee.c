/* Traces the referee. A child does it, and lets go by ending. */

#include "attack.h"

#include <sys/ptrace.h>

static pid_t referee;

static int trace(void)
{
    return ptrace(PTRACE_SEIZE, referee, NULL, NULL) == 0 ? 0 : errno;
}

int main(void)
{
    await_moment();
    referee = referee_pid();
    if (referee == 0)
        (void)refused("the referee", ESRCH);
    else
        try_in_child("the referee is traced", trace);
    conclude_and_play_on();
}
