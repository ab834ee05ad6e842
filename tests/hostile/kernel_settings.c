/* Opens settings of the kernel for writing. It writes nothing. */

#include "attack.h"

int main(void)
{
    static const char *const paths[] = {"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
                                        "/sys/kernel/uevent_helper", "/proc/sys/vm/drop_caches",
                                        "/sys/fs/cgroup/cgroup.procs"};

    await_moment();
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        (void)tried(paths[i], open(paths[i], O_WRONLY | O_CLOEXEC));
    conclude_and_play_on();
}
