/* Tries to trace the referee, in a child that lets go by exiting. */

#include "attack.h"

#include <sys/ptrace.h>

static pid_t referee;

static int trace(void)
{
    return ptrace(PTRACE_SEIZE, referee, NULL, NULL) == 0 ? 0 : errno;
}

int main(void)
{
    start_attack();
    referee = referee_pid();
    if (referee == 0)
        (void)note_refusal("the referee", ESRCH);
    else
        try_in_child("tracing the referee", trace);
    report_and_keep_playing();
}
