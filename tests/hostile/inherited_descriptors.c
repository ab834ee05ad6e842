/* Uses descriptors that somebody forgot to close. */

#include "attack.h"

#define DESCRIPTORS 1024

int main(void)
{
    await_moment();
    errno = EBADF;
    for (int fd = STDERR_FILENO + 1; fd < DESCRIPTORS; fd++)
        (void)tried("a descriptor", fcntl(fd, F_GETFD));
    conclude_and_play_on();
}
