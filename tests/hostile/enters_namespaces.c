/* Tries to enter the referee's network namespace, in a child. */

#include "attack.h"

#include <sched.h>

static int enter(void)
{
    int fd = open_proc(referee_pid(), "ns/net");

    return fd >= 0 && setns(fd, 0) == 0 ? 0 : errno;
}

int main(void)
{
    start_attack();
    try_in_child("a namespace of the referee", enter);
    report_and_keep_playing();
}
