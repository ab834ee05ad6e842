/* Tries to leave a core file by crashing. */

#include "attack.h"

int main(void)
{
    struct rlimit core = {RLIM_INFINITY, RLIM_INFINITY};

    start_attack();
    (void)prctl(PR_SET_DUMPABLE, 1);
    (void)setrlimit(RLIMIT_CORE, &core);
    abort();
}
