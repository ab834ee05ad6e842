/* Tries to read figures about the whole machine that another program can move. */

#include "attack.h"

static const char *const books[] = {"/proc/stat",
                                    "/proc/loadavg",
                                    "/proc/schedstat",
                                    "/proc/vmstat",
                                    "/proc/zoneinfo",
                                    "/proc/interrupts",
                                    "/proc/softirqs",
                                    "/proc/pressure/cpu",
                                    "/proc/diskstats",
                                    "/proc/buddyinfo",
                                    "/proc/locks",
                                    "/proc/sys/fs/dentry-state",
                                    "/proc/uptime",
                                    "/proc/key-users",
                                    "/proc/keys",
                                    "/proc/sys/fs/inode-nr",
                                    "/proc/slabinfo",
                                    "/proc/timer_list",
                                    "/sys/fs/cgroup/cpu.stat",
                                    "/proc/sys/fs/file-nr"};

int main(void)
{
    start_attack();
    for (size_t i = 0; i < sizeof books / sizeof books[0]; i++) {
        int fd = open(books[i], O_RDONLY | O_CLOEXEC);
        char byte;

        if (fd < 0)
            (void)note_result("", -1);
        else if (read(fd, &byte, 1) == 1)
            (void)note_result(books[i], 0);
        if (fd >= 0)
            close(fd);
    }
    report_and_keep_playing();
}
