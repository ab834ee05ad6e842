/* Looks for descriptors that the referee forgot to close. */

#include "attack.h"

#define DESCRIPTORS 1024

int main(void)
{
    start_attack();
    errno = EBADF;
    for (int fd = STDERR_FILENO + 1; fd < DESCRIPTORS; fd++)
        (void)note_result("a descriptor", fcntl(fd, F_GETFD));
    report_and_keep_playing();
}
