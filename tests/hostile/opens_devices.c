/* Opens the memory, the disks and the kernel's messages. */

#include "attack.h"

int main(void)
{
    static const char *const paths[] = {"/dev/mem",  "/dev/kmsg", "/dev/vda",  "/dev/sda",
                                        "/dev/fuse", "/dev/kvm",  "/dev/port", "/proc/kcore"};

    await_moment();
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        (void)tried(paths[i], open(paths[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    conclude_and_play_on();
}
