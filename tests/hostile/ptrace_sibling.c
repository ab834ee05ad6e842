/* Traces its neighbours. A child does it, and lets go by ending. */

#include "attack.h"

#include <sys/ptrace.h>

#define NEAR 20

static pid_t self;

static int trace(void)
{
    int error = ESRCH;

    for (pid_t pid = self > NEAR ? self - NEAR : 2; pid < self + NEAR; pid++) {
        if (pid == self || pid == getpid())
            continue;
        if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0)
            return 0;
        error = errno != ESRCH ? errno : error;
    }
    return error;
}

int main(void)
{
    await_moment();
    self = getpid();
    try_in_child("a neighbour is traced", trace);
    conclude_and_play_on();
}
