/* Tries to open kernel settings for writing. It writes nothing. */

#include "attack.h"

int main(void)
{
    static const char *const paths[] = {"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
                                        "/sys/kernel/uevent_helper", "/proc/sys/vm/drop_caches",
                                        "/sys/fs/cgroup/cgroup.procs"};

    start_attack();
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        (void)note_result(paths[i], open(paths[i], O_WRONLY | O_CLOEXEC));
    report_and_keep_playing();
}
