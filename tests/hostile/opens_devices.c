/* Tries to open memory, disks and the kernel log. */

#include "attack.h"

int main(void)
{
    static const char *const paths[] = {"/dev/mem",  "/dev/kmsg", "/dev/vda",  "/dev/sda",
                                        "/dev/fuse", "/dev/kvm",  "/dev/port", "/proc/kcore"};

    start_attack();
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        (void)note_result(paths[i], open(paths[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    report_and_keep_playing();
}
