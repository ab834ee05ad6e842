/* Wants to leave a core file, and crashes. */

#include "attack.h"

int main(void)
{
    struct rlimit core = {RLIM_INFINITY, RLIM_INFINITY};

    await_moment();
    (void)prctl(PR_SET_DUMPABLE, 1);
    (void)setrlimit(RLIMIT_CORE, &core);
    abort();
}
