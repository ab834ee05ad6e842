/* Tries to make system calls through io_uring, which bypasses seccomp filters. */

#include "attack.h"

#include <sys/syscall.h>

int main(void)
{
    char parameters[256] = {0};
    long ring;

    start_attack();
    ring = syscall(SYS_io_uring_setup, 4, parameters);
    if (note_result("io_uring", ring))
        (void)close((int)ring);
    report_and_keep_playing();
}
