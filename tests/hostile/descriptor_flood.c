/* Opens files until there are no more descriptors: 4000 at most. */

#include "attack.h"

#define FILES 4000

int main(void)
{
    struct rlimit limit;

    await_moment();
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    for (int i = 0; i < FILES; i++) {
        if (dup(STDERR_FILENO) < 0) {
            (void)refused("a descriptor", errno);
            conclude_and_play_on();
        }
    }
    (void)tried("4000 descriptors", 0);
    conclude_and_play_on();
}
