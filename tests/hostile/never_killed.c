/* Asks the kernel to spare it when memory is short. */

#include "attack.h"

int main(void)
{
    int fd;

    await_moment();
    fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (tried("", fd))
        (void)tried("mercy", write(fd, "-1000", 5));
    conclude_and_play_on();
}
