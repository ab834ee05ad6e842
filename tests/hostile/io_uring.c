/* Makes system calls by io_uring, past every filter. */

#include "attack.h"

#include <sys/syscall.h>

int main(void)
{
    char parameters[256] = {0};
    long ring;

    await_moment();
    ring = syscall(SYS_io_uring_setup, 4, parameters);
    if (tried("io_uring", ring))
        (void)close((int)ring);
    conclude_and_play_on();
}
