/* Opens descriptors of the referee through /proc. */

#include "attack.h"

#define DESCRIPTORS 64

int main(void)
{
    await_moment();
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        char name[20];

        (void)snprintf(name, sizeof name, "fd/%d", fd);
        (void)tried("a descriptor of the referee", open_proc(referee_pid(), name));
    }
    conclude_and_play_on();
}
